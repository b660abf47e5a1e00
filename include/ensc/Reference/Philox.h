//===- Philox.h - The random numbers of the interpreter ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Philox4x32-10 as docs/Numerics.md defines it. Free of LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REFERENCE_PHILOX_H
#define ENSC_REFERENCE_PHILOX_H

#include <array>
#include <cstdint>
#include <optional>

namespace ensc::reference {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

/// The four words of the block `counter` of the stream `key`.
PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key);

/// The stream of a run at one site and step, as `ens.rng_bits` reads it. The
/// block that was read last is kept, since its neighbours come from it, too.
class PhiloxStream {
public:
  PhiloxStream(int64_t seed, uint32_t site, int64_t step)
      : seed_(seed), step_(step), site_(site) {}

  /// Word `element` of the stream: one `ui32` element.
  uint32_t word(int64_t element);
  /// Words 2 * element (low half) and 2 * element + 1: one `i64` element.
  int64_t doubleWord(int64_t element);

private:
  int64_t seed_;
  int64_t step_;
  uint32_t site_;
  std::optional<uint32_t> index_; ///< Of the block.
  PhiloxCounter block_ = {};
};

/// A float in (0, 1) from 32 random bits: ((bits >> 9) + 0.5) * 2^-23.
float uniformFromBits(uint32_t bits);
/// A double in (0, 1) from 64 random bits: ((bits >> 12) + 0.5) * 2^-52.
double uniformFromBits(uint64_t bits);

} // namespace ensc::reference

#endif // ENSC_REFERENCE_PHILOX_H
