//===- TanhCoefficients.h - Tables of tanh ----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by tools/fit-polynomials.py: do not edit.
// Below `split` a polynomial, above it 1 - 2 / (exp(2 a) + 1).
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_NUMERICS_TANHCOEFFICIENTS_H
#define ENSC_NUMERICS_TANHCOEFFICIENTS_H

namespace ensc::numerics {

/// Tables of tanh; see docs/Numerics.md.
template <typename T> struct TanhCoefficients;

template <> struct TanhCoefficients<float> {
  /// Below it in magnitude the polynomial counts.
  static constexpr float split = 0x1.2p-1f;
  /// At and above it tanh rounds to 1.
  static constexpr float most = 0x1.4p+3f;
  /// (tanh(a) - a) / a^3 by powers of a^2, lowest first; |a| <= split; relative
  /// error of tanh(a) <= 2^-29.4.
  static constexpr float inner[] = {
      -0x1.55554ap-2f, 0x1.110cccp-3f, -0x1.b91546p-5f,
      0x1.588366p-6f,  -0x1.969a8p-8f,
  };
};

template <> struct TanhCoefficients<double> {
  /// Below it in magnitude the polynomial counts.
  static constexpr double split = 0x1.2p-1;
  /// At and above it tanh rounds to 1.
  static constexpr double most = 0x1.4p+4;
  /// (tanh(a) - a) / a^3 by powers of a^2, lowest first; |a| <= split; relative
  /// error of tanh(a) <= 2^-59.8.
  static constexpr double inner[] = {
      -0x1.555555555554dp-2,  0x1.1111111110471p-3,   -0x1.ba1ba1b94aa6ap-5,
      0x1.664f484d484dfp-6,   -0x1.226e2d725ad04p-7,  0x1.d6d2571b0b002p-9,
      -0x1.7d8c477b8be66p-10, 0x1.3465c9dab2dadp-11,  -0x1.e8398a4fd1a27p-13,
      0x1.59ec8def6a11ep-14,  -0x1.3e3afdeb0941cp-16,
  };
};

} // namespace ensc::numerics

#endif // ENSC_NUMERICS_TANHCOEFFICIENTS_H
