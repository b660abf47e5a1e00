//===- MathCases.cpp - Math functions and their exact values --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathCases.h"

#include "ensc/Reference/Math.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace ensc;
using namespace ensc::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

int exactLogistic(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t round) {
  mpfr_neg(result, x, round);
  mpfr_exp(result, result, round);
  mpfr_add_ui(result, result, 1, round);
  return mpfr_ui_div(result, 1, result, round);
}

/// 1 / sqrt(-0) is -infinity, by two roundings; MPFR's function says +infinity.
int exactRsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t round) {
  mpfr_sqrt(result, x, round);
  return mpfr_ui_div(result, 1, result, round);
}

/// Newton's method on erf, or rather erfc, which keeps its bits near 1.
int exactErfInv(mpfr_ptr result, mpfr_srcptr y, mpfr_rnd_t round) {
  if (!mpfr_number_p(y) || mpfr_zero_p(y) || mpfr_cmpabs_ui(y, 1) >= 0) {
    if (mpfr_zero_p(y))
      return mpfr_set(result, y, round);
    bool pole = mpfr_number_p(y) && mpfr_cmpabs_ui(y, 1) == 0;
    if (pole)
      mpfr_set_inf(result, mpfr_sgn(y));
    else
      mpfr_set_nan(result);
    return 0;
  }
  mpfr_prec_t precision = mpfr_get_prec(result) + 64;
  mpfr_t z, error, slope;
  mpfr_inits2(precision, z, error, slope, mpfr_ptr(nullptr));
  mpfr_set_d(z, reference::erfInv(mpfr_get_d(y, round)), round);
  for (int step = 0; step < 3; ++step) {
    mpfr_erf(error, z, round);
    mpfr_sub(error, error, y, round);
    mpfr_sqr(slope, z, round);
    mpfr_exp(slope, slope, round);
    mpfr_mul(error, error, slope, round);
    mpfr_const_pi(slope, round);
    mpfr_sqrt(slope, slope, round);
    mpfr_mul(error, error, slope, round);
    mpfr_div_2ui(error, error, 1, round);
    mpfr_sub(z, z, error, round);
  }
  mpfr_set(result, z, round);
  mpfr_clears(z, error, slope, mpfr_ptr(nullptr));
  return 0;
}

int exactFloor(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t) {
  return mpfr_floor(result, x);
}

double closeLogistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double closeRsqrt(double x) { return 1.0 / std::sqrt(x); }
double closeErfInv(double y) {
  double z = reference::erfInv(y);
  if (!std::isfinite(z) || z == 0.0)
    return z;
  long double slope = 2.0L / sqrtl(acosl(-1.0L)) * expl(-(long double)(z)*z);
  return z - double((erfl(z) - y) / slope);
}

} // namespace

#define ENSC_FUNCTION(name) #name, reference::name, reference::name

const std::vector<MathCase> &test::mathCases() {
  static const std::vector<MathCase> cases = {
      {ENSC_FUNCTION(exp), mpfr_exp, std::exp, 1, 4, infinity, infinity},
      {ENSC_FUNCTION(expm1), mpfr_expm1, std::expm1, 2, 4, infinity, infinity},
      {ENSC_FUNCTION(log), mpfr_log, std::log, 1.5, 4, infinity, infinity},
      {ENSC_FUNCTION(log1p), mpfr_log1p, std::log1p, 2, 4, infinity, infinity},
      {ENSC_FUNCTION(sqrt), mpfr_sqrt, std::sqrt, 0.5, 0.5, infinity, infinity},
      {ENSC_FUNCTION(rsqrt), exactRsqrt, closeRsqrt, 1.5, 1.5, infinity,
       infinity},
      {ENSC_FUNCTION(tanh), mpfr_tanh, std::tanh, 2, 4, infinity, infinity},
      {ENSC_FUNCTION(logistic), exactLogistic, closeLogistic, 2, 4, infinity,
       infinity},
      {ENSC_FUNCTION(erf), mpfr_erf, std::erf, 2, 4, infinity, infinity},
      {ENSC_FUNCTION(erfInv), exactErfInv, closeErfInv, 1, 4, infinity,
       infinity},
      {ENSC_FUNCTION(sin), mpfr_sin, std::sin, 2, 4, 0x1p17, 0x1p40},
      {ENSC_FUNCTION(cos), mpfr_cos, std::cos, 2, 4, 0x1p17, 0x1p40},
      {ENSC_FUNCTION(floor), exactFloor, std::floor, 0, 0, infinity, infinity},
  };
  return cases;
}

#undef ENSC_FUNCTION

template <typename T> static double ulpErrorOf(T result, mpfr_srcptr exact) {
  using Format = numerics::FloatFormat<T>;
  if (mpfr_nan_p(exact))
    return reference::bitsOf(result) == Format::canonicalNaN ? 0.0 : infinity;
  if (result != result)
    return infinity;
  if (mpfr_inf_p(exact))
    return result == T(mpfr_get_d(exact, MPFR_RNDN)) ? 0.0 : infinity;
  if (std::signbit(result) != (mpfr_signbit(exact) != 0))
    return infinity;
  if (mpfr_zero_p(exact))
    return result == T(0) ? 0.0 : infinity;
  mpfr_exp_t exponent = mpfr_get_exp(exact) - 1;
  if (std::isinf(result) && exponent > Format::bias)
    return 0.0;
  exponent = std::max<mpfr_exp_t>(exponent, 1 - Format::bias);
  mpfr_t error;
  mpfr_init2(error, mpfr_get_prec(exact));
  // An overflow counts as the first number beyond the format.
  if (std::isinf(result))
    mpfr_set_si_2exp(error, result > 0 ? 1 : -1, Format::bias + 1, MPFR_RNDN);
  else
    mpfr_set_d(error, result, MPFR_RNDN);
  mpfr_sub(error, error, exact, MPFR_RNDN);
  mpfr_mul_2si(error, error, Format::mantissaBits - exponent, MPFR_RNDN);
  double ulps = std::fabs(mpfr_get_d(error, MPFR_RNDN));
  mpfr_clear(error);
  return ulps;
}

double test::ulpError(float result, mpfr_srcptr exact) {
  return ulpErrorOf(result, exact);
}

double test::ulpError(double result, mpfr_srcptr exact) {
  return ulpErrorOf(result, exact);
}

/// The error of `result` against a close value in double.
static double quickError(float result, double close) {
  using Format = numerics::FloatFormat<float>;
  if (close != close)
    return reference::bitsOf(result) == Format::canonicalNaN ? 0.0 : infinity;
  if (result != result || std::signbit(result) != std::signbit(close))
    return infinity;
  if (std::isinf(close) || close == 0.0)
    return result == static_cast<float>(close) ? 0.0 : infinity;
  int exponent = std::max<int>(std::ilogb(close), 1 - Format::bias);
  if (std::isinf(result) && exponent > Format::bias)
    return 0.0;
  double value = std::isinf(result) ? std::copysign(0x1p128, close) : result;
  double ulps = (value - close) * std::ldexp(1.0, 23 - exponent);
  return std::fabs(ulps);
}

namespace {

template <typename T> constexpr int digits = std::numeric_limits<T>::digits;
constexpr mpfr_prec_t exactPrecision = 160;

template <typename T>
double preciseError(const MathCase &function, T x, T result) {
  mpfr_t argument, exact;
  mpfr_init2(argument, digits<T>);
  mpfr_init2(exact, exactPrecision);
  mpfr_set_d(argument, x, MPFR_RNDN);
  function.exact(exact, argument, MPFR_RNDN);
  double ulps = ulpErrorOf(result, exact);
  mpfr_clears(argument, exact, mpfr_ptr(nullptr));
  return ulps;
}

template <typename T> double powError(T x, T y) {
  mpfr_t base, exponent, exact;
  mpfr_inits2(digits<T>, base, exponent, mpfr_ptr(nullptr));
  mpfr_init2(exact, exactPrecision);
  mpfr_set_d(base, x, MPFR_RNDN);
  mpfr_set_d(exponent, y, MPFR_RNDN);
  mpfr_pow(exact, base, exponent, MPFR_RNDN);
  double ulps = ulpErrorOf(reference::pow(x, y), exact);
  mpfr_clears(base, exponent, exact, mpfr_ptr(nullptr));
  return ulps;
}

} // namespace

double test::errorAt(const MathCase &function, float x) {
  return preciseError(function, x, function.inFloat(x));
}

double test::errorAt(const MathCase &function, double x) {
  return preciseError(function, x, function.inDouble(x));
}

double test::quickErrorAt(const MathCase &function, float x) {
  double ulps = quickError(function.inFloat(x), function.close(x));
  // The double may be wrong in its last bits.
  bool isClear = ulps == 0.0 || ulps < function.ulpInFloat - 1e-6;
  return isClear ? ulps : errorAt(function, x);
}

double test::powErrorAt(float x, float y) { return powError(x, y); }
double test::powErrorAt(double x, double y) { return powError(x, y); }
