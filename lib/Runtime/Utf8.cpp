//===- Utf8.cpp - Characters of a text ------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Utf8.h"

using namespace ensc;

Character ensc::decodeCharacter(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0);
  if (first < 0x80)
    return {1, first, true};
  size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size)
    return {};
  uint32_t code = first & (0x7F >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80)
      return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  static constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[size] || code > 0x10FFFF ||
      (code >= 0xD800 && code <= 0xDFFF))
    return {};
  return {size, code, true};
}

bool ensc::isShown(const Character &character) {
  uint32_t code = character.code;
  bool isHarmful = code < 0x20 || (code >= 0x7F && code < 0xA0) ||
                   code == 0x061C || (code >= 0x200B && code <= 0x200F) ||
                   (code >= 0x2028 && code <= 0x202E) ||
                   (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
                   (code >= 0xFFF9 && code <= 0xFFFB) || code >= 0xE0000;
  return character.valid && !isHarmful;
}
