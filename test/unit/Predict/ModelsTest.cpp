//===- ModelsTest.cpp - Tests of trained runs as one ensemble -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Predict/Models.h"

#include "ensc/API/Compiler.h"

#include "../Artifact/TestFiles.h"

using namespace ensc;

namespace {

constexpr const char *text = R"mlir(
func.func @line(%w: tensor<2xf32> {ens.name = "w"},
                %x: tensor<4x2xf32> {ens.name = "x", ens.role = "data"},
                %c: tensor<f32> {ens.name = "c", ens.role = "hyper", ens.default = 10.0 : f64},
                %seed: tensor<i64> {ens.name = "seed", ens.role = "seed"})
    -> (tensor<4xf32> {ens.name = "y"}, tensor<4xi64> {ens.name = "s"}) {
  %z = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0]
      : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %cs = ens.broadcast %c dims = [] : tensor<f32> to tensor<4xf32>
  %y = ens.add %z, %cs : tensor<4xf32>
  %s = ens.broadcast %seed dims = [] : tensor<i64> to tensor<4xi64>
  return %y, %s : tensor<4xf32>, tensor<4xi64>
}
func.func @sum(%x: tensor<4xf32> {ens.name = "x", ens.role = "data"}) -> tensor<f32> {
  %s = ens.reduce sum, %x dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %s : tensor<f32>
}
func.func @free(%w: tensor<3xf32> {ens.name = "w"}) -> tensor<3xf32> {
  return %w : tensor<3xf32>
})mlir";

Executable compile() {
  CompileOptions options;
  options.cache = false;
  Expected<Executable> program = Compiler(options).compile(text, "model");
  EXPECT_TRUE(program) << program.error().message();
  return *program;
}

Model model(int64_t run, std::vector<float> w) {
  Model model;
  model.run = run;
  model.seed = 100 + run;
  model.state = {{"w", Tensor::of<float>({2}, w)}};
  return model;
}

class ModelsTest : public testing::Test {
protected:
  Executable program = compile();
};

TEST_F(ModelsTest, AnyNumberOfRowsIsPredictedByAllModels) {
  Model second = model(7, {0, 1});
  second.hypers["c"] = 0.5;
  Expected<Models> models =
      Models::create(program, "line", {model(3, {1, 0}), second});
  ASSERT_TRUE(models) << models.error().message();
  EXPECT_EQ(*models->batchRows(), 4);
  ASSERT_EQ(models->data().size(), 1u);
  Tensor x = Tensor::zeros(DType::F32, {9, 2});
  for (int i = 0; i < 18; ++i)
    x.data<float>()[i] = static_cast<float>(i);
  for (int64_t first : {0, 1, 5})
    for (int64_t count : {0, 1, 3, 4}) {
      auto results = models->callRows({x}, first, count);
      ASSERT_TRUE(results) << results.error().message();
      ASSERT_EQ((*results)[0].shape(), (Shape{2, count}));
      for (int64_t row = 0; row < count; ++row) {
        float even = static_cast<float>(2 * (first + row));
        EXPECT_EQ((*results)[0].data<float>()[row], even + 10.0f);
        EXPECT_EQ((*results)[0].data<float>()[count + row], even + 1.5f);
        EXPECT_EQ((*results)[1].data<int64_t>()[count + row], 107);
      }
    }
  auto all = models->callRows({x}, 0, 9);
  ASSERT_TRUE(all);
  EXPECT_EQ((*all)[0].data<float>()[8], 26.0f);
}

TEST_F(ModelsTest, WhatDoesNotFitIsNamed) {
  EXPECT_EQ(errorOf(Models::create(program, "lines", {model(0, {1, 2})})),
            "the program has no function 'lines'; did you mean 'line'? (it "
            "has line, sum, free)");
  EXPECT_EQ(errorOf(Models::create(program, "free", {model(5, {1, 2})})),
            "@free: the state of run 5 has 'w' as 2xf32, the program takes "
            "3xf32");
  Model empty = model(5, {1, 2});
  empty.state = {{"v", Tensor::scalar(1.0f)}};
  EXPECT_EQ(errorOf(Models::create(program, "line", {empty})),
            "the state of run 5 has no 'w', which @line takes; did you mean "
            "'v'? (it has v)");
  EXPECT_EQ(errorOf(Models::create(program, "line", {})), "there is no model");
  Expected<Models> sum = Models::create(program, "sum", {model(0, {1, 2})});
  ASSERT_TRUE(sum) << sum.error().message();
  EXPECT_EQ(errorOf(sum->batchRows()),
            "@sum gives '' as f32, not one value for each of the 4 rows of a "
            "batch");
  EXPECT_CONTAINS(errorOf(sum->call({})), "takes 1 arrays of data, got 0");
}

} // namespace
