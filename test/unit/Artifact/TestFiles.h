//===- TestFiles.h - Files for tests ----------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_ARTIFACT_TESTFILES_H
#define ENSC_TEST_UNIT_ARTIFACT_TESTFILES_H

#include "ensc/API/Error.h"

#include "gtest/gtest.h"
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace ensc {

/// A directory that lives as long as the test, in memory where that is
/// possible: disks are slow at replacing thousands of small files.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    bool inMemory = std::filesystem::is_directory("/dev/shm");
    std::string pattern =
        (inMemory ? "/dev/shm/" : testing::TempDir()) + "ensc-XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  /// The path of the file `name` in it.
  std::string file(const std::string &name) const { return path_ + "/" + name; }
  const std::string &path() const { return path_; }

  /// The number of files in it, hidden ones too.
  int64_t count() const {
    auto range = std::filesystem::directory_iterator(path_);
    return std::distance(begin(range), end(range));
  }

private:
  std::string path_;
};

inline void writeBytes(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string readBytes(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The message of a result that must be an error.
template <typename Result> std::string errorOf(const Result &result) {
  EXPECT_FALSE(static_cast<bool>(result));
  return result ? std::string() : result.error().message();
}

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_TRUE(::ensc::contains(text, part)) << text

} // namespace ensc

#endif // ENSC_TEST_UNIT_ARTIFACT_TESTFILES_H
