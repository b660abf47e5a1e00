//===- TrigCoefficients.h - Tables of sin and cos ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by tools/fit-polynomials.py: do not edit.
// pi / 2 is the sum of three parts.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_NUMERICS_TRIGCOEFFICIENTS_H
#define ENSC_NUMERICS_TRIGCOEFFICIENTS_H

namespace ensc::numerics {

/// Tables of sin and cos; see docs/Numerics.md.
template <typename T> struct TrigCoefficients;

template <> struct TrigCoefficients<float> {
  /// Above it in magnitude the argument counts as 0.
  static constexpr float most = 0x1p+22f;
  /// 2 / pi, rounded.
  static constexpr float twoOverPi = 0x1.45f306p-1f;
  /// What is left of pi / 2, rounded.
  static constexpr float piHalfHigh = 0x1.921fb6p+0f;
  /// What is left of pi / 2, rounded.
  static constexpr float piHalfMiddle = -0x1.777a5cp-25f;
  /// What is left of pi / 2, rounded.
  static constexpr float piHalfLow = -0x1.ee59dap-50f;
  /// (sin(r) - r) / r^3 by powers of r^2, lowest first; |r| <= 0.789; relative
  /// error of sin(r) <= 2^-32.3.
  static constexpr float sinTail[] = {
      -0x1.555556p-3f,
      0x1.111166p-7f,
      -0x1.a04a46p-13f,
      0x1.784d74p-19f,
  };
  /// (cos(r) - 1 + r^2 / 2) / r^4 by powers of r^2, lowest first; |r| <= 0.789;
  /// relative error of cos(r) <= 2^-32.9.
  static constexpr float cosTail[] = {
      0x1.55554ap-5f,
      -0x1.6c0c22p-10f,
      0x1.99e514p-16f,
  };
};

template <> struct TrigCoefficients<double> {
  /// Above it in magnitude the argument counts as 0.
  static constexpr double most = 0x1p+50;
  /// 2 / pi, rounded.
  static constexpr double twoOverPi = 0x1.45f306dc9c883p-1;
  /// What is left of pi / 2, rounded.
  static constexpr double piHalfHigh = 0x1.921fb54442d18p+0;
  /// What is left of pi / 2, rounded.
  static constexpr double piHalfMiddle = 0x1.1a62633145c07p-54;
  /// What is left of pi / 2, rounded.
  static constexpr double piHalfLow = -0x1.f1976b7ed8fbcp-110;
  /// (sin(r) - r) / r^3 by powers of r^2, lowest first; |r| <= 0.789; relative
  /// error of sin(r) <= 2^-62.9.
  static constexpr double sinTail[] = {
      -0x1.5555555555555p-3,  0x1.1111111111087p-7,   -0x1.a01a01a005f4dp-13,
      0x1.71de3a3eee46ep-19,  -0x1.ae643bd31e229p-26, 0x1.6113ce1f1e928p-33,
      -0x1.a4fbee7512129p-41,
  };
  /// (cos(r) - 1 + r^2 / 2) / r^4 by powers of r^2, lowest first; |r| <= 0.789;
  /// relative error of cos(r) <= 2^-68.6.
  static constexpr double cosTail[] = {
      0x1.5555555555555p-5,   -0x1.6c16c16c16b48p-10, 0x1.a01a01a001d2bp-16,
      -0x1.27e4fb60b4cefp-22, 0x1.1eed779eb96b2p-29,  -0x1.937dfc47352b2p-37,
      0x1.a22498450d753p-45,
  };
};

} // namespace ensc::numerics

#endif // ENSC_NUMERICS_TRIGCOEFFICIENTS_H
