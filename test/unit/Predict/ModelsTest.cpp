//===- ModelsTest.cpp - Tests of trained runs as one ensemble -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Predict/Models.h"

#include "ensc/API/Compiler.h"

#include "../Artifact/TestFiles.h"

#include <cstring>
#include <set>

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

/// A function that draws a number for each row of a batch, itself and in a
/// function that a loop calls, and one for the whole batch.
std::string noisy(int64_t rows) {
  std::string text = R"mlir(
func.func @noisy(%w: tensor<2xf32> {ens.name = "w"},
                 %x: tensor<Bxf32> {ens.name = "x", ens.role = "data"},
                 %seed: tensor<i64> {ens.name = "seed", ens.role = "seed"},
                 %step: tensor<i64> {ens.name = "step", ens.role = "step"})
    -> (tensor<Bxui32> {ens.name = "rows"}, tensor<Bxf32> {ens.name = "in_loop"},
        tensor<Bxui32> {ens.name = "batch"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = ens.rng_bits %seed, %step : tensor<i64>, tensor<i64> -> tensor<Bxui32>
  %1 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<Bxf32>) {
    %4 = ens.grad @sum(%a, %seed, %step) wrt = [0]
        : (tensor<Bxf32>, tensor<i64>, tensor<i64>) -> tensor<Bxf32>
    scf.yield %4 : tensor<Bxf32>
  }
  %2 = ens.rng_bits %seed, %step : tensor<i64>, tensor<i64> -> tensor<ui32>
  %3 = ens.broadcast %2 dims = [] : tensor<ui32> to tensor<Bxui32>
  return %0, %1, %3 : tensor<Bxui32>, tensor<Bxf32>, tensor<Bxui32>
}
func.func private @sum(%x: tensor<Bxf32>, %seed: tensor<i64>,
                       %step: tensor<i64>) -> tensor<f32> {
  %0 = ens.uniform %seed {low = 0.0 : f64, high = 1.0 : f64} : tensor<Bxf32>
  %1 = ens.mul %x, %0 : tensor<Bxf32>
  %2 = ens.reduce sum, %1 dims = [0] : (tensor<Bxf32>) -> tensor<f32>
  return %2 : tensor<f32>
})mlir";
  for (size_t at; (at = text.find("<Bx")) != std::string::npos;)
    text.replace(at, 3, "<" + std::to_string(rows) + "x");
  return text;
}

/// What two models draw for the rows [first, first + count).
std::vector<Tensor> draw(int64_t rows, int64_t first, int64_t count) {
  CompileOptions options;
  options.cache = false;
  options.entries = options.batchEntries = {"noisy"};
  Expected<Executable> program =
      Compiler(options).compile(noisy(rows), "model");
  EXPECT_TRUE(program) << program.error().message();
  Expected<Models> models =
      Models::create(*program, "noisy", {model(0, {1, 2}), model(5, {1, 2})});
  EXPECT_TRUE(models) << models.error().message();
  Expected<std::vector<Tensor>> drawn =
      models->callRows({Tensor::zeros(DType::F32, {11})}, first, count);
  EXPECT_TRUE(drawn) << drawn.error().message();
  return *drawn;
}

/// Elements without repetitions.
template <typename T> size_t countDifferent(const Tensor &tensor) {
  return std::set<T>(tensor.data<T>(), tensor.data<T>() + tensor.size()).size();
}

TEST_F(ModelsTest, EachRowDrawsNumbersOfItsOwn) {
  std::vector<Tensor> whole = draw(11, 0, 11);
  EXPECT_EQ(countDifferent<uint32_t>(whole[0]), 22u);
  EXPECT_EQ(countDifferent<float>(whole[1]), 22u);
  EXPECT_EQ(countDifferent<uint32_t>(whole[2]), 2u);
  for (int64_t rows : {1, 4}) {
    std::vector<Tensor> batches = draw(rows, 0, 11);
    EXPECT_EQ(std::memcmp(batches[0].bytes(), whole[0].bytes(),
                          whole[0].sizeInBytes()),
              0);
    // One for each batch of each model.
    EXPECT_EQ(countDifferent<uint32_t>(batches[2]), rows == 1 ? 22u : 6u);
  }
  std::vector<Tensor> part = draw(4, 3, 6);
  for (int64_t row = 0; row < 6; ++row)
    for (int64_t model : {0, 1})
      EXPECT_EQ(part[0].data<uint32_t>()[model * 6 + row],
                whole[0].data<uint32_t>()[model * 11 + 3 + row]);
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
            "the state of run 5 has no 'w', which @line takes; it has v");
  EXPECT_EQ(errorOf(Models::create(program, "line", {})), "there is no model");
  Expected<Models> sum = Models::create(program, "sum", {model(0, {1, 2})});
  ASSERT_TRUE(sum) << sum.error().message();
  EXPECT_EQ(errorOf(sum->batchRows()),
            "@sum gives '' as f32, not one value for each of the 4 rows of a "
            "batch");
  EXPECT_CONTAINS(errorOf(sum->call({})), "takes 1 arrays of data, got 0");
}

} // namespace
