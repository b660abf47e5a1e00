//===- ReadersTest.cpp - Readers of bytes that somebody has changed -------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixed sequence of inputs, so that a failure can be repeated. Under the
// sanitizers this is the test; the target fuzz-artifact searches for as long as
// one likes.
//
//===----------------------------------------------------------------------===//

#include "Readers.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace ensc::test;

namespace {

/// Changes inputs as people who mean ill, or broken disks, would.
class Mutator {
public:
  explicit Mutator(std::vector<std::string> seeds) : seeds(std::move(seeds)) {}

  std::string next() {
    std::string input = pick();
    for (uint64_t changes = 1 + below(4); changes > 0; --changes)
      change(input);
    return input;
  }

private:
  uint64_t below(uint64_t limit) { return limit ? engine() % limit : 0; }

  const std::string &pick() { return seeds[below(seeds.size())]; }

  /// A place behind the first byte, which says who reads the input.
  size_t place(const std::string &input) {
    return 1 + below(input.size() > 1 ? input.size() - 1 : 1);
  }

  void overwrite(std::string &input, const std::string &bytes) {
    size_t at = place(input);
    for (size_t i = 0; i < bytes.size() && at + i < input.size(); ++i)
      input[at + i] = bytes[i];
  }

  void change(std::string &input) {
    static const std::string tokens[] = {
        "{",  "[",    "\"",       "nan",  "-1",       "1e999", "null", ",",
        "\n", "true", "99999999", "\r\n", "\xff\xff", "::",    "..",   "inf"};
    static const std::string numbers[] = {
        std::string(4, '\xff'), std::string(8, '\xff'), std::string(8, '\0'),
        std::string("\0\0\0\x80", 4), std::string("\x01\0\0\0\0\0\0\x80", 8)};
    size_t at = std::min(place(input), input.size());
    switch (below(8)) {
    case 0:
      if (at < input.size())
        input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
      return;
    case 1:
      if (at < input.size())
        input[at] = static_cast<char>(engine());
      return;
    case 2:
      input.erase(at, below(16));
      return;
    case 3:
      input.insert(at, tokens[below(std::size(tokens))]);
      return;
    case 4:
      return overwrite(input, numbers[below(std::size(numbers))]);
    case 5:
      input.resize(at);
      return;
    case 6:
      input.insert(at, input.substr(place(input) % input.size(), below(64)));
      return;
    default:
      const std::string &other = pick();
      input = input.substr(0, at) +
              other.substr(std::min(place(other), other.size()));
    }
  }

  std::vector<std::string> seeds;
  std::mt19937_64 engine{20261130};
};

TEST(ReadersTest, WhatIsWellFormedIsRead) {
  for (const std::string &seed : seedInputs())
    readInput(seed);
}

TEST(ReadersTest, ChangedInputsGiveAValueOrAnError) {
  const char *wanted = std::getenv("ENSC_FUZZ_INPUTS");
#ifdef ENSC_SANITIZED
  constexpr long enough = 3000;
#else
  constexpr long enough = 10000;
#endif
  long count = wanted ? std::atol(wanted) : enough;
  Mutator mutator(seedInputs());
  for (long i = 0; i < count; ++i) {
    std::string input = mutator.next();
    SCOPED_TRACE(i);
    readInput(input);
  }
}

// What a small file could make a reader do for long, or with much memory.
TEST(ReadersTest, NestingAndRepetitionAreBounded) {
  for (char kind = 0; kind < 19; ++kind)
    for (const std::string &part :
         {std::string("["), std::string("{\"a\":"), std::string(",\n"),
          std::string("\"\""), std::string("x,")}) {
      std::string input(1, kind);
      for (int i = 0; i < 20000; ++i)
        input += part;
      readInput(input);
    }
}

} // namespace
