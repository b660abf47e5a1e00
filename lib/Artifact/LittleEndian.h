//===- LittleEndian.h - Integers as files store them ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_ARTIFACT_LITTLEENDIAN_H
#define ENSC_LIB_ARTIFACT_LITTLEENDIAN_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ensc {

/// The unsigned integer of `sizeof(T)` bytes at `bytes`.
template <typename T> T loadLittleEndian(const unsigned char *bytes) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i)
    value |= static_cast<T>(static_cast<T>(bytes[i]) << (8 * i));
  return value;
}

/// Appends the `sizeof(T)` bytes of an unsigned integer.
template <typename T> void appendLittleEndian(std::string &to, T value) {
  for (size_t i = 0; i < sizeof(T); ++i)
    to += static_cast<char>((value >> (8 * i)) & 0xff);
}

} // namespace ensc

#endif // ENSC_LIB_ARTIFACT_LITTLEENDIAN_H
