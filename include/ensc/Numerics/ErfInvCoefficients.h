//===- ErfInvCoefficients.h - Tables of erf_inv -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by tools/fit-polynomials.py: do not edit.
// Only f64: the f32 function rounds the f64 one.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_NUMERICS_ERFINVCOEFFICIENTS_H
#define ENSC_NUMERICS_ERFINVCOEFFICIENTS_H

namespace ensc::numerics {

/// Tables of erf_inv; see docs/Numerics.md.
template <typename T> struct ErfInvCoefficients;

template <> struct ErfInvCoefficients<double> {
  /// Up to it in magnitude the inner function counts.
  static constexpr double split = 0x1.bp-1;
  /// split * split, exact.
  static constexpr double splitSquare = 0x1.6c8p-1;
  /// erf_inv(x) / x - 1 = innerTop(t) / innerBottom(t), t = splitSquare - x^2,
  /// lowest power first; |x| <= split; relative error of erf_inv(x) <= 2^-56.3.
  static constexpr double innerTop[] = {
      0x1.8168ecc6b998fp-3,  0x1.61d771ba0dc4p+0,   0x1.e9fcac6f2c185p+0,
      -0x1.0c1ab43430827p+3, -0x1.f0cbcc815e429p+4, -0x1.33e78e4b753e3p+5,
      -0x1.4347857180d14p+4, -0x1.01eb2a792b32p+2,  -0x1.97c3a3eca70aep-3,
  };
  /// The denominator of innerTop.
  static constexpr double innerBottom[] = {
      0x1p+0,
      0x1.7e4b2db910b1fp+3,
      0x1.c7fca1a63a398p+5,
      0x1.15ec5d2e9bd5ap+7,
      0x1.703ab51e1fbd3p+7,
      0x1.04f07797b291ap+7,
      0x1.6c02dab2021e7p+5,
      0x1.9e2821d6eade4p+2,
      0x1.e2b376ffb2457p-3,
  };
  /// erf_inv(x) - r = outerTop(r) / outerBottom(r), r = sqrt(-log(1 - x)),
  /// lowest power first; 1.3624 <= r <= 6.07; relative error of erf_inv(x) <=
  /// 2^-55.3.
  static constexpr double outerTop[] = {
      -0x1.74ab55251646p-11, -0x1.fba8a3f69ad8dp-1,  -0x1.908ec4011199ap+0,
      -0x1.2f4635c6248b2p+1, -0x1.ca26964f5317p+0,   -0x1.0370e1dfcfc17p-1,
      -0x1.890ec70bc51e9p-5, -0x1.2212706acceafp-10, -0x1.2a38bc2f3c7ecp-20,
  };
  /// The denominator of outerTop.
  static constexpr double outerBottom[] = {
      0x1p+0,
      0x1.33cc4aa310a9fp+1,
      0x1.29af40caff9f6p+2,
      0x1.4979059d6a667p+2,
      0x1.1c6eb9e0d33eep+2,
      0x1.f8e4d626214bdp+0,
      0x1.7c09db41125f1p-2,
      0x1.925afcda79ef3p-6,
      0x1.94b7e3de07108p-12,
  };
};

} // namespace ensc::numerics

#endif // ENSC_NUMERICS_ERFINVCOEFFICIENTS_H
