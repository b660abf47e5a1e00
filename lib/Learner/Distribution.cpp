//===- Distribution.cpp - Random values of options ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Learner/Distribution.h"

#include "ValuesParser.h"

#include "ensc/Reference/Philox.h"

#include <algorithm>
#include <cmath>
#include <string_view>

using namespace ensc;

static bool startsWith(const std::string &text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

Expected<Distribution> Distribution::parse(const std::string &option,
                                           const std::string &text) {
  constexpr std::string_view uniform = "uniform:", logarithmic = "log:",
                             integers = "integers:", choice = "choice:";
  ValuesParser parser(option, text);
  Distribution result;
  if (startsWith(text, choice)) {
    Expected<std::vector<double>> choices = parser.parseList(choice.size());
    if (!choices)
      return choices.error();
    result.choices_ = std::move(*choices);
    return result;
  }
  result.whole_ = startsWith(text, integers);
  bool isLog = startsWith(text, logarithmic);
  if (!result.whole_ && !isLog && !startsWith(text, uniform))
    return parser.failure(0, "expected 'uniform:', 'log:', 'integers:' or "
                             "'choice:', found '" +
                                 text + "'");
  Expected<Interval> interval =
      result.whole_
          ? parser.parseIntegers(integers.size())
          : parser.parseInterval(isLog,
                                 isLog ? logarithmic.size() : uniform.size(),
                                 text.size());
  if (!interval)
    return interval.error();
  if (interval->first > interval->last)
    return parser.failure(text.find(':') + 1,
                          "the ends must ascend, but found '" +
                              text.substr(text.find(':') + 1) + "'");
  result.interval_ = *interval;
  return result;
}

double Distribution::draw(uint64_t bits) const {
  if (!choices_.empty())
    return choices_[choose(bits, choices_.size())];
  double fraction = reference::uniformFromBits(bits);
  if (!whole_)
    return interval_.at(fraction);
  double count = interval_.last - interval_.first + 1;
  return std::min(interval_.first + std::floor(fraction * count),
                  interval_.last);
}

size_t ensc::choose(uint64_t bits, size_t count) {
  double place = reference::uniformFromBits(bits) * static_cast<double>(count);
  return std::min(static_cast<size_t>(place), count - 1);
}

/// FNV-1a: names give their streams apart.
static uint32_t hashName(const std::string &name) {
  uint32_t hash = 2166136261u;
  for (char c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

uint64_t ensc::drawBits(int64_t seed, const std::string &name, int64_t index,
                        int64_t element) {
  reference::PhiloxStream stream(seed, hashName(name), index);
  return static_cast<uint64_t>(stream.doubleWord(element));
}
