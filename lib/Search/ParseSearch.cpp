//===- ParseSearch.cpp - Searches as options spell them -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Search/ParseSearch.h"

#include "ensc/Search/PopulationTraining.h"
#include "ensc/Search/SuccessiveHalving.h"

#include <algorithm>
#include <cmath>

using namespace ensc;

namespace {
/// One of the parts between commas: a key and a value, or a value alone.
struct Part {
  std::string key, value;
};

Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

/// The parts of `text`. Commas within choice:A,B belong to the part.
std::vector<Part> splitParts(const std::string &text) {
  std::vector<Part> parts;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, end - begin);
    size_t equals = part.find('=');
    bool goesOn = equals == std::string::npos && !parts.empty() &&
                  parts.back().value.find(":choice:") != std::string::npos;
    if (goesOn)
      parts.back().value += "," + part;
    else if (equals == std::string::npos)
      parts.push_back({"", part});
    else
      parts.push_back({part.substr(0, equals), part.substr(equals + 1)});
    begin = end + 1;
  }
  return parts;
}

/// A single number, as the part of an option.
Expected<double> parseNumber(const std::string &option,
                             const std::string &text) {
  Expected<Values> values = Values::parse(option, text);
  if (!values)
    return values.error();
  Expected<std::vector<double>> numbers = values->expand(1);
  if (!numbers)
    return numbers.error();
  return numbers->front();
}

Expected<int64_t> parseCount(const std::string &option, const std::string &text,
                             int64_t least) {
  constexpr double most = 1e9;
  Expected<double> number = parseNumber(option, text);
  if (!number)
    return number.error();
  if (*number != std::floor(*number) || *number > most ||
      *number < static_cast<double>(least))
    return invalid(option + " must be a whole number of at least " +
                   std::to_string(least) + ", got " + text);
  return static_cast<int64_t>(*number);
}

/// Collects what --population says of hyper-parameters.
class ChangeList {
public:
  Status add(const Part &part);
  std::vector<HyperChange> take() { return std::move(changes); }
  bool empty() const { return changes.empty(); }

private:
  HyperChange &find(const std::string &name) {
    for (HyperChange &change : changes)
      if (change.name == name)
        return change;
    changes.push_back({name, 1.0, 1.0, std::nullopt, ""});
    return changes.back();
  }
  std::vector<HyperChange> changes;
};
} // namespace

Status ChangeList::add(const Part &part) {
  std::string option = "--population " + part.key;
  size_t colon = part.value.find(':');
  if (colon == std::string::npos || colon == 0)
    return invalid(option + "=" + part.value + ": expected NAME:" +
                   (part.key == "perturb" ? "LOW..HIGH, as in lr:0.8..1.25"
                                          : "DISTRIBUTION, as in "
                                            "lr:log:1e-4..1e-1"));
  HyperChange &change = find(part.value.substr(0, colon));
  std::string text = part.value.substr(colon + 1);
  if (part.key == "resample") {
    Expected<Distribution> distribution =
        Distribution::parse(option + "=" + change.name, text);
    if (!distribution)
      return distribution.error();
    change.distribution = std::move(*distribution);
    change.text = text;
    return Status::success();
  }
  // Factors are a range: its ends are what counts.
  Expected<Values> range =
      Values::parse(option + "=" + change.name, "log:" + text);
  if (!range)
    return range.error();
  Expected<std::vector<double>> ends = range->expand(2);
  if (!ends)
    return ends.error();
  change.low = ends->front();
  change.high = ends->back();
  return Status::success();
}

Expected<ParsedSearch> ensc::parseHalving(const std::string &text) {
  std::vector<Part> parts = splitParts(text);
  ParsedSearch result;
  if (parts.front().key.empty() && parts.front().value == "asha") {
    result.note = "asha decides synchronously here: all runs meet at its "
                  "ticks, so that results depend on no clock";
    parts.erase(parts.begin());
  }
  if (parts.empty() || !parts.front().key.empty())
    return invalid("--halving=" + text +
                   ": expected ETA[,first=K], as in --halving=3,first=2");
  Expected<int64_t> eta = parseCount("--halving", parts.front().value, 2);
  if (!eta)
    return eta.error();
  Expected<int64_t> first = int64_t(1);
  for (size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].key != "first")
      return invalid("--halving=" + text + ": expected first=K, found '" +
                     parts[i].key + (parts[i].key.empty() ? "" : "=") +
                     parts[i].value + "'");
    first = parseCount("--halving first", parts[i].value, 1);
    if (!first)
      return first.error();
  }
  result.search = std::make_shared<SuccessiveHalving>(*eta, *first);
  return result;
}

Expected<ParsedSearch> ensc::parsePopulation(const std::string &text,
                                             int64_t seed) {
  Expected<int64_t> every = int64_t(0);
  Expected<double> fraction = 0.2;
  ChangeList changes;
  for (const Part &part : splitParts(text)) {
    if (part.key == "every") {
      every = parseCount("--population every", part.value, 1);
      if (!every)
        return every.error();
    } else if (part.key == "fraction") {
      fraction = parseNumber("--population fraction", part.value);
      if (!fraction)
        return fraction.error();
      if (!(*fraction > 0 && *fraction <= 0.5))
        return invalid("--population fraction must be above 0 and at most "
                       "0.5, got " +
                       part.value);
    } else if (part.key == "perturb" || part.key == "resample") {
      if (Status status = changes.add(part); !status)
        return status.error();
    } else {
      return invalid("--population=" + text +
                     ": expected every, fraction, perturb or resample, "
                     "found '" +
                     (part.key.empty() ? part.value : part.key) + "'");
    }
  }
  if (*every == 0)
    return invalid("--population=" + text +
                   ": every=K is missing, the records "
                   "between two decisions");
  if (changes.empty())
    return invalid("--population=" + text +
                   ": say which hyper-parameter changes, as in "
                   "perturb=lr:0.8..1.25");
  return ParsedSearch{std::make_shared<PopulationTraining>(
                          *every, *fraction, changes.take(), seed),
                      ""};
}
