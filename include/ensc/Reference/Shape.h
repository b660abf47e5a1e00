//===- Shape.h - Data movement ops of the interpreter -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluators of the ops that move elements without computing with them.
// Arguments are those of the ops; what their verifiers check is a precondition.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REFERENCE_SHAPE_H
#define ENSC_REFERENCE_SHAPE_H

#include "ensc/API/Tensor.h"

namespace ensc::reference {

/// Each element is its index along `dim`.
Tensor iota(DType dtype, const Shape &shape, int64_t dim);

/// `dims[i]` is the result dimension of operand dimension i.
Tensor broadcast(const Tensor &operand, const Shape &shape,
                 const std::vector<int64_t> &dims);

/// Dimension i of the result is dimension `permutation[i]` of the operand.
Tensor transpose(const Tensor &operand,
                 const std::vector<int64_t> &permutation);

/// Elements starts, starts + strides, ... below limits, per dimension.
Tensor slice(const Tensor &operand, const std::vector<int64_t> &starts,
             const std::vector<int64_t> &limits,
             const std::vector<int64_t> &strides);

/// A window of extents `sizes` per element of the leading `batchDims`
/// dimensions. `starts` holds one i32 or i64 tensor over the batch per sliced
/// dimension; each start is clamped so that the window fits.
Tensor dynamicSlice(const Tensor &operand, const std::vector<Tensor> &starts,
                    const std::vector<int64_t> &sizes, int64_t batchDims);

/// `operand` with the window at the clamped `starts` replaced by `update`.
Tensor dynamicUpdateSlice(const Tensor &operand, const Tensor &update,
                          const std::vector<Tensor> &starts, int64_t batchDims);

/// The operands one after the other along `dim`.
Tensor concat(const std::vector<Tensor> &operands, int64_t dim);

/// Padding per dimension. Negative `low` and `high` crop.
struct PadAmounts {
  std::vector<int64_t> low;
  std::vector<int64_t> high;
  std::vector<int64_t> interior;
};

/// `value` has the shape of the leading `batchDims` dimensions of `operand`
/// and fills whatever `operand` does not cover.
Tensor pad(const Tensor &operand, const Tensor &value,
           const PadAmounts &amounts, int64_t batchDims);

/// The elements in opposite order along each of `dims`.
Tensor reverse(const Tensor &operand, const std::vector<int64_t> &dims);

} // namespace ensc::reference

#endif // ENSC_REFERENCE_SHAPE_H
