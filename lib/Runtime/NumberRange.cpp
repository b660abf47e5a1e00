//===- NumberRange.cpp - What a number may be -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/NumberRange.h"

#include <charconv>

using namespace ensc;

std::string ensc::formatShort(double value) {
  char buffer[32];
  auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, end);
}

bool NumberRange::contains(double value) const {
  // Written so that NaN fails each comparison.
  return (!atLeast || value >= *atLeast) && (!above || value > *above) &&
         (!atMost || value <= *atMost) && (!below || value < *below);
}

std::string NumberRange::describe() const {
  std::string text;
  auto add = [&](const char *what, const std::optional<double> &bound) {
    if (!bound)
      return;
    text += text.empty() ? "" : " and ";
    text += what + formatShort(*bound);
  };
  add("at least ", atLeast);
  add("above ", above);
  add("at most ", atMost);
  add("below ", below);
  return text;
}
