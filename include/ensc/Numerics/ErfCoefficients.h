//===- ErfCoefficients.h - Tables of erf ------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by tools/fit-polynomials.py: do not edit.
// Below 1 a polynomial in a^2, above it 1 - exp(-g).
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_NUMERICS_ERFCOEFFICIENTS_H
#define ENSC_NUMERICS_ERFCOEFFICIENTS_H

namespace ensc::numerics {

/// Tables of erf; see docs/Numerics.md.
template <typename T> struct ErfCoefficients;

template <> struct ErfCoefficients<float> {
  /// erf(a) / a - 1 by powers of a^2, lowest first; |a| <= 1; relative error of
  /// erf(a) <= 2^-29.4.
  static constexpr float inner[] = {
      0x1.06eba8p-3f, -0x1.81274p-2f,   0x1.ce2d4ep-4f,  -0x1.b7fe5p-6f,
      0x1.542b6ap-8f, -0x1.a4f424p-11f, 0x1.4bee6cp-14f,
  };
  /// The outer polynomial is one in u = a - outerCentre.
  static constexpr float outerCentre = 0x1.8p+0f;
  /// From here on erf(a) rounds to 1.
  static constexpr float outerEnd = 0x1p+2f;
  /// g = -log(1 - erf(a)) by powers of u, lowest first; 1 <= a <= 4; relative
  /// error of 1 - exp(-g) <= 2^-28.6.
  static constexpr float outer[] = {
      0x1.b1370ap+1f,  0x1.c12064p+1f,  0x1.c90802p-1f,   0x1.a710e2p-6f,
      -0x1.89621cp-8f, 0x1.4ab34cp-10f, -0x1.d04dcap-13f, 0x1.8fed0ap-16f,
  };
};

template <> struct ErfCoefficients<double> {
  /// erf(a) / a - 1 by powers of a^2, lowest first; |a| <= 1; relative error of
  /// erf(a) <= 2^-56.3.
  static constexpr double inner[] = {
      0x1.06eba8214db69p-3,   -0x1.812746b037ap-2,    0x1.ce2f21a043851p-4,
      -0x1.b82ce312b502ep-6,  0x1.565bcd13d7e8ep-8,   -0x1.c02db4cf32be5p-11,
      0x1.f9a33aaf6c03ep-14,  -0x1.f4d394d5a1522p-17, 0x1.b9f321d08fbe1p-20,
      -0x1.5fbc5380b8bbdp-23, 0x1.fde77b5f19348p-27,  -0x1.4aa9e9533e17dp-30,
      0x1.343c009b7442bp-34,
  };
  /// The outer polynomial is one in u = a - outerCentre.
  static constexpr double outerCentre = 0x1.8p+0;
  /// From here on erf(a) rounds to 1.
  static constexpr double outerEnd = 0x1.8p+2;
  /// g = -log(1 - erf(a)) by powers of u, lowest first; 1 <= a <= 6; relative
  /// error of 1 - exp(-g) <= 2^-59.1.
  static constexpr double outer[] = {
      0x1.b137096b18e96p+1,   0x1.c1206279e92bdp+1,   0x1.c90827462a199p-1,
      0x1.a71a4bde019d7p-6,   -0x1.89a87b49148f4p-8,  0x1.49926236854ep-10,
      -0x1.c4e86a874d4f9p-13, 0x1.790bc21643e81p-16,  0x1.63406f043f4abp-19,
      -0x1.3e3565e6e1f95p-19, 0x1.b79343d2f8996p-21,  -0x1.9da0520067cacp-23,
      0x1.de6bd80361877p-26,  0x1.30ffee71b80ddp-30,  -0x1.48b61f896d0adp-29,
      0x1.0289b229818efp-30,  -0x1.01903d829e1ddp-32, 0x1.576d39489300ap-35,
      -0x1.174788ebe5efap-38, 0x1.a132ce978aee6p-43,
  };
};

} // namespace ensc::numerics

#endif // ENSC_NUMERICS_ERFCOEFFICIENTS_H
