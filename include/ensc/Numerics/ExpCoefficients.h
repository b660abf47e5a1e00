//===- ExpCoefficients.h - Tables of exp and expm1 --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by tools/fit-polynomials.py: do not edit.
// ln 2 is split so that n * ln2High is exact.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_NUMERICS_EXPCOEFFICIENTS_H
#define ENSC_NUMERICS_EXPCOEFFICIENTS_H

namespace ensc::numerics {

/// Tables of exp and expm1; see docs/Numerics.md.
template <typename T> struct ExpCoefficients;

template <> struct ExpCoefficients<float> {
  /// At and below it exp rounds to 0.
  static constexpr float least = -0x1.ap+6f;
  /// At and above it exp and expm1 overflow.
  static constexpr float most = 0x1.64p+6f;
  /// At and below it expm1 rounds to -1.
  static constexpr float leastExpm1 = -0x1.9p+4f;
  /// Below it in magnitude, expm1(x) rounds to x.
  static constexpr float tiny = 0x1p-25f;
  /// 1 / ln 2, rounded.
  static constexpr float log2E = 0x1.715476p+0f;
  /// ln 2 to 15 bits.
  static constexpr float ln2High = 0x1.62e4p-1f;
  /// ln 2 - ln2High, rounded.
  static constexpr float ln2Low = 0x1.7f7d1cp-20f;
  /// (exp(r) - 1 - r) / r^2 by powers of r, lowest first; |r| <= 0.3467;
  /// relative error of exp(r) - 1 <= 2^-31.0.
  static constexpr float tail[] = {
      0x1p-1f,        0x1.555554p-3f,  0x1.5554fp-5f,
      0x1.111308p-7f, 0x1.6d4372p-10f, 0x1.9e0796p-13f,
  };
};

template <> struct ExpCoefficients<double> {
  /// At and below it exp rounds to 0.
  static constexpr double least = -0x1.75p+9;
  /// At and above it exp and expm1 overflow.
  static constexpr double most = 0x1.63p+9;
  /// At and below it expm1 rounds to -1.
  static constexpr double leastExpm1 = -0x1.4p+5;
  /// Below it in magnitude, expm1(x) rounds to x.
  static constexpr double tiny = 0x1p-54;
  /// 1 / ln 2, rounded.
  static constexpr double log2E = 0x1.71547652b82fep+0;
  /// ln 2 to 41 bits.
  static constexpr double ln2High = 0x1.62e42fefa4p-1;
  /// ln 2 - ln2High, rounded.
  static constexpr double ln2Low = -0x1.8432a1b0e2634p-43;
  /// (exp(r) - 1 - r) / r^2 by powers of r, lowest first; |r| <= 0.3467;
  /// relative error of exp(r) - 1 <= 2^-61.5.
  static constexpr double tail[] = {
      0x1p-1,
      0x1.5555555555559p-3,
      0x1.555555555554cp-5,
      0x1.111111110f655p-7,
      0x1.6c16c16c1b324p-10,
      0x1.a01a01b00361cp-13,
      0x1.a01a018b459a1p-16,
      0x1.71ddf80fc3466p-19,
      0x1.27e5197d81067p-22,
      0x1.af5f2baf230adp-26,
      0x1.1f1041ec64f7bp-29,
  };
};

} // namespace ensc::numerics

#endif // ENSC_NUMERICS_EXPCOEFFICIENTS_H
