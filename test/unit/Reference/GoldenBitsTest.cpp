//===- GoldenBitsTest.cpp - The bits of the math functions ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The results of the math functions are part of the language: a checkpoint, a
// published run and another machine rely on them. This test holds a hash of
// each function's results over a fixed sample. It fails when a coefficient or a
// step of an algorithm changes, also by less than any bound on errors notices;
// after a change on purpose, the hashes that it prints are the new ones.
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Math.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <vector>

using namespace ensc;
using namespace ensc::reference;

namespace {

/// A hash that takes in one number after the other (FNV-1a on whole words).
class Hash {
public:
  template <typename T> void add(T value) {
    state_ = (state_ ^ bitsOf(value)) * 0x100000001b3;
  }
  uint64_t value() const { return state_; }

private:
  uint64_t state_ = 0xcbf29ce484222325;
};

/// Well mixed words (Steele, Lea and Flood 2014, SplitMix64).
class Words {
public:
  uint64_t next() {
    uint64_t word = state_ += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
  }

private:
  uint64_t state_ = 0;
};

/// Every 4099th bit pattern: 2046 in each binade, both signs, infinities and
/// NaNs included.
const std::vector<float> &floatSample() {
  static const std::vector<float> sample = [] {
    std::vector<float> values;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 4099)
      values.push_back(fromBits<float>(static_cast<uint32_t>(bits)));
    return values;
  }();
  return sample;
}

/// Random patterns of all exponents, and three times as many with exponents
/// from -62 to 11, where the functions do something.
const std::vector<double> &doubleSample() {
  static const std::vector<double> sample = [] {
    Words words;
    std::vector<double> values;
    for (int i = 0; i < 65536; ++i) {
      values.push_back(fromBits<double>(words.next()));
      for (int j = 0; j < 3; ++j) {
        uint64_t word = words.next();
        uint64_t exponent = 1023 - 62 + (word >> 52 & 0x7ff) % 74;
        values.push_back(
            fromBits<double>((word & 0x800fffffffffffff) | exponent << 52));
      }
    }
    return values;
  }();
  return sample;
}

struct Function {
  const char *name;
  float (*narrow)(float);
  double (*wide)(double);
  uint64_t narrowHash, wideHash;
};

// clang-format off
const Function functions[] = {
    {"exp", reference::exp, reference::exp,
     0xd5f3c6b951c2ebca, 0x2e98167083c038ae},
    {"expm1", reference::expm1, reference::expm1,
     0xd9969d7750ad1a16, 0xfb35d38ef76a26c6},
    {"log", reference::log, reference::log,
     0xe730a9c9779f4aa1, 0x72e80a49adc93de5},
    {"log1p", reference::log1p, reference::log1p,
     0x31676b4dae4bf4d0, 0x3f55b6268b88b08a},
    {"sqrt", reference::sqrt, reference::sqrt,
     0x197536412dec28c3, 0x754b8a73079285d5},
    {"rsqrt", reference::rsqrt, reference::rsqrt,
     0x23b38002f414e5c7, 0x1b24ccd6b1ac52df},
    {"tanh", reference::tanh, reference::tanh,
     0x744aa4a971ace78c, 0x139bde19de12af1b},
    {"logistic", reference::logistic, reference::logistic,
     0x9631ac94db667f28, 0xd8260f4bf01edb96},
    {"erf", reference::erf, reference::erf,
     0x245b9891292a67b3, 0x0f4fe99c445e53fc},
    {"erfInv", reference::erfInv, reference::erfInv,
     0xd826ecfa629377b0, 0x226b11b8f567d389},
    {"sin", reference::sin, reference::sin,
     0x552efd07fdd75291, 0x0fd8d8b7f7dd4caa},
    {"cos", reference::cos, reference::cos,
     0x078295a97802ede9, 0x165439a25865dd79},
    {"floor", reference::floor, reference::floor,
     0x18d04d7cd8a17ee1, 0x7cd8de63a8d4efd7},
};
// clang-format on

template <typename T>
uint64_t hashOf(T (*function)(T), const std::vector<T> &sample) {
  Hash hash;
  for (T x : sample)
    hash.add(function(x));
  return hash.value();
}

/// Whether the hashes are equal; prints the row that would make them so.
void expectHashes(const char *name, uint64_t narrow, uint64_t expectedNarrow,
                  uint64_t wide, uint64_t expectedWide) {
  char row[128];
  std::snprintf(row, sizeof(row), "%s: 0x%016llx, 0x%016llx", name,
                static_cast<unsigned long long>(narrow),
                static_cast<unsigned long long>(wide));
  EXPECT_TRUE(narrow == expectedNarrow && wide == expectedWide) << row;
}

TEST(GoldenBitsTest, UnaryFunctions) {
  for (const Function &function : functions)
    expectHashes(function.name, hashOf(function.narrow, floatSample()),
                 function.narrowHash, hashOf(function.wide, doubleSample()),
                 function.wideHash);
}

/// Hashes pow over bases around 1 and exponents up to about `scale`, of both
/// signs, some of them whole.
template <typename T> uint64_t hashOfPow(double scale) {
  Words words;
  Hash hash;
  for (int i = 0; i < 200000; ++i) {
    double u = static_cast<double>(words.next() >> 11) * 0x1p-53;
    double v = static_cast<double>(words.next() >> 11) * 0x1p-53 - 0.5;
    T base = static_cast<T>(reference::exp((u - 0.5) * 8));
    T exponent = static_cast<T>(v * scale);
    bool isWhole = i % 8 == 0;
    hash.add(isWhole ? reference::pow(-base, reference::floor(exponent))
                     : reference::pow(base, exponent));
  }
  return hash.value();
}

TEST(GoldenBitsTest, Pow) {
  expectHashes("pow", hashOfPow<float>(40), 0xf657429b9b214b0d,
               hashOfPow<double>(300), 0x348ae763f4ff5bd2);
}

} // namespace
