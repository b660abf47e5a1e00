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
  Tensor deviation; ///< The standard deviation over the models, f64; 0 for one.
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

/// Counts integers or predicates that lead with the models. Of values that
/// occur equally often the smallest wins.
Expected<Vote> vote(const Tensor &each);

/// The position of the greatest element along the last dimension, as
/// ens.arg_reduce finds it: the first NaN, else the first of equal ones. i64.
Expected<Tensor> greatestOf(const Tensor &scores);

} // namespace ensc

#endif // ENSC_PREDICT_COMBINE_H
