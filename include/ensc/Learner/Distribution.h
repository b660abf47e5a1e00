//===- Distribution.h - Random values of options ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LEARNER_DISTRIBUTION_H
#define ENSC_LEARNER_DISTRIBUTION_H

#include "ensc/Learner/Values.h"

namespace ensc {

/// What a value is drawn from:
///
///   uniform:A..B     any number from A to B
///   log:A..B         the same, uniform in the logarithm
///   integers:A..B    any integer from A to B
///   choice:A,B,C     any of these
class Distribution {
public:
  /// Parses `text`, with errors as those of Values.
  static Expected<Distribution> parse(const std::string &option,
                                      const std::string &text);

  /// The value that 64 random bits stand for, the same on every machine.
  double draw(uint64_t bits) const;

private:
  Interval interval_;
  std::vector<double> choices_; ///< Drawn from where there are any.
  bool whole_ = false;          ///< Whether only integers are drawn.
};

/// Which of `count` choices 64 random bits stand for.
size_t choose(uint64_t bits, size_t count);

/// 64 random bits of the stream `name` of a seed: Philox4x32-10 at `index`, of
/// which each has as many as are asked for by `element`.
uint64_t drawBits(int64_t seed, const std::string &name, int64_t index,
                  int64_t element = 0);

} // namespace ensc

#endif // ENSC_LEARNER_DISTRIBUTION_H
