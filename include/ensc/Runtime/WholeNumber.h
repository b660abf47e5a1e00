//===- WholeNumber.h - Whole numbers of command lines -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_WHOLENUMBER_H
#define ENSC_RUNTIME_WHOLENUMBER_H

#include "ensc/API/Error.h"

#include <cstdint>
#include <string>

namespace ensc {

/// The decimal number that `text` is, from `least` to `most`. The error calls
/// it `what`, as in "--runs must be a whole number of 1 or more, got 'x'".
Expected<int64_t> parseWholeNumber(const std::string &what,
                                   const std::string &text,
                                   int64_t least = INT64_MIN,
                                   int64_t most = INT64_MAX);

} // namespace ensc

#endif // ENSC_RUNTIME_WHOLENUMBER_H
