//===- Philox.cpp - The random numbers of the interpreter -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Philox.h"

#include "ensc/Numerics/Philox.h"

using namespace ensc;
using namespace ensc::reference;
using Constants = ensc::numerics::PhiloxConstants;

static uint32_t lowHalf(int64_t value) {
  return static_cast<uint32_t>(static_cast<uint64_t>(value));
}

static uint32_t highHalf(int64_t value) {
  return static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32);
}

PhiloxCounter reference::philox(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < Constants::rounds; ++round) {
    uint64_t first = uint64_t(Constants::multiplier[0]) * counter[0];
    uint64_t second = uint64_t(Constants::multiplier[1]) * counter[2];
    counter = {static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(second),
               static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(first)};
    key[0] += Constants::weyl[0];
    key[1] += Constants::weyl[1];
  }
  return counter;
}

uint32_t PhiloxStream::word(int64_t element) {
  uint64_t word = static_cast<uint64_t>(element);
  auto index = static_cast<uint32_t>(word / 4);
  if (index_ != index) {
    index_ = index;
    block_ = philox({index, site_, lowHalf(step_), highHalf(step_)},
                    {lowHalf(seed_), highHalf(seed_)});
  }
  return block_[word % 4];
}

int64_t PhiloxStream::doubleWord(int64_t element) {
  // Element numbers wrap, as all integers do.
  uint64_t first = 2 * static_cast<uint64_t>(element);
  uint64_t low = word(static_cast<int64_t>(first));
  uint64_t high = word(static_cast<int64_t>(first + 1));
  return static_cast<int64_t>(low | high << 32);
}

float reference::uniformFromBits(uint32_t bits) {
  return (static_cast<float>(bits >> 9) + 0.5f) * 0x1p-23f;
}

double reference::uniformFromBits(uint64_t bits) {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}
