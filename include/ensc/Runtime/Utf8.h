//===- Utf8.h - Characters of a text ----------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_UTF8_H
#define ENSC_RUNTIME_UTF8_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ensc {

/// A character at the front of a text: its bytes and code, or one bad byte.
struct Character {
  size_t size = 1;
  uint32_t code = 0xFFFD;
  bool valid = false;
};

/// The first character of a text that is not empty.
Character decodeCharacter(std::string_view text);

/// Whether a terminal shows a character: it acts on control characters and on
/// marks that change the direction of writing, and bytes that are no UTF-8 are
/// no characters.
bool isShown(const Character &character);

} // namespace ensc

#endif // ENSC_RUNTIME_UTF8_H
