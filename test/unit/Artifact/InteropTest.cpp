//===- InteropTest.cpp - Files of and for other programs ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// NumPy and the safetensors package read what ensc writes and the other way
// round. Skipped where they are not installed: tools/check.sh installs them.
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/Npy.h"
#include "ensc/Artifact/Npz.h"
#include "ensc/Artifact/Safetensors.h"

#include "TestFiles.h"

#include <sys/wait.h>

using namespace ensc;

namespace {
std::vector<NamedTensor> arrays() {
  return {{"f32", Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, -0.0f})},
          {"f64", Tensor::scalar(0.1)},
          {"i1", Tensor::of<bool>({3}, {true, false, true})},
          {"i32", Tensor::of<int32_t>({2, 1}, {-7, 1 << 30})},
          {"i64", Tensor::of<int64_t>({2}, {int64_t(1) << 60, -1})},
          {"ui32", Tensor::of<uint32_t>({1}, {0xffffffff})}};
}

/// Runs interop.py. Its exit code is 77 where a package is missing.
int runPython(const std::string &mode, const std::string &directory) {
  std::string venv = ENSC_SOURCE_DIR "/.venv/bin/python";
  std::string python = std::filesystem::exists(venv) ? venv : "python3";
  int code = std::system(
      (python + " " ENSC_SOURCE_DIR "/test/unit/Artifact/interop.py " + mode +
       " " + directory)
          .c_str());
  return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

void expectArrays(const std::string &path) {
  Expected<NpzFile> file = NpzFile::open(path);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->keys().size(), arrays().size());
  for (const NamedTensor &named : arrays()) {
    Expected<Tensor> tensor = file->read(named.name);
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_TRUE(tensor->bitwiseEquals(named.tensor)) << path << named.name;
  }
}
} // namespace

TEST(InteropTest, OthersReadWhatIsWritten) {
  TemporaryDirectory directory;
  ASSERT_TRUE(writeNpz(directory.file("stored.npz"), arrays()));
  ASSERT_TRUE(writeNpz(directory.file("deflated.npz"), arrays(),
                       NpzCompression::Deflate));
  ASSERT_TRUE(writeNpy(directory.file("f32.npy"), arrays()[0].tensor));
  ASSERT_TRUE(writeSafetensors(directory.file("a.safetensors"),
                               {arrays(), {{"run", "7"}}}));
  int code = runPython("check", directory.path());
  if (code == 77)
    GTEST_SKIP() << "numpy or safetensors is not installed";
  EXPECT_EQ(code, 0);
}

TEST(InteropTest, WhatOthersWriteReads) {
  TemporaryDirectory directory;
  int code = runPython("write", directory.path());
  if (code == 77)
    GTEST_SKIP() << "numpy or safetensors is not installed";
  ASSERT_EQ(code, 0);
  for (const char *name : {"savez.npz", "savez_compressed.npz", "fortran.npz",
                           "zip64.npz", "descriptors.npz"})
    expectArrays(directory.file(name));
  Expected<Safetensors> content =
      readSafetensors(directory.file("a.safetensors"));
  ASSERT_TRUE(content) << content.error().message();
  EXPECT_EQ(content->metadata.size(), 1u);
  for (const NamedTensor &named : arrays()) {
    ASSERT_NE(content->find(named.name), nullptr) << named.name;
    EXPECT_TRUE(content->find(named.name)->bitwiseEquals(named.tensor));
  }
}

TEST(InteropTest, TheDigitsRead) {
  Expected<NpzFile> file =
      NpzFile::open(ENSC_SOURCE_DIR "/docs/examples/data/digits.npz");
  ASSERT_TRUE(file) << file.error().message();
  auto typeOf = [&](const char *key) {
    Expected<Tensor> tensor = file->read(key);
    return tensor ? typeString(tensor->dtype(), tensor->shape())
                  : tensor.error().message();
  };
  EXPECT_EQ(typeOf("x"), "1437x64xf32");
  EXPECT_EQ(typeOf("y"), "1437xi32");
  EXPECT_EQ(typeOf("x_val"), "360x64xf32");
  EXPECT_EQ(typeOf("y_val"), "360xi32");
}
