//===- Readers.h - Every reader of untrusted bytes --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_FUZZ_READERS_H
#define ENSC_TEST_UNIT_FUZZ_READERS_H

#include <string>
#include <string_view>
#include <vector>

namespace ensc::test {

/// Gives bytes to a reader. The first byte says which one; what it makes of the
/// rest does not matter, as long as it is a value or an error.
void readInput(std::string_view input);

/// Inputs that the readers take, for others to be made of.
std::vector<std::string> seedInputs();

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_FUZZ_READERS_H
