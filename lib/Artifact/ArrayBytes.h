//===- ArrayBytes.h - Sizes of untrusted shapes -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_ARTIFACT_ARRAYBYTES_H
#define ENSC_LIB_ARTIFACT_ARRAYBYTES_H

#include "ensc/API/Tensor.h"

namespace ensc {

/// More dimensions than any array in practice has.
constexpr size_t maxFileRank = 64;

/// The bytes of an array whose extents come from a file and are not negative.
/// An error where the product of its extents but zeros leaves 63 bits.
Expected<uint64_t> checkedByteCount(DType dtype, const Shape &shape);

/// Checks that every element of an I1 tensor is 0 or 1.
Status checkBooleans(const Tensor &tensor);

} // namespace ensc

#endif // ENSC_LIB_ARTIFACT_ARRAYBYTES_H
