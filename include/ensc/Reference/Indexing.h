//===- Indexing.h - Gather and scatter of the interpreter -------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both see the operand as B ++ M ++ [axis] ++ R, where B are `batchDims`
// leading dimensions that the indices (B ++ I) share, and the gathered values
// or updates as B ++ M ++ I ++ R.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REFERENCE_INDEXING_H
#define ENSC_REFERENCE_INDEXING_H

#include "ensc/API/Tensor.h"

namespace ensc::reference {

enum class GatherMode {
  Clamp, ///< The index is clamped into range.
  Fill,  ///< An index out of range gives 0.
};

/// Integer `indices` pick along `axis`; negative ones are out of range.
Tensor gather(const Tensor &operand, const Tensor &indices, int64_t axis,
              int64_t batchDims, GatherMode mode);

enum class ScatterKind { Add, Set };

enum class ScatterMode {
  Clamp, ///< The index is clamped into range.
  Drop,  ///< An update out of range has no effect.
};

struct ScatterOptions {
  ScatterKind kind;
  ScatterMode mode;
  int64_t axis;
  int64_t batchDims;
};

/// `operand` after `updates` were added or stored one by one in ascending
/// row-major order, so that of several stores to one element the last wins.
Tensor scatter(const Tensor &operand, const Tensor &indices,
               const Tensor &updates, const ScatterOptions &options);

} // namespace ensc::reference

#endif // ENSC_REFERENCE_INDEXING_H
