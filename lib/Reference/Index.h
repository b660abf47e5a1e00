//===- Index.h - Positions in row-major tensors -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the evaluators.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_REFERENCE_INDEX_H
#define ENSC_LIB_REFERENCE_INDEX_H

#include "ensc/API/Tensor.h"

namespace ensc::reference {

/// The element offsets, in a row-major tensor of shape `shape`, of all index
/// combinations over `dims`, the last of `dims` running fastest. The other
/// dimensions stay at 0, so offsets over disjoint dims add up.
std::vector<int64_t> offsetsOver(const Shape &shape,
                                 const std::vector<int64_t> &dims);

/// offsetsOver for a range of extents per dimension: dims[i] runs over
/// starts[i], starts[i] + strides[i], ..., `counts[i]` of them. All dimensions
/// of `shape` take part, in order. A stride may be negative.
std::vector<int64_t> windowOffsets(const Shape &shape,
                                   const std::vector<int64_t> &starts,
                                   const std::vector<int64_t> &counts,
                                   const std::vector<int64_t> &strides);

/// The dimensions of a tensor of rank `rank` that `dims` does not list.
std::vector<int64_t> otherDims(int64_t rank, const std::vector<int64_t> &dims);

/// first, first + 1, ..., last - 1.
std::vector<int64_t> dimRange(int64_t first, int64_t last);

/// The extents of `dims`.
Shape extentsOf(const Shape &shape, const std::vector<int64_t> &dims);

/// Copies element `sourceIndex` of `source` to element `targetIndex` of
/// `target`, which has the same element type.
void copyElement(Tensor &target, int64_t targetIndex, const Tensor &source,
                 int64_t sourceIndex);

/// Element `index` of an i32, i64 or ui32 tensor.
int64_t integerAt(const Tensor &tensor, int64_t index);

/// `value`, or the nearest bound of [low, high] when it lies outside.
int64_t clampIndex(int64_t value, int64_t low, int64_t high);

} // namespace ensc::reference

#endif // ENSC_LIB_REFERENCE_INDEX_H
