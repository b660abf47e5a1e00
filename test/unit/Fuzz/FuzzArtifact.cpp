//===- FuzzArtifact.cpp - Searching for inputs that break readers ---------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>

using namespace ensc::test;

/// Writes the seeds into an empty directory that libFuzzer is to work in.
extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  for (int i = 1; i < *argc; ++i) {
    std::filesystem::path path((*argv)[i]);
    if (!std::filesystem::is_directory(path) ||
        !std::filesystem::is_empty(path))
      continue;
    int number = 0;
    for (const std::string &seed : seedInputs())
      std::ofstream(path / ("seed" + std::to_string(number++)),
                    std::ios::binary)
          << seed;
    break;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  readInput({reinterpret_cast<const char *>(bytes), size});
  return 0;
}
