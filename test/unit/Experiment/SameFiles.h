//===- SameFiles.h - What equal fits leave ----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_EXPERIMENT_SAMEFILES_H
#define ENSC_TEST_UNIT_EXPERIMENT_SAMEFILES_H

#include "../Artifact/TestFiles.h"

#include <filesystem>
#include <map>
#include <string>

namespace ensc {

/// The files of an experiment that are the same for equal fits that began at
/// the same time, by their paths.
inline std::map<std::string, std::string> filesOf(const std::string &root) {
  namespace fs = std::filesystem;
  std::map<std::string, std::string> files;
  for (const auto &entry : fs::recursive_directory_iterator(root)) {
    std::string path = fs::relative(entry.path(), root).string();
    bool ofProcess = path == "lock" || path == "events.jsonl" ||
                     path.rfind("checkpoints", 0) == 0;
    if (entry.is_regular_file() && !ofProcess)
      files[path] = readBytes(entry.path().string());
  }
  return files;
}

inline void expectSameFiles(const std::string &root,
                            const std::string &expectedRoot) {
  auto files = filesOf(root), expected = filesOf(expectedRoot);
  for (const auto &[path, bytes] : expected)
    EXPECT_TRUE(files.count(path) && files[path] == bytes) << path;
  EXPECT_EQ(files.size(), expected.size());
}

} // namespace ensc

#endif // ENSC_TEST_UNIT_EXPERIMENT_SAMEFILES_H
