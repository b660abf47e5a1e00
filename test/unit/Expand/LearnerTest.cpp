//===- LearnerTest.cpp - Tests of the loops of a learner ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "gtest/gtest.h"

#include <set>

using namespace ensc;
using namespace ensc::test;

namespace {

/// One weight; the loss of a row is w * x, so the gradient is the mean of the
/// rows of a batch, and w records which rows the steps have seen.
std::string recorder(const std::string &options) {
  return R"mlir(
    func.func @init() -> (tensor<f64> {ens.name = "w"}) {
      %0 = ens.constant dense<0.0> : tensor<f64>
      return %0 : tensor<f64>
    }
    func.func @loss(%w: tensor<f64> {ens.name = "w"},
                    %x: tensor<2xf64> {ens.name = "x", ens.role = "data"})
        -> tensor<2xf64> {
      %0 = ens.broadcast %w dims = [] : tensor<f64> to tensor<2xf64>
      %1 = ens.mul %0, %x : tensor<2xf64>
      return %1 : tensor<2xf64>
    }
    func.func @value(%w: tensor<f64> {ens.name = "w"},
                     %x: tensor<2xf64> {ens.name = "x", ens.role = "data"})
        -> tensor<2xf64> attributes {ens.direction = "min"} {
      return %x : tensor<2xf64>
    }
    func.func @first(%w: tensor<f64> {ens.name = "w"},
                     %x: tensor<2xf64> {ens.name = "x", ens.role = "data"})
        -> tensor<f64> {
      %0 = ens.slice %x starts = [0] limits = [1] strides = [1]
          : (tensor<2xf64>) -> tensor<1xf64>
      %1 = ens.reshape %0 : tensor<1xf64> to tensor<f64>
      return %1 : tensor<f64>
    }
    ens.learner @net {init = @init, loss = @loss, batch_size = 2 : i64,
        metrics = {value = @value, first = @first},
        optimizer = #ens.sgd<lr = 1.0>, )mlir" +
         options + "}";
}

Tensor index(int64_t value) { return Tensor::scalar(value); }

/// w and the sum of losses after the steps [begin, end), from w and 0.5. Row k
/// of the data is 4^k, so that sums of rows tell which rows they are made of.
std::pair<double, double> fit(CompiledText &program, int64_t begin, int64_t end,
                              int64_t seed, double w = 0.0,
                              int64_t orderSeed = 0,
                              const Tensor &rowNumbers = {}) {
  NamedTensors results =
      program.callByName("net.fit", {{"w", Tensor::scalar(w)},
                                     {"x", f64({5}, {1, 4, 16, 64, 256})},
                                     {"seed", index(seed)},
                                     {"order_seed", index(orderSeed)},
                                     {"row_numbers", rowNumbers},
                                     {"loss_sum", Tensor::scalar(0.5)},
                                     {"begin", index(begin)},
                                     {"end", index(end)}});
  return {*results["w"].data<double>(), *results["loss_sum"].data<double>()};
}

TEST(LearnerTest, AnEpochDropsTheTailAndKeepsTheOrderOfTheData) {
  CompiledText program(recorder("rows = 5 : i64, shuffle = \"none\""));
  EXPECT_EQ(fit(program, 0, 1, 0).first, -2.5);
  EXPECT_EQ(fit(program, 1, 2, 0).first, -40.0);
  EXPECT_EQ(fit(program, 0, 2, 0).first, -42.5);
  EXPECT_EQ(fit(program, 2, 3, 0).first, -2.5) << "the next epoch";
  // The losses of the steps are 0 and -2.5 * 40.
  EXPECT_EQ(fit(program, 0, 2, 0).second, -99.5);
}

TEST(LearnerTest, AnEpochSeesFourRowsOnce) {
  CompiledText program(recorder("rows = 5 : i64"));
  std::set<double> sums;
  for (int64_t epoch = 0; epoch < 20; ++epoch) {
    double sum = -2 * fit(program, 2 * epoch, 2 * epoch + 2, 7).first;
    // All rows but the one that was dropped.
    bool isMissingOne = false;
    for (double row : {1, 4, 16, 64, 256})
      isMissingOne |= sum == 341.0 - row;
    EXPECT_TRUE(isMissingOne) << sum;
    sums.insert(-2 * fit(program, 2 * epoch, 2 * epoch + 1, 7).first);
  }
  EXPECT_GT(sums.size(), 3u) << "orders change from epoch to epoch";
}

TEST(LearnerTest, AnyStepCanBeEntered) {
  CompiledText program(recorder("rows = 5 : i64"));
  auto whole = fit(program, 0, 7, 3);
  for (int64_t middle = 0; middle <= 7; ++middle) {
    double w = fit(program, 0, middle, 3).first;
    EXPECT_EQ(fit(program, middle, 7, 3, w).first, whole.first) << middle;
  }
}

TEST(LearnerTest, ASharedOrderDependsOnItsOwnSeed) {
  CompiledText program(recorder("rows = 5 : i64, shuffle = \"shared\""));
  CompiledText perRun(recorder("rows = 5 : i64"));
  for (int64_t seed : {1, 2, 3}) {
    EXPECT_EQ(fit(program, 0, 5, seed, 0, 9).first,
              fit(program, 0, 5, 0, 0, 9).first);
    EXPECT_EQ(fit(program, 0, 5, 0, 0, seed).first,
              fit(perRun, 0, 5, seed).first);
  }
}

TEST(LearnerTest, OptionsCompleteTheLearner) {
  PipelineOptions options;
  options.rows = 5;
  options.validationRows = 3;
  options.shuffle = "none";
  CompiledText program(recorder("direction = \"max\""), options);
  EXPECT_EQ(fit(program, 0, 2, 0).first, -42.5);
}

PipelineOptions withOwnRows(int64_t training, int64_t validation = 0) {
  PipelineOptions options;
  options.ownRows = training;
  options.ownValidationRows = validation;
  return options;
}

Tensor rows(const std::vector<int64_t> &numbers) {
  return Tensor::of<int64_t>({static_cast<int64_t>(numbers.size())}, numbers);
}

TEST(LearnerTest, OwnRowsThatAreAllRowsChangeNoBit) {
  for (const char *shuffle : {"per_run", "shared", "none"}) {
    std::string text =
        recorder("rows = 5 : i64, shuffle = \"" + std::string(shuffle) + "\"");
    CompiledText all(text), own(text, withOwnRows(5));
    EXPECT_EQ(fit(own, 0, 7, 3, 0.0, 9, rows({0, 1, 2, 3, 4})),
              fit(all, 0, 7, 3, 0.0, 9));
  }
}

TEST(LearnerTest, ARunSeesItsOwnRowsOnly) {
  std::string text = recorder("rows = 5 : i64, shuffle = \"none\"");
  CompiledText three(text, withOwnRows(3));
  // One step per epoch, since a batch has two rows.
  EXPECT_EQ(fit(three, 0, 1, 0, 0.0, 0, rows({4, 1, 2})).first, -130.0);
  EXPECT_EQ(fit(three, 1, 2, 0, 0.0, 0, rows({4, 1, 2})).first, -130.0);
  CompiledText six(text, withOwnRows(6));
  EXPECT_EQ(fit(six, 0, 3, 0, 0.0, 0, rows({0, 0, 0, 1, 1, 1})).first,
            -(1 + 1 + 1 + 4 + 4 + 4) / 2.0);
  CompiledText shuffled(recorder("rows = 5 : i64"), withOwnRows(4));
  EXPECT_EQ(fit(shuffled, 4, 6, 7, 0.0, 0, rows({4, 4, 0, 0})).first,
            -(256 + 256 + 1 + 1) / 2.0);
}

TEST(LearnerTest, ARunMayBeEvaluatedOnRowsOfTheTrainingData) {
  CompiledText program(recorder("rows = 5 : i64, validation_rows = 9 : i64"),
                       withOwnRows(2, 3));
  NamedTensors results = program.callByName(
      "net.evaluate", {{"w", Tensor::scalar(2.0)},
                       {"x", f64({5}, {1, 2, 3, 4, 10})},
                       {"row_numbers_val", rows({4, 0, 2})}});
  EXPECT_EQ(*results["val_loss"].data<double>(), 2 * 14 / 3.0);
  EXPECT_EQ(*results["val_value"].data<double>(), 14 / 3.0);
  EXPECT_EQ(*results["val_first"].data<double>(), 10.0);
}

// Functions of rows see each row once, the others only full batches.
TEST(LearnerTest, EvaluationCountsRealRowsOnly) {
  CompiledText program(recorder("rows = 5 : i64, validation_rows = 5 : i64"));
  NamedTensors results = program.callByName(
      "net.evaluate",
      {{"w", Tensor::scalar(2.0)}, {"x_val", f64({5}, {1, 2, 3, 4, 10})}});
  EXPECT_EQ(*results["val_loss"].data<double>(), 8.0);
  EXPECT_EQ(*results["val_value"].data<double>(), 4.0);
  EXPECT_EQ(*results["val_first"].data<double>(), 2.0);
  CompiledText full(recorder("rows = 5 : i64, validation_rows = 4 : i64"));
  results =
      full.callByName("net.evaluate", {{"w", Tensor::scalar(2.0)},
                                       {"x_val", f64({4}, {1, 2, 3, 4})}});
  EXPECT_EQ(*results["val_loss"].data<double>(), 5.0);
}

/// A loss that is a draw for each row, through a gradient of its own if asked.
std::string noisyLearner(int64_t batch, bool custom) {
  std::string rows = std::to_string(batch);
  std::string text = R"mlir(
    func.func @init() -> (tensor<f64> {ens.name = "w"}) {
      %0 = ens.constant dense<0.0> : tensor<f64>
      return %0 : tensor<f64>
    }
    func.func private @noise(%w: tensor<f64>, %seed: tensor<i64>, %step: tensor<i64>)
        -> tensor<Nxf64> {
      %bits = ens.rng_bits %seed, %step {site = 7 : i64}
          : tensor<i64>, tensor<i64> -> tensor<Nxui32>
      %0 = ens.convert %bits : tensor<Nxui32> to tensor<Nxf64>
      return %0 : tensor<Nxf64>
    }
    func.func private @noise_vjp(%w: tensor<f64>, %seed: tensor<i64>, %step: tensor<i64>,
                                 %dy: tensor<Nxf64>) -> tensor<f64> {
      return %w : tensor<f64>
    }
    func.func @loss(%w: tensor<f64> {ens.name = "w"},
                    %x: tensor<Nxf64> {ens.name = "x", ens.role = "data"},
                    %seed: tensor<i64> {ens.name = "seed", ens.role = "seed"},
                    %step: tensor<i64> {ens.name = "step", ens.role = "step"})
        -> tensor<Nxf64> {
      %0 = CALL
          : (tensor<f64>, tensor<i64>, tensor<i64>) -> tensor<Nxf64>
      return %0 : tensor<Nxf64>
    }
    ens.learner @net {init = @init, loss = @loss, batch_size = N : i64,
        optimizer = #ens.sgd<lr = 1.0>, rows = 8 : i64, validation_rows = 7 : i64})mlir";
  std::string call =
      custom ? "ens.custom_grad @noise(%w, %seed, %step) vjp = @noise_vjp"
             : "func.call @noise(%w, %seed, %step)";
  text.replace(text.find("CALL"), 4, call);
  // Types and sizes: no other word has this letter.
  for (size_t at; (at = text.find('N')) != std::string::npos;)
    text.replace(at, 1, rows);
  return text;
}

// The numbers of a row in an evaluation are those of its position in the data,
// whatever the size of a batch.
TEST(LearnerTest, EvaluationDrawsForEachRow) {
  CompiledText oneDraw(R"mlir(
    func.func @mean(%seed: tensor<i64>, %step: tensor<i64>) -> tensor<f64> {
      %bits = ens.rng_bits %seed, %step {site = 7 : i64}
          : tensor<i64>, tensor<i64> -> tensor<7xui32>
      %0 = ens.convert %bits : tensor<7xui32> to tensor<7xf64>
      %1 = ens.mean %0 dims = [0] : (tensor<7xf64>) -> tensor<f64>
      return %1 : tensor<f64>
    })mlir");
  Tensor expected = oneDraw.call("mean", {index(3), index(5)})[0];
  for (bool custom : {false, true})
    for (int64_t batch : {1, 2, 3, 4, 7, 8}) {
      CompiledText program(noisyLearner(batch, custom));
      NamedTensors results = program.callByName(
          "net.evaluate", {{"w", Tensor::scalar(0.0)},
                           {"x_val", Tensor::zeros(DType::F64, {7})},
                           {"seed", index(3)},
                           {"step", index(5)}});
      expectTensor(results["val_loss"], expected);
    }
}

} // namespace
