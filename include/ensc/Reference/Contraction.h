//===- Contraction.h - The dot op of the interpreter ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the sums is part of the language, see docs/Numerics.md.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REFERENCE_CONTRACTION_H
#define ENSC_REFERENCE_CONTRACTION_H

#include "ensc/API/Tensor.h"

namespace ensc::reference {

/// Which dimensions of each operand are paired, entry by entry.
struct DotDims {
  std::vector<int64_t> lhsBatch;
  std::vector<int64_t> rhsBatch;
  std::vector<int64_t> lhsContract;
  std::vector<int64_t> rhsContract;
};

/// The result's dimensions are the batch, the free ones of `lhs` and the free
/// ones of `rhs`. Each element is a sum of blocks of fused multiply-adds.
Tensor dot(const Tensor &lhs, const Tensor &rhs, const DotDims &dims);

} // namespace ensc::reference

#endif // ENSC_REFERENCE_CONTRACTION_H
