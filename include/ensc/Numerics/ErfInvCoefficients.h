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
  /// erf_inv(x) / x - 1 = innerTop(t) / innerBottom(t), t = 0.5625 - x^2,
  /// lowest power first; |x| <= 0.75; relative error of erf_inv(x) <= 2^-59.2.
  static constexpr double innerTop[] = {
      0x1.5a5b5f9cc7c0bp-4,  0x1.7898ff5c9d652p-5,  -0x1.ac117e39f4f1ep+0,
      -0x1.4b45a2952d602p+2, -0x1.8236c19866706p+2, -0x1.84a35ac2e8dap+1,
      -0x1.2dcc6f8c74cc7p-1, -0x1.da057eeea976cp-6,
  };
  /// The denominator of innerTop.
  static constexpr double innerBottom[] = {
      0x1p+0,
      0x1.cc9d2af40f106p+2,
      0x1.42ab6a773357ap+4,
      0x1.bd04ace2a845cp+4,
      0x1.3aa534a2ee307p+4,
      0x1.af7ad09145803p+2,
      0x1.e35a6d66222bap-1,
      0x1.18cae52f56eb4p-5,
  };
  /// erf_inv(x) - r = outerTop(r) / outerBottom(r), r = sqrt(-log(1 - x)),
  /// lowest power first; 1.177 <= r <= 6.07; relative error of erf_inv(x) <=
  /// 2^-54.5.
  static constexpr double outerTop[] = {
      -0x1.ec38b0cd2a4f5p-11, -0x1.fab51e12126dbp-1, -0x1.da89c0f9deeb6p+0,
      -0x1.5d8da92820dafp+1,  -0x1.32109f1ac3e52p+1, -0x1.ae989477c8081p-1,
      -0x1.71b3a10954f71p-4,  -0x1.2185fb04c089ap-9, -0x1.32767c13aefe7p-19,
  };
  /// The denominator of outerTop.
  static constexpr double outerBottom[] = {
      0x1p+0,
      0x1.58030f93f0faap+1,
      0x1.51532541770e5p+2,
      0x1.940954934fbd1p+2,
      0x1.66fd1f2ddbc56p+2,
      0x1.763f857d0d9fep+1,
      0x1.4ab91170d1dbfp-1,
      0x1.81084e004de6bp-5,
      0x1.96450db03a3b9p-11,
  };
};

} // namespace ensc::numerics

#endif // ENSC_NUMERICS_ERFINVCOEFFICIENTS_H
