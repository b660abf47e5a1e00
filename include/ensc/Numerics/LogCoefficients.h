//===- LogCoefficients.h - Tables of log and log1p --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by tools/fit-polynomials.py: do not edit.
// ln 2 is split so that e * ln2High is exact.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_NUMERICS_LOGCOEFFICIENTS_H
#define ENSC_NUMERICS_LOGCOEFFICIENTS_H

namespace ensc::numerics {

/// Tables of log and log1p; see docs/Numerics.md.
template <typename T> struct LogCoefficients;

template <> struct LogCoefficients<float> {
  /// The mantissa m lies in [lowest, 2 * lowest).
  static constexpr float lowest = 0x1.555556p-1f;
  /// ln 2 to 15 bits.
  static constexpr float ln2High = 0x1.62e4p-1f;
  /// ln 2 - ln2High, rounded.
  static constexpr float ln2Low = 0x1.7f7d1cp-20f;
  /// (log(1 + f) - f) / f^2 by powers of f, lowest first; |f| <= 1/3; relative
  /// error of log(1 + f) <= 2^-27.6.
  static constexpr float tail[] = {
      -0x1p-1f,        0x1.5555p-2f,    -0x1.ffff6ap-3f,
      0x1.99d268p-3f,  -0x1.55884ep-3f, 0x1.1eb8dep-3f,
      -0x1.f56284p-4f, 0x1.1ee68ap-3f,  -0x1.03037ap-3f,
  };
};

template <> struct LogCoefficients<double> {
  /// The mantissa m lies in [lowest, 2 * lowest).
  static constexpr double lowest = 0x1.5555555555555p-1;
  /// ln 2 to 41 bits.
  static constexpr double ln2High = 0x1.62e42fefa4p-1;
  /// ln 2 - ln2High, rounded.
  static constexpr double ln2Low = -0x1.8432a1b0e2634p-43;
  /// (log(1 + f) - f) / f^2 by powers of f, lowest first; |f| <= 1/3; relative
  /// error of log(1 + f) <= 2^-56.5.
  static constexpr double tail[] = {
      -0x1p-1,
      0x1.5555555555557p-2,
      -0x1.00000000009abp-2,
      0x1.999999999a7c2p-3,
      -0x1.5555555406d6bp-3,
      0x1.249249237243p-3,
      -0x1.0000008722489p-3,
      0x1.c71c72bb1282fp-4,
      -0x1.999961a31bb75p-4,
      0x1.745ce3a040b1p-4,
      -0x1.555c0f84a9764p-4,
      0x1.3b19faf4a098ep-4,
      -0x1.241373d2d39a1p-4,
      0x1.109989ed252fdp-4,
      -0x1.05c78f4f0c4b4p-4,
      0x1.ecd679c325954p-5,
      -0x1.769b1aee16aap-5,
      0x1.628a58df9b9f6p-5,
      -0x1.61506a80cec6dp-4,
      0x1.50d2d416ae3p-4,
  };
};

} // namespace ensc::numerics

#endif // ENSC_NUMERICS_LOGCOEFFICIENTS_H
