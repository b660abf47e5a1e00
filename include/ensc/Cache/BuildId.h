//===- BuildId.h - The identity of code in this process ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_CACHE_BUILDID_H
#define ENSC_CACHE_BUILDID_H

#include <optional>
#include <string>

namespace ensc {

/// The build id of the executable or shared library that holds the code or data
/// at `address`, in hexadecimal: a hash of all of its content, which linkers
/// write for --build-id. Nothing if it has none, or holds no such address.
std::optional<std::string> buildIdOf(const void *address);

} // namespace ensc

#endif // ENSC_CACHE_BUILDID_H
