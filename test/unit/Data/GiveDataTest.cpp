//===- GiveDataTest.cpp - Tests of arrays for learners --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Data/GiveData.h"

#include "../Artifact/TestFiles.h"

#include "ensc/Artifact/Npz.h"

using namespace ensc;

namespace {

ManifestValue value(const std::string &name, const std::string &role,
                    DType dtype, Shape shape) {
  ManifestValue value;
  value.name = name;
  value.role = role;
  value.dtype = dtype;
  value.shape = std::move(shape);
  value.perRun = role != "data";
  return value;
}

/// A program whose learner trains on `x`, three numbers of a type, and is
/// validated on two. It has no code.
Executable programOf(DType dtype) {
  ManifestValue w = value("w", "param", DType::F32, {});
  ManifestValue sum = value("loss_sum", "state", DType::F32, {});
  ManifestInstance solo;
  Manifest manifest;
  manifest.entries = {
      {"net.init", {value("seed", "seed", DType::I64, {})}, {w}, solo, {}},
      {"net.fit", {w, value("x", "data", dtype, {3}), sum}, {w, sum}, solo, {}},
      {"net.evaluate",
       {w, value("x_val", "data", dtype, {2})},
       {value("val_loss", "", DType::F32, {})},
       solo,
       {}}};
  manifest.learners.push_back({"net", 1, 3, 3, 2, "loss", false, "none"});
  std::vector<EntryKernels> kernels(manifest.entries.size());
  return Executable(Program(std::move(manifest), std::move(kernels), nullptr));
}

class GiveDataTest : public testing::Test {
protected:
  DataSet data(const std::vector<NamedTensor> &arrays) {
    std::string path = directory.file("d.npz");
    EXPECT_TRUE(writeNpz(path, arrays));
    DataOptions options;
    options.training = {path};
    return std::move(*DataSet::open(options));
  }

  static Status give(const std::vector<Executable> &programs,
                     const DataSet &data) {
    Expected<Learner> learner = Learner::create(programs);
    EXPECT_TRUE(learner) << learner.error().message();
    return learner ? giveData(*learner, programs, data) : Status::success();
  }

  TemporaryDirectory directory;
  Tensor three = Tensor::of<double>({3}, {1, 2, 3});
  Tensor two = Tensor::of<double>({2}, {1, 2});
};

TEST_F(GiveDataTest, WhatIsTrainedAndValidatedOnIsGiven) {
  EXPECT_TRUE(
      give({programOf(DType::F32)}, data({{"x", three}, {"x_val", two}})));
  EXPECT_TRUE(give({programOf(DType::I32), programOf(DType::I32)},
                   data({{"x", three}, {"x_val", two}})));
}

TEST_F(GiveDataTest, WhatIsMissingOrDoesNotFitIsNamed) {
  EXPECT_CONTAINS(errorOf(give({programOf(DType::F32)}, data({{"x", three}}))),
                  "has no array 'x_val', which the program takes");
  EXPECT_CONTAINS(errorOf(give({programOf(DType::F32)},
                               data({{"x", three}, {"x_val", three}}))),
                  "the data 'x_val' must be 2xf32, got 3xf64");
  EXPECT_EQ(errorOf(give({programOf(DType::F32), programOf(DType::I32)},
                         data({{"x", three}, {"x_val", two}}))),
            "one program takes the data 'x' as 3xf32, another as 3xi32; give "
            "them the same type");
}

} // namespace
