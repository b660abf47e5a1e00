//===- WholeNumber.cpp - Whole numbers of command lines -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/WholeNumber.h"

#include <charconv>

using namespace ensc;

Expected<int64_t> ensc::parseWholeNumber(const std::string &what,
                                         const std::string &text, int64_t least,
                                         int64_t most) {
  int64_t value = 0;
  const char *last = text.data() + text.size();
  auto [stop, code] = std::from_chars(text.data(), last, value);
  if (code == std::errc() && stop == last && value >= least && value <= most)
    return value;
  std::string expected = "a whole number";
  // The limits of 64 bits are news for a number that is beyond them alone.
  if (most != INT64_MAX || code == std::errc::result_out_of_range)
    expected +=
        " from " + std::to_string(least) + " to " + std::to_string(most);
  else if (least != INT64_MIN)
    expected += " of " + std::to_string(least) + " or more";
  return Error(ErrorKind::InvalidArgument,
               what + " must be " + expected + ", got '" + text + "'");
}
