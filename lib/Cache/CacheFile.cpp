//===- CacheFile.cpp - A compiled program as bytes ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheFile.h"

#include <cstring>

using namespace ensc;

namespace {
/// Ends in the version of the format. A file is read where it was written, so
/// numbers are in the order of bytes of the CPU.
constexpr std::string_view magic = "ensc program 1\n";
constexpr size_t hashDigits = 32;

void append(std::string &bytes, std::string_view part) {
  uint64_t size = part.size();
  bytes.append(reinterpret_cast<const char *>(&size), sizeof(size));
  bytes += part;
}

/// Takes `size` bytes from the front; nothing if there are fewer.
std::optional<std::string_view> take(std::string_view &bytes, uint64_t size) {
  if (size > bytes.size())
    return std::nullopt;
  std::string_view front = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return front;
}

/// Takes what append() wrote.
std::optional<std::string_view> takePart(std::string_view &bytes) {
  uint64_t size = 0;
  std::optional<std::string_view> number = take(bytes, sizeof(size));
  if (!number)
    return std::nullopt;
  std::memcpy(&size, number->data(), sizeof(size));
  return take(bytes, size);
}
} // namespace

std::string ensc::hashToHex(std::string_view bytes) {
  // FNV-1a.
  using Word = unsigned __int128;
  constexpr Word prime = (Word(1) << 88) + 0x13b;
  Word hash = (Word(0x6c62272e07bb0142) << 64) + 0x62b821756295c58d;
  for (char c : bytes)
    hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  std::string text;
  for (size_t digit = hashDigits; digit-- > 0;)
    text += "0123456789abcdef"[static_cast<size_t>(hash >> (4 * digit)) & 15];
  return text;
}

std::string ensc::encodeCacheFile(std::string_view key,
                                  const CachedProgram &program) {
  std::string body;
  append(body, key);
  append(body, program.manifest);
  for (const std::string &object : program.objects)
    append(body, object);
  return std::string(magic) + hashToHex(body) + body;
}

std::optional<CachedProgram> ensc::decodeCacheFile(std::string_view bytes,
                                                   std::string_view key) {
  if (take(bytes, magic.size()) != magic)
    return std::nullopt;
  std::optional<std::string_view> checksum = take(bytes, hashDigits);
  if (!checksum || *checksum != hashToHex(bytes))
    return std::nullopt;
  // The checksum says nothing about the key: two keys may have one hash.
  if (takePart(bytes) != key)
    return std::nullopt;
  std::optional<std::string_view> manifest = takePart(bytes);
  if (!manifest)
    return std::nullopt;
  CachedProgram program{std::string(*manifest), {}};
  while (!bytes.empty()) {
    std::optional<std::string_view> object = takePart(bytes);
    if (!object)
      return std::nullopt;
    program.objects.emplace_back(*object);
  }
  return program;
}
