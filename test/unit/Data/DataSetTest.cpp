//===- DataSetTest.cpp - Tests of data sets -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Data/DataSet.h"

#include "../Artifact/TestFiles.h"

#include "ensc/Artifact/Npz.h"
#include "ensc/Artifact/Safetensors.h"

using namespace ensc;

namespace {

ManifestValue argument(const std::string &name, DType dtype, Shape shape) {
  ManifestValue value;
  value.name = name;
  value.role = "data";
  value.dtype = dtype;
  value.shape = std::move(shape);
  return value;
}

class DataSetTest : public testing::Test {
protected:
  std::string text(const std::string &name, const std::string &content) {
    writeBytes(directory.file(name), content);
    return directory.file(name);
  }

  std::string npz(const std::string &name,
                  const std::vector<NamedTensor> &arrays) {
    EXPECT_TRUE(writeNpz(directory.file(name), arrays));
    return directory.file(name);
  }

  std::string npy(const std::string &name, const Tensor &tensor) {
    EXPECT_TRUE(writeNpy(directory.file(name), tensor));
    return directory.file(name);
  }

  /// Opens sources that must be fine.
  DataSet open(std::vector<std::string> training,
               std::vector<std::string> validation = {}) {
    options.training = std::move(training);
    options.validation = std::move(validation);
    Expected<DataSet> data = DataSet::open(options);
    EXPECT_TRUE(data) << data.error().message();
    return std::move(*data);
  }

  std::string openError(std::vector<std::string> training) {
    options.training = std::move(training);
    return errorOf(DataSet::open(options));
  }

  void expectRead(const DataSet &data, const ManifestValue &argument,
                  const Tensor &expected) {
    Expected<Tensor> tensor = data.read(argument);
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_TRUE(tensor->bitwiseEquals(expected));
  }

  TemporaryDirectory directory;
  DataOptions options;
};

const Tensor x = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
const Tensor y = Tensor::of<int32_t>({3}, {0, 1, 2});

TEST_F(DataSetTest, ArchivesGiveEveryKey) {
  DataSet data = open({npz("d.npz", {{"x", x}, {"y", y}, {"x_val", x}})});
  EXPECT_EQ(data.names(), (std::vector<std::string>{"x", "y", "x_val"}));
  EXPECT_EQ(data.rows({}), 3);
  EXPECT_EQ(data.validationRows({}), 3);
  expectRead(data, argument("x", DType::F32, {3, 2}), x);
  expectRead(data, argument("y", DType::I64, {3}),
             Tensor::of<int64_t>({3}, {0, 1, 2}));
}

TEST_F(DataSetTest, ValidationFilesNameTheirArraysAlike) {
  Tensor few = Tensor::of<float>({1, 2}, {7, 8});
  DataSet data = open({npz("d.npz", {{"x", x}})}, {npz("v.npz", {{"x", few}})});
  EXPECT_EQ(data.names(), (std::vector<std::string>{"x", "x_val"}));
  EXPECT_EQ(data.rows({}), 3);
  EXPECT_EQ(data.validationRows({}), 1);
  expectRead(data, argument("x_val", DType::F32, {1, 2}), few);
  EXPECT_EQ(open({npz("d.npz", {{"x", x}})}, {npz("v.npz", {{"x_val", few}})})
                .names(),
            (std::vector<std::string>{"x", "x_val"}));
}

TEST_F(DataSetTest, SourcesMayNameOneArray) {
  ASSERT_TRUE(writeSafetensors(directory.file("d.safetensors"),
                               {{{"a", x}, {"b", y}}, {}}));
  DataSet data = open({"x=" + npz("d.npz", {{"k", x}, {"l", y}}) + ":k",
                       "y=" + npy("y.npy", y),
                       "z=" + directory.file("d.safetensors") + ":b"});
  EXPECT_EQ(data.names(), (std::vector<std::string>{"x", "y", "z"}));
  expectRead(data, argument("z", DType::I32, {3}), y);
  EXPECT_CONTAINS(openError({"z=" + directory.file("d.safetensors") + ":c"}),
                  "has no tensor 'c'; it has a, b");
}

TEST_F(DataSetTest, SourcesThatMakeNoSenseSayWhatTo) {
  EXPECT_CONTAINS(openError({npy("y.npy", y)}), "has no name; write NAME=");
  EXPECT_CONTAINS(openError({"x=" + npz("d.npz", {{"k", x}})}),
                  "several arrays; write ");
  EXPECT_CONTAINS(openError({"data.txt"}),
                  "data files end in .npz, .npy, .csv or .safetensors");
  EXPECT_CONTAINS(openError({npz("d.npz", {{"x", x}}), "x=" + npy("y.npy", y)}),
                  "there are two arrays 'x': ");
}

TEST_F(DataSetTest, ErrorsNameKeyTypeAndShape) {
  DataSet data = open({npz("d.npz", {{"x", x}, {"y", y}})});
  std::string file = directory.file("d.npz");
  EXPECT_EQ(errorOf(data.read(argument("x", DType::F32, {3, 3}))),
            file + ": key 'x': the data 'x' must be 3x3xf32, got 3x2xf32");
  EXPECT_EQ(errorOf(data.read(argument("xs", DType::F32, {3, 2}))),
            file + " has no array 'xs', which the program takes; did you mean "
                   "'x'? (it has x, y)");
  EXPECT_CONTAINS(errorOf(data.read(argument("x", DType::I1, {3, 2}))),
                  file + ": key 'x': element 1 is 2, which i1 does not hold");
  ManifestValue perRun = argument("x", DType::F32, {2, 2});
  perRun.perRun = true;
  EXPECT_EQ(errorOf(data.read(perRun)),
            file + ": key 'x': the data 'x' must be RUNSx2x2xf32, got 3x2xf32");
}

TEST_F(DataSetTest, AnyNumberOfRowsIsReadWhereNoneIsAsked) {
  DataSet data = open({npz("d.npz", {{"x", x}})});
  Expected<Tensor> rows = data.readRows(argument("x", DType::F32, {32, 2}));
  ASSERT_TRUE(rows) << rows.error().message();
  EXPECT_EQ(rows->shape(), (Shape{3, 2}));
  EXPECT_CONTAINS(errorOf(data.readRows(argument("x", DType::F32, {32, 3}))),
                  "must be ROWSx3xf32, got 3x2xf32");
}

TEST_F(DataSetTest, PerRunArraysLeadWithTheRuns) {
  DataSet data = open({npz("d.npz", {{"x", x}, {"y", y}})});
  EXPECT_EQ(data.rows({"x"}), 3) << "of several numbers the greatest";
  ManifestValue perRun = argument("x", DType::F32, {2});
  perRun.perRun = true;
  expectRead(data, perRun, x);
}

TEST_F(DataSetTest, ColumnsOfTextBecomeArrays) {
  std::string file = text("d.csv", "y,x1,x0,weight\n"
                                   "2,0.5,0.1,1\n"
                                   "0, -1 ,1e3,0\n");
  DataSet data = open({file});
  EXPECT_EQ(data.names(), (std::vector<std::string>{"x", "y", "weight"}));
  EXPECT_EQ(data.rows({}), 2);
  expectRead(data, argument("x", DType::F32, {2, 2}),
             Tensor::of<float>({2, 2}, {0.1f, 0.5f, 1000, -1}));
  expectRead(data, argument("x", DType::F64, {2, 1, 2}),
             Tensor::of<double>({2, 1, 2}, {0.1, 0.5, 1000, -1}));
  expectRead(data, argument("y", DType::I32, {2}),
             Tensor::of<int32_t>({2}, {2, 0}));
  expectRead(data, argument("y", DType::F32, {2, 1}),
             Tensor::of<float>({2, 1}, {2, 0}));
  expectRead(data, argument("weight", DType::I1, {2}),
             Tensor::of<bool>({2}, {true, false}));
  EXPECT_EQ(errorOf(data.read(argument("x", DType::I32, {2, 2}))),
            file + ": record 1 of column 'x0' is '0.1'; expected a number of "
                   "type i32");
  EXPECT_CONTAINS(errorOf(data.read(argument("x", DType::F32, {2, 3}))),
                  "must be 2x3xf32, got 2x2xf32");
}

TEST_F(DataSetTest, ANamedTextIsOneArray) {
  DataSet data = open({"x=" + text("x.csv", "a,b\n1,2\n3,4\n")});
  expectRead(data, argument("x", DType::F32, {2, 2}),
             Tensor::of<float>({2, 2}, {1, 2, 3, 4}));
}

TEST_F(DataSetTest, TextWithoutAHeaderOrWithHolesIsRefused) {
  EXPECT_CONTAINS(openError({text("d.csv", "1,2\n3,4\n")}),
                  "the column name '1' is a number");
  EXPECT_CONTAINS(openError({text("d.csv", "a,a\n3,4\n")}), "two columns 'a'");
  EXPECT_CONTAINS(openError({text("d.csv", "a,b\n3\n")}),
                  "line 2: 1 fields, but 2 columns");
  DataSet data = open({text("d.csv", "a,b\n3,\n")});
  EXPECT_CONTAINS(errorOf(data.read(argument("b", DType::F32, {1}))),
                  "record 1 of column 'b' is empty");
  // With a gap in their numbers columns stay apart.
  EXPECT_EQ(open({text("d.csv", "x0,x2,x01\n1,2,3\n")}).names(),
            (std::vector<std::string>{"x0", "x2", "x01"}));
}

TEST_F(DataSetTest, LargeArraysAreMapped) {
  options.mapFrom = 1;
  DataSet data = open({"x=" + npy("x.npy", x)});
  EXPECT_TRUE(data.read(argument("x", DType::F64, {3, 2})));
  EXPECT_EQ(data.mappedBytes(), 0) << "it was converted";
  expectRead(data, argument("x", DType::F32, {3, 2}), x);
  EXPECT_EQ(data.mappedBytes(), 24);
  // The mapping outlives the data set and the name of the file.
  Tensor mapped = *data.read(argument("x", DType::F32, {3, 2}));
  data = open({});
  std::filesystem::remove(directory.file("x.npy"));
  EXPECT_TRUE(mapped.bitwiseEquals(x));
}

TEST_F(DataSetTest, ArraysOfUnknownTypeMatterOnlyIfAskedFor) {
  std::string file = npy("h.npy", Tensor::zeros(DType::F32, {2}));
  std::string bytes = readBytes(file);
  bytes.replace(bytes.find("<f4"), 3, "|O8");
  writeBytes(file, bytes);
  DataSet data = open({"h=" + file, "y=" + npy("y.npy", y)});
  EXPECT_EQ(data.rows({}), 3);
  EXPECT_CONTAINS(errorOf(data.read(argument("h", DType::F32, {2}))),
                  file + ": element type '|O8' is not supported");
}

} // namespace
