//===- Values.cpp - Values of an option, one per run ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Learner/Values.h"

#include "ValuesParser.h"

#include "ensc/Reference/Math.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

using namespace ensc;

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

Error ValuesParser::failure(size_t position, const std::string &what) const {
  return Error(ErrorKind::InvalidArgument,
               option_ + "=" + text_ + ": " + what + " at character " +
                   std::to_string(position + 1) + " of '" + text_ + "'");
}

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

Expected<std::vector<double>> ValuesParser::parseList(size_t start) const {
  std::vector<double> numbers;
  for (size_t begin = start;;) {
    size_t comma = text_.find(',', begin);
    size_t end = comma == std::string::npos ? text_.size() : comma;
    Expected<double> number = parseNumber(begin, end);
    if (!number)
      return number.error();
    numbers.push_back(*number);
    if (comma == std::string::npos)
      return numbers;
    begin = comma + 1;
  }
}

Expected<size_t> ValuesParser::findDots(size_t start) const {
  size_t dots = text_.find("..", start);
  if (dots == std::string::npos)
    return failure(start,
                   "expected A..B after '" + text_.substr(0, start) + "'");
  return dots;
}

Expected<Interval> ValuesParser::parseIntegers(size_t start) const {
  Expected<size_t> dots = findDots(start);
  if (!dots)
    return dots.error();
  Expected<double> first = parseInteger(start, *dots);
  if (!first)
    return first.error();
  Expected<double> last = parseInteger(*dots + 2, text_.size());
  if (!last)
    return last.error();
  if (*first > *last)
    return failure(*dots + 2, formatNumber(*last) + " is less than " +
                                  formatNumber(*first) +
                                  "; A..B counts upwards");
  return Interval{*first, *last};
}

Expected<Interval> ValuesParser::parseInterval(bool logarithmic, size_t start,
                                               size_t end) const {
  Expected<size_t> dots = findDots(start);
  if (!dots)
    return dots.error();
  Expected<double> first = parseNumber(start, *dots);
  if (!first)
    return first.error();
  Expected<double> last = parseNumber(*dots + 2, end);
  if (!last)
    return last.error();
  if (!logarithmic && !std::isfinite(*last - *first))
    return failure(start, "the range is too wide for f64");
  if (logarithmic && (*first <= 0 || *last <= 0))
    return failure(*first <= 0 ? start : *dots + 2,
                   "both ends of a log range must be greater than 0, but "
                   "found " +
                       formatNumber(*first <= 0 ? *first : *last));
  return Interval{*first, *last, logarithmic};
}

Expected<Values> ValuesParser::parseRange(bool logarithmic,
                                          size_t start) const {
  size_t slash = std::min(text_.find('/', start), text_.size());
  Expected<Interval> ends = parseInterval(logarithmic, start, slash);
  if (!ends)
    return ends.error();
  Values values = result(logarithmic ? Values::Kind::Log : Values::Kind::Linear,
                         {ends->first, ends->last});
  if (slash == text_.size())
    return values;
  Expected<double> count = parseNumber(slash + 1, text_.size());
  if (!count)
    return count.error();
  if (*count != std::floor(*count) || *count < 1 || *count > maxInteger)
    return failure(slash + 1, "expected a number of values, found '" +
                                  text_.substr(slash + 1) + "'");
  if (*count == 1 && ends->first != ends->last)
    return failure(slash + 1, "one value cannot be both " +
                                  formatNumber(ends->first) + " and " +
                                  formatNumber(ends->last) +
                                  "; ask for 2 or more, or give the value");
  values.count_ = static_cast<int64_t>(*count);
  return values;
}

Expected<Values> ValuesParser::parse() const {
  std::string_view view = text_;
  if (view.substr(0, linearPrefix.size()) == linearPrefix)
    return parseRange(false, linearPrefix.size());
  if (view.substr(0, logPrefix.size()) == logPrefix)
    return parseRange(true, logPrefix.size());
  size_t colon = text_.find(':');
  if (colon != std::string::npos)
    return failure(0, "expected 'linear:' or 'log:', found '" +
                          text_.substr(0, colon + 1) + "'");
  if (text_.find("..") == std::string::npos) {
    Expected<std::vector<double>> numbers = parseList(0);
    if (!numbers)
      return numbers.error();
    return result(Values::Kind::List, std::move(*numbers));
  }
  Expected<Interval> ends = parseIntegers(0);
  if (!ends)
    return ends.error();
  return result(Values::Kind::Integers, {ends->first, ends->last});
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
  int64_t count = count_.value_or(1);
  if (kind_ == Kind::List)
    count = static_cast<int64_t>(numbers_.size());
  if (kind_ == Kind::Integers)
    count = static_cast<int64_t>(numbers_[1] - numbers_[0]) + 1;
  return count > 1 ? std::optional<int64_t>(count) : std::nullopt;
}

double Interval::at(double fraction) const {
  double value =
      logarithmic
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
  Interval interval{numbers_.front(), numbers_.back(), kind_ == Kind::Log};
  for (size_t i = 1; i < count && kind_ != Kind::List; ++i) {
    bool isLast = i + 1 == count;
    if (kind_ == Kind::Integers)
      values[i] = std::min(numbers_[0] + static_cast<double>(i), numbers_[1]);
    else
      values[i] = isLast ? interval.last
                         : interval.at(static_cast<double>(i) /
                                       static_cast<double>(count - 1));
  }
  return values;
}

Expected<std::pair<std::string, std::string>>
ensc::splitAssignment(const std::string &option, const std::string &text) {
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return Error(ErrorKind::InvalidArgument,
                 option + " " + text + ": expected NAME=VALUES, as in " +
                     option + " lr=0.1");
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

Expected<Assignment> Assignment::parse(const std::string &option,
                                       const std::string &text) {
  Expected<std::pair<std::string, std::string>> sides =
      splitAssignment(option, text);
  if (!sides)
    return sides.error();
  Expected<Values> values =
      Values::parse(option + " " + sides->first, sides->second);
  if (!values)
    return values.error();
  return Assignment{std::move(sides->first), std::move(*values)};
}
