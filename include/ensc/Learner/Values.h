//===- Values.h - Values of an option, one per run --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The right-hand side of options as in --set lr=log:1e-4..1e-1:
//
//   0.1              one value for all runs
//   0.1,0.2,0.4      one value for each run
//   3..10            the integers from 3 to 10, one for each run
//   linear:A..B      evenly spaced from A to B, both included
//   log:A..B         evenly spaced in the logarithm, both included
//
// The last two take a number of values, too: log:1e-4..1e-1/5.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LEARNER_VALUES_H
#define ENSC_LEARNER_VALUES_H

#include "ensc/API/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ensc {

/// All numbers between two, or the integers among them.
struct Interval {
  double first = 0, last = 0;
  bool logarithmic = false;

  /// The number at `fraction` in [0, 1] of the way, computed in f64 with ensc's
  /// own math, so that every machine has the same bits. Never beyond an end.
  double at(double fraction) const;
};

/// Values for any number of runs, still to be expanded.
class Values {
public:
  /// Parses `text`. `option` is what errors call it, as in "--set lr".
  ///
  /// Numbers are decimal and finite, and the ends of A..B are integers up to
  /// 2^53, so that f64 holds every value between them. Errors give the position
  /// of the character that is wrong.
  static Expected<Values> parse(const std::string &option,
                                const std::string &text);

  /// The same value for every run.
  static Values constant(double value);

  /// The number of runs that the text fixes: that of a list or of A..B with
  /// more than one value, or what stands behind a slash. Nothing where any
  /// number is served.
  std::optional<int64_t> count() const;

  /// Whether there are as many values as one likes, each with another place.
  bool isUncounted() const {
    return (kind_ == Kind::Linear || kind_ == Kind::Log) && !count_;
  }

  /// One value for each of `runs` runs. Both ends of a range are exact and its
  /// values never leave it; one run gets A. Fails where the text has another
  /// number of values.
  Expected<std::vector<double>> expand(int64_t runs) const;

  /// As it was written.
  const std::string &text() const { return text_; }

private:
  friend class ValuesParser;
  enum class Kind { List, Integers, Linear, Log };

  std::string option_;
  std::string text_;
  Kind kind_ = Kind::List;
  /// The list, or both ends.
  std::vector<double> numbers_;
  std::optional<int64_t> count_; ///< Of a linear or logarithmic range.
};

/// An option's NAME=VALUES.
struct Assignment {
  std::string name;
  Values values;

  /// Parses `text`, the argument of `option` (as in "--set").
  static Expected<Assignment> parse(const std::string &option,
                                    const std::string &text);
};

/// What stands on both sides of the "=" in NAME=VALUES.
Expected<std::pair<std::string, std::string>>
splitAssignment(const std::string &option, const std::string &text);

} // namespace ensc

#endif // ENSC_LEARNER_VALUES_H
