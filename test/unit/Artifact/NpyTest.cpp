//===- NpyTest.cpp - Tests of the npy format ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/Npy.h"

#include "TestFiles.h"

using namespace ensc;

namespace {
/// A npy file with the given dictionary.
std::string npyFile(const std::string &dictionary, const std::string &payload,
                    char major = 1) {
  std::string file = "\x93NUMPY";
  file += major;
  file += '\0';
  size_t lengthBytes = major == 1 ? 2 : 4;
  for (size_t i = 0; i < lengthBytes; ++i)
    file += static_cast<char>(dictionary.size() >> (8 * i));
  return file + dictionary + payload;
}

Expected<Tensor> parse(const std::string &bytes) {
  TemporaryDirectory directory;
  writeBytes(directory.file("x.npy"), bytes);
  return readNpy(directory.file("x.npy"));
}

template <typename T> std::string bytesOf(const std::vector<T> &values) {
  return std::string(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(T));
}

std::string dictionary(const std::string &descr, const std::string &shape,
                       const std::string &order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }";
}

void expectRoundTrip(const Tensor &tensor) {
  TemporaryDirectory directory;
  std::string path = directory.file("x.npy");
  ASSERT_TRUE(writeNpy(path, tensor));
  Expected<Tensor> read = readNpy(path);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(read->bitwiseEquals(tensor));
}
} // namespace

TEST(NpyTest, EveryElementTypeSurvives) {
  expectRoundTrip(Tensor::of<float>({2, 3}, {1, -0.0f, 3, 4, 5, 1e-40f}));
  expectRoundTrip(Tensor::of<double>({2}, {1e300, -5e-324}));
  expectRoundTrip(Tensor::of<bool>({3}, {true, false, true}));
  expectRoundTrip(Tensor::of<int32_t>({1, 2}, {-7, 1 << 30}));
  expectRoundTrip(Tensor::of<int64_t>({2}, {-1, int64_t(1) << 60}));
  expectRoundTrip(Tensor::of<uint32_t>({2}, {0, 0xffffffff}));
}

TEST(NpyTest, ScalarsAndEmptyArraysSurvive) {
  expectRoundTrip(Tensor::scalar(2.5f));
  expectRoundTrip(Tensor::zeros(DType::F32, {0}));
  expectRoundTrip(Tensor::zeros(DType::I64, {3, 0, 2}));
}

TEST(NpyTest, TheHeaderIsTheOneThatNumPyWrites) {
  std::string text = "{'descr': '<f4', 'fortran_order': False, "
                     "'shape': (3, 4), }";
  std::string expected =
      npyFile(text + std::string(117 - text.size(), ' ') + "\n", "");
  EXPECT_EQ(npyHeader(DType::F32, {3, 4}), expected);
  EXPECT_EQ(expected.size(), 128u);
}

TEST(NpyTest, FortranOrderIsTransposed) {
  std::vector<float> columnMajor = {0, 3, 1, 4, 2, 5};
  Expected<Tensor> tensor =
      parse(npyFile(dictionary("<f4", "(2, 3)", "True"), bytesOf(columnMajor)));
  ASSERT_TRUE(tensor);
  EXPECT_TRUE(
      tensor->bitwiseEquals(Tensor::of<float>({2, 3}, {0, 1, 2, 3, 4, 5})));
}

TEST(NpyTest, FortranOrderOfRankThreeIsTransposed) {
  // Element (i, j, k) of 2x3x2 has the value 100 i + 10 j + k.
  std::vector<int32_t> columnMajor, rowMajor;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        columnMajor.push_back(100 * i + 10 * j + k);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 2; ++k)
        rowMajor.push_back(100 * i + 10 * j + k);
  Expected<Tensor> tensor = parse(
      npyFile(dictionary("<i4", "(2, 3, 2)", "True"), bytesOf(columnMajor)));
  ASSERT_TRUE(tensor);
  EXPECT_TRUE(tensor->bitwiseEquals(Tensor::of<int32_t>({2, 3, 2}, rowMajor)));
}

TEST(NpyTest, LaterVersionsAndOtherSpellingsRead) {
  std::string payload = bytesOf<int32_t>({7, 8});
  for (char version : {1, 2, 3})
    EXPECT_TRUE(parse(npyFile(dictionary("<i4", "(2,)"), payload, version)));
  EXPECT_TRUE(parse(npyFile("{\"shape\":(2L,),\"descr\":\"<i4\","
                            "\"fortran_order\":False}\n",
                            payload)));
}

TEST(NpyTest, UnsupportedTypesSayHowToConvert) {
  const std::pair<const char *, const char *> cases[] = {
      {"<f2", "'<f2' is not supported; convert the array with "
              ".astype('float32')"},
      {">f4", ".astype('float32')"},
      {"|u1", ".astype('int32')"},
      {"<i2", ".astype('int32')"},
      {"<u8", ".astype('int64')"},
      {"<c8", "expected float32, float64, bool, int32, int64 or uint32"},
      {"|O", "expected float32"},
      {"", "expected float32"}};
  for (auto [descr, text] : cases)
    EXPECT_CONTAINS(
        errorOf(parse(npyFile(dictionary(descr, "(1,)"), "12345678"))), text);
  EXPECT_CONTAINS(errorOf(parse(npyFile("{'descr': [('a', '<f4')], "
                                        "'fortran_order': False, "
                                        "'shape': (1,)}",
                                        "1234"))),
                  "structured arrays");
}

TEST(NpyTest, DamagedFilesAreRefused) {
  std::string good = npyFile(dictionary("<f4", "(2,)"), "12345678");
  EXPECT_TRUE(parse(good));
  EXPECT_CONTAINS(errorOf(parse("")), "not a npy file");
  EXPECT_CONTAINS(errorOf(parse("hello, world")), "not a npy file");
  EXPECT_CONTAINS(errorOf(parse(good + "x")),
                  "trailing bytes: 2xf32 has 8 bytes, but 9");
  EXPECT_CONTAINS(errorOf(parse(good.substr(0, good.size() - 1))),
                  "truncated: 2xf32 has 8 bytes, but 7");
  EXPECT_CONTAINS(errorOf(parse(npyFile("{}", ""))), "is missing");
  EXPECT_CONTAINS(errorOf(parse(npyFile("{'x': 1}", ""))), "unknown");
  EXPECT_CONTAINS(errorOf(parse(npyFile(good.substr(10), "", 4))),
                  "npy version 4.0");
  std::string longHeader = npyFile("", "", 2);
  longHeader.replace(8, 4, "\xff\xff\xff\xff");
  EXPECT_CONTAINS(errorOf(parse(longHeader)), "claims 4294967295 bytes");
}

TEST(NpyTest, ImpossibleShapesAreRefused) {
  const std::pair<const char *, const char *> cases[] = {
      {"(-1,)", "negative extent -1"},
      {"(4611686018427387904,)", "more bytes than 64 bits can count"},
      {"(0, 4294967296, 4294967296)", "more bytes than 64 bits can count"},
      {"(99999999999999999999,)", "beyond 64 bits"},
      {"(1000000000000,)", "truncated"},
      {"(3)", "expected ','"},
      {"(a,)", "expected an extent"},
      {"(1, 2", "expected"}};
  for (auto [shape, text] : cases)
    EXPECT_CONTAINS(errorOf(parse(npyFile(dictionary("<f4", shape), "1234"))),
                    text);
}

TEST(NpyTest, ABoolIsZeroOrOne) {
  EXPECT_CONTAINS(
      errorOf(parse(npyFile(dictionary("|b1", "(2,)"), "\x01\x02"))),
      "element 1 is the byte 2");
}

TEST(NpyTest, ErrorsNameTheFile) {
  EXPECT_CONTAINS(errorOf(readNpy("/nonexistent/x.npy")),
                  "cannot open '/nonexistent/x.npy': No such file");
  EXPECT_CONTAINS(errorOf(readNpy("/tmp")), "it is a directory");
  EXPECT_CONTAINS(errorOf(readNpy("/dev/zero")), "not a regular file");
  EXPECT_CONTAINS(errorOf(parse("short")), "x.npy: not a npy file");
}

TEST(NpyTest, NoDamageCrashes) {
  std::string good = npyFile(dictionary("<f4", "(2, 1)"), "12345678");
  for (size_t i = 0; i < good.size(); ++i) {
    std::string damaged = good;
    for (unsigned char byte : {0x29, 0x31, 0xff}) {
      damaged[i] = static_cast<char>(byte);
      (void)static_cast<bool>(parse(damaged));
    }
    EXPECT_FALSE(parse(good.substr(0, i)));
  }
}

TEST(NpyTest, AnArrayMayBeUsedWhereItLies) {
  TemporaryDirectory directory;
  std::string path = directory.file("x.npy");
  Tensor tensor = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(writeNpy(path, tensor));
  Expected<std::optional<Tensor>> mapped = mapNpy(path);
  ASSERT_TRUE(mapped && *mapped);
  EXPECT_TRUE((*mapped)->bitwiseEquals(tensor));
  // Elements that lie elsewhere than their type asks for have to be read.
  writeBytes(path, npyFile(dictionary("<f4", "(1,)"), bytesOf<float>({1})));
  mapped = mapNpy(path);
  ASSERT_TRUE(mapped);
  EXPECT_FALSE(*mapped);
  writeBytes(path, "no array");
  EXPECT_CONTAINS(errorOf(mapNpy(path)), "not a npy file");
}
