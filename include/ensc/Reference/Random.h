//===- Random.h - Random ops of the interpreter -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counter-based: each word depends on seed, step, site and position alone.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REFERENCE_RANDOM_H
#define ENSC_REFERENCE_RANDOM_H

#include "ensc/API/Tensor.h"

#include <optional>

namespace ensc::reference {

/// Random ui32 or i64 words of shape `shape`, whose leading dimensions are
/// those of the i64 tensors `seed` and `step`. `offset`, if given, has their
/// shape too and counts whole blocks of the remaining dimensions to skip.
Tensor rngBits(const Tensor &seed, const Tensor &step,
               const std::optional<Tensor> &offset, uint32_t site, DType dtype,
               const Shape &shape);

/// The site that permutations draw their words from.
inline constexpr uint32_t permutationSite = 0xffffffff;

/// An i32 permutation of 0 .. size-1 per element of the i64 tensors `seed` and
/// `epoch`, made by a descending Fisher-Yates shuffle.
Tensor permutation(const Tensor &seed, const Tensor &epoch, int64_t size);

} // namespace ensc::reference

#endif // ENSC_REFERENCE_RANDOM_H
