//===- MathBasic.cpp - Roots, rounding, maxima ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathDetail.h"

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::reference::detail;

namespace {

template <typename T> T sqrtOf(T x) { return canonicalize(std::sqrt(x)); }
template <typename T> T rsqrtOf(T x) {
  return canonicalize(T(1) / std::sqrt(x));
}
template <typename T> T floorOf(T x) { return canonicalize(std::floor(x)); }

template <typename T> T maximumOf(T a, T b) {
  if (a != a || b != b)
    return canonicalNaN<T>();
  if (a == b) // Only zeros can differ in bits: +0 where either is.
    return fromBits<T>(bitsOf(a) & bitsOf(b));
  return a > b ? a : b;
}

template <typename T> T minimumOf(T a, T b) {
  if (a != a || b != b)
    return canonicalNaN<T>();
  if (a == b) // Only zeros can differ in bits: -0 where either is.
    return fromBits<T>(bitsOf(a) | bitsOf(b));
  return a < b ? a : b;
}

} // namespace

float reference::sqrt(float x) { return sqrtOf(x); }
double reference::sqrt(double x) { return sqrtOf(x); }
float reference::rsqrt(float x) { return rsqrtOf(x); }
double reference::rsqrt(double x) { return rsqrtOf(x); }
float reference::floor(float x) { return floorOf(x); }
double reference::floor(double x) { return floorOf(x); }
float reference::maximum(float a, float b) { return maximumOf(a, b); }
double reference::maximum(double a, double b) { return maximumOf(a, b); }
float reference::minimum(float a, float b) { return minimumOf(a, b); }
double reference::minimum(double a, double b) { return minimumOf(a, b); }
