//===- NumberRange.h - What a number may be ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_NUMBERRANGE_H
#define ENSC_RUNTIME_NUMBERRANGE_H

#include <optional>
#include <string>

namespace ensc {

/// The values that a hyper-parameter may take: all numbers where no bound is
/// given.
struct NumberRange {
  std::optional<double> atLeast, above, atMost, below;

  bool isBounded() const { return atLeast || above || atMost || below; }

  /// Whether a value fulfills all bounds; NaN fulfills none.
  bool contains(double value) const;

  /// "at least 0 and below 1"; empty without bounds.
  std::string describe() const;
};

/// A bound by the name that it has in attributes and in JSON.
struct RangeBound {
  const char *name;
  std::optional<double> NumberRange::*value;
};

inline constexpr RangeBound rangeBounds[] = {
    {"at_least", &NumberRange::atLeast},
    {"above", &NumberRange::above},
    {"at_most", &NumberRange::atMost},
    {"below", &NumberRange::below}};

/// A number as it is usually written: "0.5", "1e-08".
std::string formatShort(double value);

} // namespace ensc

#endif // ENSC_RUNTIME_NUMBERRANGE_H
