//===- MathCases.h - Math functions and their exact values ------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of one argument in docs/Numerics.md: both formats, the value
// that MPFR calculates, and the promised bound on the error.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_NUMERICS_MATHCASES_H
#define ENSC_TEST_UNIT_NUMERICS_MATHCASES_H

#include <vector>

#include <mpfr.h>

namespace ensc::test {

struct MathCase {
  const char *name;
  float (*inFloat)(float);
  double (*inDouble)(double);
  /// The value for MPFR's argument, to MPFR's precision.
  int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  /// The value to far more bits than a float holds, for full sweeps.
  double (*close)(double);
  /// Largest error promised, in units in the last place.
  double ulpInFloat;
  double ulpInDouble;
  /// The promise holds for arguments up to this magnitude.
  double rangeInFloat;
  double rangeInDouble;
};

const std::vector<MathCase> &mathCases();

/// The error of `result` in units in the last place of the exact value, or
/// infinity where a special value (NaN, infinity, signed zero) is missed.
double ulpError(float result, mpfr_srcptr exact);
double ulpError(double result, mpfr_srcptr exact);

/// The error of a function at x against MPFR.
double errorAt(const MathCase &function, float x);
double errorAt(const MathCase &function, double x);

/// The same, against `close` where that leaves no doubt about the bound.
double quickErrorAt(const MathCase &function, float x);

/// The error of pow at (x, y) against MPFR, whose special cases are those of C.
double powErrorAt(float x, float y);
double powErrorAt(double x, double y);

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_NUMERICS_MATHCASES_H
