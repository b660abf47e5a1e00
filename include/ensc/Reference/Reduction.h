//===- Reduction.h - Reductions of the interpreter --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the sums is part of the language, see docs/Numerics.md.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REFERENCE_REDUCTION_H
#define ENSC_REFERENCE_REDUCTION_H

#include "ensc/API/Tensor.h"

namespace ensc::reference {

enum class ReduceKind { Sum, Max, Min };

/// Reduces over `dims`, which ascend. A sum keeps 16 strided partial sums and
/// adds them as a tree; max and min are those of the elementwise ops. Nothing
/// to reduce gives the identity: +0, the least or the greatest value.
Tensor reduce(ReduceKind kind, const Tensor &operand,
              const std::vector<int64_t> &dims);

enum class ArgReduceKind { Max, Min };

/// The i32 index along `dim` of the extreme element: the first of equals, and
/// the first NaN where there is one. The extent of `dim` is at least 1.
Tensor argReduce(ArgReduceKind kind, const Tensor &operand, int64_t dim);

} // namespace ensc::reference

#endif // ENSC_REFERENCE_REDUCTION_H
