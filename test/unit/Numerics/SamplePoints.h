//===- SamplePoints.h - Arguments worth a test ------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_NUMERICS_SAMPLEPOINTS_H
#define ENSC_TEST_UNIT_NUMERICS_SAMPLEPOINTS_H

#include "ensc/Numerics/ErfCoefficients.h"
#include "ensc/Numerics/ExpCoefficients.h"
#include "ensc/Numerics/LogCoefficients.h"
#include "ensc/Numerics/TanhCoefficients.h"
#include "ensc/Reference/Math.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace ensc::test {

/// Special values, and the neighbours of points where an algorithm branches.
template <typename T> std::vector<T> delicatePoints() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> centres = {T(0),
                            Limits::denorm_min(),
                            Limits::min(),
                            Limits::max(),
                            T(0.25),
                            T(0.5),
                            T(0.84375),
                            T(1),
                            T(2),
                            T(0.7853981633974483),
                            T(1.5707963267948966),
                            T(3.141592653589793),
                            numerics::ExpCoefficients<T>::least,
                            numerics::ExpCoefficients<T>::leastExpm1,
                            numerics::ExpCoefficients<T>::most,
                            numerics::ExpCoefficients<T>::tiny,
                            numerics::LogCoefficients<T>::lowest,
                            numerics::TanhCoefficients<T>::most,
                            numerics::ErfCoefficients<T>::outerEnd};
  std::vector<T> points = {Limits::infinity(), -Limits::infinity(),
                           Limits::quiet_NaN(), -Limits::quiet_NaN(),
                           Limits::signaling_NaN()};
  for (T centre : centres) {
    T below = centre, above = centre;
    for (int step = 0; step < 4; ++step) {
      points.insert(points.end(), {below, -below, above, -above});
      below = std::nextafter(below, -Limits::infinity());
      above = std::nextafter(above, Limits::infinity());
    }
  }
  return points;
}

/// Random bit patterns, and random values of everyday magnitudes.
inline std::vector<double> randomDoubles(int count, uint64_t seed = 20) {
  std::mt19937_64 engine(seed);
  std::vector<double> points;
  for (int i = 0; i < count; ++i) {
    points.push_back(reference::fromBits<double>(engine()));
    for (double scale : {1.0, 8.0, 800.0})
      points.push_back(
          std::uniform_real_distribution<double>(-scale, scale)(engine));
  }
  return points;
}

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_NUMERICS_SAMPLEPOINTS_H
