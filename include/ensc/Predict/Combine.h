//===- Combine.h - One prediction out of many -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_PREDICT_COMBINE_H
#define ENSC_PREDICT_COMBINE_H

#include "ensc/API/Tensor.h"

namespace ensc {

/// What the models of an ensemble say of the mean, and how far they disagree.
struct Average {
  Tensor mean;      ///< f64, without the dimension of the models.
  Tensor deviation; ///< The standard deviation over the models, f64; 0 for one
                    ///< model, unless what it says is not finite.
};

/// Averages floats that lead with the models. Sums are taken in the order of
/// the models, in f64, so that the result depends on nothing else; deviations
/// are those from the mean, the divisor is the number of models.
Expected<Average> average(const Tensor &each);

/// What most models say, and how many of them.
struct Vote {
  Tensor winner; ///< i64, without the dimension of the models.
  Tensor share;  ///< Of the models that agree with it, f64.
};

/// The class of scores that have a NaN.
inline constexpr int64_t noClass = -1;

/// Counts integers or predicates that lead with the models. Of values that
/// occur equally often the smallest wins. With `mayAbstain` noClass is no vote:
/// it wins with a share of 0 where there is no other.
Expected<Vote> vote(const Tensor &each, bool mayAbstain = false);

/// The position of the greatest element along the last dimension, the first of
/// equal ones; noClass where one is NaN. i64.
Expected<Tensor> greatestOf(const Tensor &scores);

} // namespace ensc

#endif // ENSC_PREDICT_COMBINE_H
