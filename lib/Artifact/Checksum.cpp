//===- Checksum.cpp - Short names for bytes -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/Checksum.h"

#include "ensc/Artifact/InputFile.h"

#include <algorithm>
#include <array>
#include <vector>
#include <zlib.h>

using namespace ensc;

uint32_t ensc::crc32Of(const void *bytes, size_t size, uint32_t previous) {
  return static_cast<uint32_t>(
      ::crc32_z(previous, static_cast<const Bytef *>(bytes), size));
}

Expected<uint32_t> ensc::crc32OfFile(const std::string &path) {
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  std::vector<char> buffer(size_t(1) << 20);
  uint32_t checksum = 0;
  for (uint64_t begin = 0; begin < (*file)->size();) {
    size_t count = std::min<uint64_t>(buffer.size(), (*file)->size() - begin);
    if (Status status = (*file)->readAt(begin, buffer.data(), count); !status)
      return status.error().inContext(path);
    checksum = crc32Of(buffer.data(), count, checksum);
    begin += count;
  }
  return checksum;
}

//===----------------------------------------------------------------------===//
// CRC-32C
//===----------------------------------------------------------------------===//

static constexpr std::array<uint32_t, 256> makeCastagnoliTable() {
  std::array<uint32_t, 256> table = {};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit)
      value = (value >> 1) ^ (value & 1 ? 0x82f63b78u : 0);
    table[byte] = value;
  }
  return table;
}

uint32_t ensc::crc32cOf(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> table = makeCastagnoliTable();
  uint32_t checksum = ~0u;
  for (char c : bytes)
    checksum =
        (checksum >> 8) ^ table[(checksum ^ static_cast<uint8_t>(c)) & 0xff];
  return ~checksum;
}

//===----------------------------------------------------------------------===//
// SHA-256
//===----------------------------------------------------------------------===//

namespace {
/// FIPS 180-4. The constants are the first bits of the fractional parts of
/// roots of primes.
constexpr uint32_t roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t rotate(uint32_t value, int bits) {
  return (value >> bits) | (value << (32 - bits));
}

void addBlock(std::array<uint32_t, 8> &state, const uint8_t *block) {
  uint32_t words[64];
  for (int i = 0; i < 16; ++i)
    words[i] = uint32_t(block[4 * i]) << 24 | uint32_t(block[4 * i + 1]) << 16 |
               uint32_t(block[4 * i + 2]) << 8 | uint32_t(block[4 * i + 3]);
  for (int i = 16; i < 64; ++i) {
    uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] +
               (rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3)) +
               (rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10));
  }
  std::array<uint32_t, 8> s = state;
  for (int i = 0; i < 64; ++i) {
    uint32_t first = s[7] + roundConstants[i] + words[i] +
                     (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                     ((s[4] & s[5]) ^ (~s[4] & s[6]));
    uint32_t second = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
                      ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    std::copy_backward(s.begin(), s.end() - 1, s.end());
    s[4] += first;
    s[0] = first + second;
  }
  for (int i = 0; i < 8; ++i)
    state[i] += s[i];
}
} // namespace

std::string ensc::sha256Of(std::string_view bytes) {
  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                   0xa54ff53a, 0x510e527f, 0x9b05688c,
                                   0x1f83d9ab, 0x5be0cd19};
  auto block = [&](size_t begin, const std::string_view &text) {
    addBlock(state, reinterpret_cast<const uint8_t *>(text.data()) + begin);
  };
  size_t whole = bytes.size() / 64 * 64;
  for (size_t begin = 0; begin < whole; begin += 64)
    block(begin, bytes);
  // A one bit, zeros, and the number of bits fill the last block.
  std::string tail(bytes.substr(whole));
  tail += '\x80';
  tail.append((120 - tail.size() % 64) % 64, '\0');
  for (int shift = 56; shift >= 0; shift -= 8)
    tail += static_cast<char>(uint64_t(bytes.size()) * 8 >> shift);
  for (size_t begin = 0; begin < tail.size(); begin += 64)
    block(begin, tail);
  std::string text;
  for (uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4)
      text += "0123456789abcdef"[word >> shift & 15];
  return text;
}
