//===- NpzTest.cpp - Tests of the npz format ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/Npz.h"

#include "TestFiles.h"

using namespace ensc;

namespace {
std::vector<NamedTensor> sampleTensors() {
  return {{"x", Tensor::zeros(DType::F32, {20, 2})},
          {"y", Tensor::of<int32_t>({3}, {1, 2, 3})},
          {"empty", Tensor::zeros(DType::F64, {0, 4})}};
}

std::string archiveBytes(NpzCompression compression) {
  TemporaryDirectory directory;
  Status status =
      writeNpz(directory.file("a.npz"), sampleTensors(), compression);
  EXPECT_TRUE(status);
  return readBytes(directory.file("a.npz"));
}

/// Opens archives of given bytes and reads every key.
class Reader {
public:
  Status operator()(const std::string &bytes) const {
    writeBytes(path(), bytes);
    Expected<NpzFile> file = NpzFile::open(path());
    if (!file)
      return file.error();
    for (const std::string &key : file->keys()) {
      Expected<Tensor> tensor = file->read(key);
      if (!tensor)
        return tensor.error();
    }
    return Status::success();
  }

private:
  std::string path() const { return directory_.file("a.npz"); }
  TemporaryDirectory directory_;
};

Status readAll(const std::string &bytes) { return Reader()(bytes); }

/// Where the record of the n-th entry in the archive's directory starts.
size_t directoryRecord(const std::string &bytes, int n) {
  size_t at = bytes.find("PK\x01\x02");
  for (; n > 0; --n)
    at = bytes.find("PK\x01\x02", at + 1);
  return at;
}

std::string patched(std::string bytes, size_t at, uint32_t value,
                    size_t size = 4) {
  for (size_t i = 0; i < size; ++i)
    bytes[at + i] = static_cast<char>(value >> (8 * i));
  return bytes;
}

class NpzTest : public testing::TestWithParam<NpzCompression> {};
} // namespace

TEST_P(NpzTest, WhatIsWrittenReadsBack) {
  TemporaryDirectory directory;
  std::string path = directory.file("a.npz");
  std::vector<NamedTensor> tensors = sampleTensors();
  ASSERT_TRUE(writeNpz(path, tensors, GetParam()));
  Expected<NpzFile> file = NpzFile::open(path);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->keys(), (std::vector<std::string>{"x", "y", "empty"}));
  EXPECT_TRUE(file->contains("y"));
  EXPECT_FALSE(file->contains("y.npy"));
  for (const NamedTensor &named : tensors) {
    Expected<Tensor> tensor = file->read(named.name);
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_TRUE(tensor->bitwiseEquals(named.tensor));
  }
}

TEST_P(NpzTest, EqualArraysGiveEqualBytes) {
  EXPECT_EQ(archiveBytes(GetParam()), archiveBytes(GetParam()));
}

TEST_P(NpzTest, ADamagedElementFailsTheChecksum) {
  std::string bytes = archiveBytes(GetParam());
  size_t second = bytes.find("PK\x03\x04", 4);
  // The last byte of the first array's data.
  bytes[second - 1] ^= 1;
  std::string message = errorOf(readAll(bytes));
  EXPECT_CONTAINS(message, "a.npz: key 'x': ");
  EXPECT_CONTAINS(message, "damaged");
}

TEST_P(NpzTest, NoTruncationCrashesOrPasses) {
  std::string bytes = archiveBytes(GetParam());
  Reader read;
  for (size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_FALSE(read(bytes.substr(0, size))) << size;
}

TEST_P(NpzTest, NoDamageCrashes) {
  std::string bytes = archiveBytes(GetParam());
  Reader read;
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    for (char byte : {'\x7f', '\xff'}) {
      damaged[i] = byte;
      (void)static_cast<bool>(read(damaged));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Compression, NpzTest,
                         testing::Values(NpzCompression::None,
                                         NpzCompression::Deflate));

TEST(NpzErrorTest, AnUnknownKeyListsTheKnownOnes) {
  TemporaryDirectory directory;
  std::string path = directory.file("a.npz");
  ASSERT_TRUE(writeNpz(path, sampleTensors()));
  Expected<NpzFile> file = NpzFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(errorOf(file->read("z")),
            path + ": no key 'z'; the file has x, y, empty");
}

TEST(NpzErrorTest, OtherFilesAreNoArchives) {
  EXPECT_CONTAINS(errorOf(readAll("")), "not a zip archive");
  EXPECT_CONTAINS(errorOf(readAll(std::string(1000, 'x'))),
                  "not a zip archive");
  EXPECT_CONTAINS(errorOf(NpzFile::open("/nonexistent.npz")),
                  "cannot open '/nonexistent.npz'");
}

TEST(NpzErrorTest, AnEmptyArchiveHasNoKeys) {
  EXPECT_TRUE(readAll("PK\x05\x06" + std::string(18, '\0')));
}

TEST(NpzErrorTest, DeclaredSizesMustMatch) {
  std::string bytes = archiveBytes(NpzCompression::Deflate);
  size_t record = directoryRecord(bytes, 0);
  EXPECT_CONTAINS(errorOf(readAll(patched(bytes, record + 24, 287))), "trunc");
  EXPECT_CONTAINS(errorOf(readAll(patched(bytes, record + 24, 289))),
                  "trailing bytes");
  EXPECT_CONTAINS(errorOf(readAll(patched(bytes, record + 24, 0x7fffffff))),
                  "more than");
  EXPECT_CONTAINS(errorOf(readAll(patched(bytes, record + 20, 0x7fffffff))),
                  "reaches into the directory");
  std::string stored = archiveBytes(NpzCompression::None);
  EXPECT_CONTAINS(
      errorOf(readAll(patched(stored, directoryRecord(stored, 0) + 24, 1))),
      "has two sizes");
}

TEST(NpzErrorTest, EntriesMustNotOverlap) {
  std::string bytes = archiveBytes(NpzCompression::None);
  size_t record = directoryRecord(bytes, 1);
  EXPECT_CONTAINS(errorOf(readAll(patched(bytes, record + 42, 0))),
                  "'y.npy' is not where its directory says");
  // The first entry claims to reach into the second one.
  size_t first = directoryRecord(bytes, 0);
  std::string longer =
      patched(patched(bytes, first + 20, 300), first + 24, 300);
  EXPECT_CONTAINS(errorOf(readAll(longer)), "'x.npy' and 'y.npy' overlap");
}

TEST(NpzErrorTest, UnsupportedArchivesSaySo) {
  std::string bytes = archiveBytes(NpzCompression::None);
  size_t record = directoryRecord(bytes, 0);
  EXPECT_CONTAINS(errorOf(readAll(patched(bytes, record + 10, 12, 2))),
                  "zip method 12");
  EXPECT_CONTAINS(errorOf(readAll(patched(bytes, record + 8, 1, 2))),
                  "encrypted");
}

TEST(NpzErrorTest, KeysMustBeUniqueWhenWriting) {
  TemporaryDirectory directory;
  Tensor tensor = Tensor::scalar(1.0f);
  EXPECT_CONTAINS(errorOf(writeNpz(directory.file("a.npz"),
                                   {{"x", tensor}, {"x", tensor}})),
                  "the key 'x' occurs twice");
  EXPECT_EQ(directory.count(), 0);
}
