//===- PowCoefficients.h - Tables of the f64 pow ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by tools/fit-polynomials.py: do not edit.
// log(m) = 2 s + (2/3) s^3 + s^5 T(s^2), s = (m - 1) / (m + 1).
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_NUMERICS_POWCOEFFICIENTS_H
#define ENSC_NUMERICS_POWCOEFFICIENTS_H

namespace ensc::numerics {

/// Tables of the f64 pow; see docs/Numerics.md.
template <typename T> struct PowCoefficients;

template <> struct PowCoefficients<double> {
  /// The mantissa m lies in [lowest, 2 * lowest).
  static constexpr double lowest = 0x1.6a09e667f3bcdp-1;
  /// ln 2 to 41 bits.
  static constexpr double ln2High = 0x1.62e42fefa4p-1;
  /// ln 2 - ln2High, rounded.
  static constexpr double ln2Low = -0x1.8432a1b0e2634p-43;
  /// 2/3, rounded.
  static constexpr double twoThirdsHigh = 0x1.5555555555555p-1;
  /// 2/3 - twoThirdsHigh, rounded.
  static constexpr double twoThirdsLow = 0x1.5555555555555p-55;
  /// T by powers of s^2, lowest first; |s| <= 0.1717; relative error of log(m)
  /// <= 2^-77.0.
  static constexpr double tail[] = {
      0x1.999999999999ap-2,  0x1.2492492492355p-2, 0x1.c71c71c74db9ep-3,
      0x1.745d1724e7cbdp-3,  0x1.3b13be71f784ap-3, 0x1.110db8f53effap-3,
      0x1.e2f5448bd40c5p-4,  0x1.93d8a79d48d8bp-4, 0x1.85cef85178a0ap-3,
      -0x1.f7fc1847b413dp-2,
  };
};

} // namespace ensc::numerics

#endif // ENSC_NUMERICS_POWCOEFFICIENTS_H
