//===- FloatFormat.h - The layout of f32 and f64 ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the reference math and the compiled math both need to know about the
// two float formats. Free of LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_NUMERICS_FLOATFORMAT_H
#define ENSC_NUMERICS_FLOATFORMAT_H

#include <cstdint>

namespace ensc::numerics {

/// The layout of a float type; see docs/Numerics.md.
template <typename T> struct FloatFormat;

template <> struct FloatFormat<float> {
  using Bits = uint32_t;      ///< Wraps, as integers of `ens` do.
  using SignedBits = int32_t; ///< For arithmetic shifts.
  static constexpr int width = 32;
  /// Stored bits of the significand.
  static constexpr int mantissaBits = 23;
  /// What the exponent field holds for 1.0.
  static constexpr int32_t bias = 127;
  static constexpr Bits signMask = 0x80000000u;
  /// The only NaN that leaves a program.
  static constexpr Bits canonicalNaN = 0x7fc00000u;
  static constexpr float smallestNormal = 0x1p-126f;
  /// Makes a subnormal normal, by 2^mantissaBits.
  static constexpr float subnormalScale = 0x1p+23f;
  /// x + roundingMagic holds x, rounded to the nearest even integer, in its low
  /// bits, for |x| <= 2^22.
  static constexpr float roundingMagic = 0x1.8p+23f;
};

template <> struct FloatFormat<double> {
  using Bits = uint64_t;      ///< Wraps, as integers of `ens` do.
  using SignedBits = int64_t; ///< For arithmetic shifts.
  static constexpr int width = 64;
  /// Stored bits of the significand.
  static constexpr int mantissaBits = 52;
  /// What the exponent field holds for 1.0.
  static constexpr int64_t bias = 1023;
  static constexpr Bits signMask = 0x8000000000000000u;
  /// The only NaN that leaves a program.
  static constexpr Bits canonicalNaN = 0x7ff8000000000000u;
  static constexpr double smallestNormal = 0x1p-1022;
  /// Makes a subnormal normal, by 2^mantissaBits.
  static constexpr double subnormalScale = 0x1p+52;
  /// x + roundingMagic holds x, rounded to the nearest even integer, in its low
  /// bits, for |x| <= 2^51.
  static constexpr double roundingMagic = 0x1.8p+52;
};

} // namespace ensc::numerics

#endif // ENSC_NUMERICS_FLOATFORMAT_H
