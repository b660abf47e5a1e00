//===- Values.cpp - Values of an option, one per run ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Learner/Values.h"

#include "ensc/Reference/Math.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

using namespace ensc;

namespace ensc {
/// Walks over the text of one option.
class ValuesParser {
public:
  ValuesParser(const std::string &option, const std::string &text)
      : option_(option), text_(text) {}

  Expected<Values> parse();

private:
  Error failure(size_t position, const std::string &what) const {
    return Error(ErrorKind::InvalidArgument,
                 option_ + "=" + text_ + ": " + what + " at character " +
                     std::to_string(position + 1) + " of '" + text_ + "'");
  }
  Expected<double> parseNumber(size_t begin, size_t end) const;
  Expected<double> parseInteger(size_t begin, size_t end) const;
  Expected<Values> parseList() const;
  Expected<Values> parseIntegers(size_t dots) const;
  Expected<Values> parseRange(Values::Kind kind, size_t start) const;
  Values result(Values::Kind kind, std::vector<double> numbers) const;

  const std::string &option_;
  const std::string &text_;
};
} // namespace ensc

namespace {
constexpr std::string_view linearPrefix = "linear:";
constexpr std::string_view logPrefix = "log:";
constexpr double maxInteger = 9007199254740992.0; // 2^53

std::string formatNumber(double value) {
  char buffer[32];
  auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, end);
}
} // namespace

Expected<double> ValuesParser::parseNumber(size_t begin, size_t end) const {
  const char *first = text_.data() + begin, *last = text_.data() + end;
  if (first == last)
    return failure(begin, "expected a number, found nothing");
  double value = 0;
  auto [stop, code] = std::from_chars(first, last, value);
  std::string found = "'" + text_.substr(begin, end - begin) + "'";
  if (code == std::errc::result_out_of_range)
    return failure(begin, found + " is too large or too small for f64");
  if (code != std::errc() || stop != last)
    return failure(code == std::errc() ? stop - text_.data() : begin,
                   "expected a number, found " + found);
  if (!std::isfinite(value))
    return failure(begin, "expected a finite number, found " + found);
  return value;
}

Expected<double> ValuesParser::parseInteger(size_t begin, size_t end) const {
  Expected<double> value = parseNumber(begin, end);
  if (!value)
    return value;
  std::string found = "'" + text_.substr(begin, end - begin) + "'";
  if (*value != std::floor(*value))
    return failure(begin, "A..B counts integers, but found " + found +
                              " (linear:A..B takes any numbers)");
  if (std::fabs(*value) > maxInteger)
    return failure(begin, found + " is beyond 2^53");
  return value;
}

Values ValuesParser::result(Values::Kind kind,
                            std::vector<double> numbers) const {
  Values values;
  values.option_ = option_;
  values.text_ = text_;
  values.kind_ = kind;
  values.numbers_ = std::move(numbers);
  return values;
}

Expected<Values> ValuesParser::parseList() const {
  std::vector<double> numbers;
  for (size_t begin = 0;;) {
    size_t comma = text_.find(',', begin);
    size_t end = comma == std::string::npos ? text_.size() : comma;
    Expected<double> number = parseNumber(begin, end);
    if (!number)
      return number.error();
    numbers.push_back(*number);
    if (comma == std::string::npos)
      return result(Values::Kind::List, std::move(numbers));
    begin = comma + 1;
  }
}

Expected<Values> ValuesParser::parseIntegers(size_t dots) const {
  Expected<double> first = parseInteger(0, dots);
  if (!first)
    return first.error();
  Expected<double> last = parseInteger(dots + 2, text_.size());
  if (!last)
    return last.error();
  if (*first > *last)
    return failure(dots + 2, formatNumber(*last) + " is less than " +
                                 formatNumber(*first) +
                                 "; A..B counts upwards");
  return result(Values::Kind::Integers, {*first, *last});
}

Expected<Values> ValuesParser::parseRange(Values::Kind kind,
                                          size_t start) const {
  size_t dots = text_.find("..", start);
  if (dots == std::string::npos)
    return failure(start,
                   "expected A..B after '" + text_.substr(0, start) + "'");
  Expected<double> first = parseNumber(start, dots);
  if (!first)
    return first.error();
  Expected<double> last = parseNumber(dots + 2, text_.size());
  if (!last)
    return last.error();
  if (kind == Values::Kind::Linear && !std::isfinite(*last - *first))
    return failure(start, "the range is too wide for f64");
  if (kind == Values::Kind::Log && (*first <= 0 || *last <= 0))
    return failure(*first <= 0 ? start : dots + 2,
                   "both ends of a log range must be greater than 0, but "
                   "found " +
                       formatNumber(*first <= 0 ? *first : *last));
  return result(kind, {*first, *last});
}

Expected<Values> ValuesParser::parse() {
  std::string_view view = text_;
  if (view.substr(0, linearPrefix.size()) == linearPrefix)
    return parseRange(Values::Kind::Linear, linearPrefix.size());
  if (view.substr(0, logPrefix.size()) == logPrefix)
    return parseRange(Values::Kind::Log, logPrefix.size());
  size_t colon = text_.find(':');
  if (colon != std::string::npos)
    return failure(0, "expected 'linear:' or 'log:', found '" +
                          text_.substr(0, colon + 1) + "'");
  size_t dots = text_.find("..");
  return dots == std::string::npos ? parseList() : parseIntegers(dots);
}

Expected<Values> Values::parse(const std::string &option,
                               const std::string &text) {
  return ValuesParser(option, text).parse();
}

Values Values::constant(double value) {
  Values values;
  values.text_ = formatNumber(value);
  values.numbers_ = {value};
  return values;
}

std::optional<int64_t> Values::count() const {
  int64_t count = 1;
  if (kind_ == Kind::List)
    count = static_cast<int64_t>(numbers_.size());
  if (kind_ == Kind::Integers)
    count = static_cast<int64_t>(numbers_[1] - numbers_[0]) + 1;
  return count > 1 ? std::optional<int64_t>(count) : std::nullopt;
}

/// The value at `fraction` in (0, 1) of the way from `first` to `last`.
static double interpolate(double first, double last, double fraction,
                          bool inLogarithm) {
  double value =
      inLogarithm
          ? reference::exp(reference::log(first) +
                           (reference::log(last) - reference::log(first)) *
                               fraction)
          : first + (last - first) * fraction;
  // Rounding must not step over an end.
  auto [low, high] = std::minmax(first, last);
  return std::min(std::max(value, low), high);
}

Expected<std::vector<double>> Values::expand(int64_t runs) const {
  if (std::optional<int64_t> given = count(); given && *given != runs)
    return Error(ErrorKind::InvalidArgument,
                 option_ + "=" + text_ + " gives " + std::to_string(*given) +
                     " values for " + std::to_string(runs) +
                     (runs == 1 ? " run" : " runs") +
                     "; give one for each run, or a single one for all");
  size_t count = static_cast<size_t>(std::max<int64_t>(runs, 0));
  std::vector<double> values(count, numbers_.front());
  if (kind_ == Kind::List && numbers_.size() > 1)
    values = numbers_;
  for (size_t i = 1; i < count && kind_ != Kind::List; ++i) {
    bool isLast = i + 1 == count;
    if (kind_ == Kind::Integers)
      values[i] = std::min(numbers_[0] + static_cast<double>(i), numbers_[1]);
    else
      values[i] = isLast ? numbers_[1]
                         : interpolate(numbers_[0], numbers_[1],
                                       static_cast<double>(i) /
                                           static_cast<double>(count - 1),
                                       kind_ == Kind::Log);
  }
  return values;
}

Expected<Assignment> Assignment::parse(const std::string &option,
                                       const std::string &text) {
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return Error(ErrorKind::InvalidArgument,
                 option + " " + text + ": expected NAME=VALUES, as in " +
                     option + " lr=0.1");
  std::string name = text.substr(0, equals);
  Expected<Values> values =
      Values::parse(option + " " + name, text.substr(equals + 1));
  if (!values)
    return values.error();
  return Assignment{std::move(name), std::move(*values)};
}
