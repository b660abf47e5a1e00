//===- ValuesParser.h - The grammar of values -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_VALUESPARSER_H
#define ENSC_LIB_LEARNER_VALUESPARSER_H

#include "ensc/Learner/Values.h"

namespace ensc {

/// Walks over the text of one option. Positions are those of characters in it.
class ValuesParser {
public:
  ValuesParser(const std::string &option, const std::string &text)
      : option_(option), text_(text) {}

  /// All of the text, as Values::parse takes it.
  Expected<Values> parse() const;

  /// Numbers between commas, from `start` on.
  Expected<std::vector<double>> parseList(size_t start) const;

  /// The integers A and B of A..B, from `start` on.
  Expected<Interval> parseIntegers(size_t start) const;

  /// The ends of A..B, from `start` on and before `end`; those of a logarithmic
  /// range are greater than 0.
  Expected<Interval> parseInterval(bool logarithmic, size_t start,
                                   size_t end) const;

  Error failure(size_t position, const std::string &what) const;

private:
  Expected<size_t> findDots(size_t start) const;
  Expected<double> parseNumber(size_t begin, size_t end) const;
  Expected<double> parseInteger(size_t begin, size_t end) const;
  Expected<Values> parseRange(bool logarithmic, size_t start) const;
  Values result(Values::Kind kind, std::vector<double> numbers) const;

  const std::string &option_;
  const std::string &text_;
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_VALUESPARSER_H
