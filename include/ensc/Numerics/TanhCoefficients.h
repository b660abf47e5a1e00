//===- TanhCoefficients.h - Range of tanh -----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by tools/fit-polynomials.py: do not edit.
// Its polynomial is that of exp.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_NUMERICS_TANHCOEFFICIENTS_H
#define ENSC_NUMERICS_TANHCOEFFICIENTS_H

namespace ensc::numerics {

/// Range of tanh; see docs/Numerics.md.
template <typename T> struct TanhCoefficients;

template <> struct TanhCoefficients<float> {
  /// At and above it tanh rounds to 1.
  static constexpr float most = 0x1.4p+3f;
};

template <> struct TanhCoefficients<double> {
  /// At and above it tanh rounds to 1.
  static constexpr double most = 0x1.4p+4;
};

} // namespace ensc::numerics

#endif // ENSC_NUMERICS_TANHCOEFFICIENTS_H
