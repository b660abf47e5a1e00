//===- TrainingCorpusTest.cpp - Conformance cases about training ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Learner/TinyLearner.h"

#include <cmath>
#include <map>

using namespace ensc;
using namespace ensc::test;

namespace {
constexpr Backend backends[] = {Backend::Jit, Backend::Interpret};

std::optional<Executable> compile(const std::string &text, Backend backend,
                                  std::vector<std::string> perRun = {}) {
  CompileOptions options;
  options.backend = backend;
  options.lanes = 8;
  options.perRun = std::move(perRun);
  options.cache = false;
  Expected<Executable> program = Compiler(options).compile(text, "test");
  EXPECT_TRUE(program) << program.error().message();
  return program ? std::optional<Executable>(*program) : std::nullopt;
}

Learner makeLearner(const Executable &program) {
  Expected<Learner> learner = Learner::create(program);
  EXPECT_TRUE(learner) << learner.error().message();
  return std::move(*learner);
}

Tensor labels(const Shape &shape, const std::vector<int32_t> &values) {
  Tensor tensor = Tensor::zeros(DType::I32, shape);
  std::copy(values.begin(), values.end(), tensor.data<int32_t>());
  return tensor;
}

/// The results of the steps [begin, end) of one run by name. What `given` does
/// not name has its default, or is 0.
std::map<std::string, Tensor>
callSteps(const Executable &program, const std::string &name,
          const std::map<std::string, Tensor> &given, int64_t begin,
          int64_t end) {
  const ManifestEntry &entry = *program.manifest().findEntry(name);
  std::vector<Tensor> arguments;
  for (const ManifestValue &argument : entry.arguments) {
    Tensor tensor = Tensor::zeros(argument.dtype, argument.shapeFor(1));
    if (auto found = given.find(argument.name); found != given.end())
      tensor = found->second;
    else if (argument.defaultValue)
      tensor.data<float>()[0] = static_cast<float>(*argument.defaultValue);
    arguments.push_back(tensor);
  }
  CallOptions options;
  options.beginStep = begin;
  options.endStep = end;
  auto results = program.call(name, arguments, options);
  EXPECT_TRUE(results) << results.error().message();
  std::map<std::string, Tensor> named;
  for (size_t i = 0; results && i < results->size(); ++i)
    named[entry.results[i].name] = (*results)[i];
  return named;
}

TEST(TrainingCorpusTest, RNG_A09_ARunDoesNotDependOnWhatRanBefore) {
  constexpr int64_t runs = 5, run = 3;
  for (Backend backend : backends) {
    CompileOptions compileOptions = tinyOptions(backend, 8);
    compileOptions.cache = false;
    auto program = Compiler(compileOptions).compileFile(ENSC_TINY_MODEL);
    ASSERT_TRUE(program) << program.error().message();
    Learner learner = makeLearner(*program);
    giveTinyData(learner);
    FitOptions options;
    options.runs = runs;
    options.epochs = 2;
    options.hypers["rate"] = {0.5};
    auto train = [&](std::optional<int64_t> only) {
      options.onlyRun = only;
      Expected<FitReport> report = learner.fit(options);
      EXPECT_TRUE(report) << report.error().message();
    };
    train(run);
    auto alone = stateOf(learner, run);
    train(0);
    auto other = stateOf(learner, 0);
    train(run);
    EXPECT_TRUE(sameState(stateOf(learner, run), alone));
    train(std::nullopt);
    EXPECT_TRUE(sameState(stateOf(learner, run), alone));
    EXPECT_TRUE(sameState(stateOf(learner, 0), other));
    EXPECT_FALSE(sameState(alone, other));
  }
}

TEST(TrainingCorpusTest, CKP_A01_AScheduleOfEpochsGoesOnWhereItStopped) {
  for (Backend backend : backends) {
    auto program = compile(R"mlir(
func.func @fit(%rates: tensor<7xf64> {ens.name = "rates", ens.role = "state"},
               %begin: index {ens.name = "begin", ens.role = "begin"},
               %end: index {ens.name = "end", ens.role = "end"})
    -> (tensor<7xf64> {ens.name = "rates"}) {
  %c1 = arith.constant 1 : index
  %four = ens.constant dense<4> : tensor<i64>
  %high = ens.constant dense<100.0> : tensor<f64>
  %factor = ens.constant dense<0.1> : tensor<f64>
  %low = ens.mul %high, %factor : tensor<f64>
  %0 = scf.for %i = %begin to %end step %c1 iter_args(%a = %rates) -> (tensor<7xf64>) {
    %epoch = ens.from_index %i : tensor<i64>
    %late = ens.compare ge, %epoch, %four : tensor<i64>
    %rate = ens.select %late, %low, %high : tensor<f64>
    %one = ens.reshape %rate : tensor<f64> to tensor<1xf64>
    %b = ens.dynamic_update_slice %a, %one[%epoch]
        : (tensor<7xf64>, tensor<1xf64>, tensor<i64>) -> tensor<7xf64>
    scf.yield %b : tensor<7xf64>
  }
  return %0 : tensor<7xf64>
})mlir",
                           backend);
    ASSERT_TRUE(program);
    for (int64_t stop : {0, 2, 3, 4, 7}) {
      auto first = callSteps(*program, "fit", {}, 0, stop);
      Tensor rates = callSteps(*program, "fit", first, stop, 7)["rates"];
      const double expected[] = {100, 100, 100, 100, 10, 10, 10};
      for (int epoch = 0; epoch < 7; ++epoch)
        EXPECT_EQ(rates.data<double>()[epoch], expected[epoch])
            << "epoch " << epoch << ", stopped at " << stop;
    }
  }
}

TEST(TrainingCorpusTest, CKP_A03_AResumedScheduleCountsSteps) {
  for (Backend backend : backends) {
    auto program = compile(R"mlir(
func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"},
                %x: tensor<1xf32> {ens.name = "x", ens.role = "data"}) -> tensor<1xf32> {
  %0 = ens.reshape %w : tensor<f32> to tensor<1xf32>
  %1 = ens.mul %0, %x : tensor<1xf32>
  return %1 : tensor<1xf32>
}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64, rows = 50 : i64,
                  optimizer = #ens.sgd<lr = 1.0>, schedule = #ens.warmup<steps = 100.0>})mlir",
                           backend);
    ASSERT_TRUE(program);
    Tensor ones = Tensor::zeros(DType::F32, {50});
    std::fill_n(ones.data<float>(), 50, 1.0f);
    auto fit = [&](const Tensor &w, int64_t begin, int64_t end) {
      return callSteps(*program, "net.fit", {{"x", ones}, {"w", w}}, begin,
                       end)["w"];
    };
    Tensor zero = Tensor::zeros(DType::F32, {1});
    // Epoch 3 begins at step 150. The gradient is 1: w falls by the rate.
    EXPECT_EQ(fit(zero, 150, 151).data<float>()[0], -1.0f);
    EXPECT_EQ(fit(zero, 3, 4).data<float>()[0], -0.03f);
    Tensor whole = fit(zero, 0, 151);
    for (int64_t stop : {75, 100, 150})
      EXPECT_TRUE(fit(fit(zero, 0, stop), stop, 151).bitwiseEquals(whole))
          << stop;
  }
}

const char *const fiveClasses = R"mlir(
func.func @init() -> (tensor<5xf32> {ens.name = "w"}) {
  %0 = ens.constant dense<0.0> : tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @loss(%w: tensor<5xf32> {ens.name = "w"},
                %y: tensor<3xi32> {ens.name = "y", ens.role = "data"}) -> tensor<3xf32> {
  %0 = ens.broadcast %w dims = [1] : tensor<5xf32> to tensor<3x5xf32>
  %1 = ens.softmax_cross_entropy %0, %y : (tensor<3x5xf32>, tensor<3xi32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
ens.learner @net {init = @init, loss = @loss, batch_size = 3 : i64, rows = 3 : i64,
                  optimizer = #ens.sgd<lr = 1.0>})mlir";

std::string trainingError(const Executable &program, const Tensor &y,
                          int64_t runs) {
  Learner learner = makeLearner(program);
  EXPECT_TRUE(learner.setData("y", y));
  FitOptions options;
  options.runs = runs;
  options.epochs = 1;
  Expected<FitReport> report = learner.fit(options);
  return report ? "no error" : report.error().message();
}

TEST(TrainingCorpusTest, BAD_A01_LabelsOutOfRangeAreRefused) {
  for (Backend backend : backends) {
    auto program = compile(fiveClasses, backend);
    ASSERT_TRUE(program);
    EXPECT_EQ(trainingError(*program, labels({3}, {1, 4, 0}), 1), "no error");
    EXPECT_EQ(trainingError(*program, labels({3}, {1, 2, -4}), 1),
              "the data 'y' has the label -4 in row 2; labels must be in "
              "[0, 5)");
    EXPECT_EQ(trainingError(*program, labels({3}, {1, 5, 0}), 1),
              "the data 'y' has the label 5 in row 1; labels must be in "
              "[0, 5)");
    auto own = compile(fiveClasses, backend, {"y"});
    ASSERT_TRUE(own);
    EXPECT_EQ(trainingError(*own, labels({2, 3}, {0, 1, 2, 3, 4, 5}), 2),
              "the data 'y' has the label 5 in row 2 of run 1; labels must be "
              "in [0, 5)");

    // A call of the function itself is refused, too, and so are steps that do
    // not exist.
    const ManifestEntry &fit = *program->manifest().findEntry("net.fit");
    std::vector<Tensor> arguments;
    for (const ManifestValue &argument : fit.arguments)
      arguments.push_back(
          argument.name == "y"
              ? labels({3}, {1, 5, 0})
              : Tensor::zeros(argument.dtype, argument.shapeFor(1)));
    auto results = program->call("net.fit", arguments);
    ASSERT_FALSE(results);
    EXPECT_EQ(results.error().message(),
              "argument 'y' of @net.fit has the label 5 in row 1; labels must "
              "be in [0, 5)");
    CallOptions options;
    options.beginStep = -1;
    results = program->call("net.fit", arguments, options);
    ASSERT_FALSE(results);
    EXPECT_EQ(results.error().message(),
              "steps count upwards from 0, got the steps from -1 to 0");
  }
}

// Rows that a program leaves out itself count neither as labels nor as rows.
TEST(TrainingCorpusTest, BAD_A01_IgnoredLabelsAreTheProgramsBusiness) {
  std::string program = fiveClasses;
  size_t from = program.find("func.func @loss"),
         to = program.find("ens.learner");
  program.replace(from, to - from, R"mlir(
func.func @loss(%w: tensor<5xf32> {ens.name = "w"},
                %y: tensor<3xi32> {ens.name = "y", ens.role = "data"}) -> tensor<f32> {
  %none = ens.constant dense<0> : tensor<3xi32>
  %off = ens.constant dense<0.0> : tensor<3xf32>
  %there = ens.compare ge, %y, %none : tensor<3xi32>
  %label = ens.select %there, %y, %none : tensor<3xi32>
  %0 = ens.broadcast %w dims = [1] : tensor<5xf32> to tensor<3x5xf32>
  %1 = ens.softmax_cross_entropy %0, %label : (tensor<3x5xf32>, tensor<3xi32>) -> tensor<3xf32>
  %2 = ens.select %there, %1, %off : tensor<3xf32>
  %3 = ens.reduce sum, %2 dims = [0] : (tensor<3xf32>) -> tensor<f32>
  %4 = ens.convert %there : tensor<3xi1> to tensor<3xf32>
  %5 = ens.reduce sum, %4 dims = [0] : (tensor<3xf32>) -> tensor<f32>
  %6 = ens.div %3, %5 : tensor<f32>
  return %6 : tensor<f32>
}
)mlir");
  for (Backend backend : backends) {
    auto executable = compile(program, backend);
    ASSERT_TRUE(executable);
    Learner learner = makeLearner(*executable);
    ASSERT_TRUE(learner.setData("y", labels({3}, {1, 2, -1})));
    FitOptions options;
    options.epochs = 1;
    Expected<FitReport> report = learner.fit(options);
    ASSERT_TRUE(report) << report.error().message();
    EXPECT_NEAR(report->runs[0].epochs[0].values[0], std::log(5.0), 1e-6);
  }
}

TEST(TrainingCorpusTest, USR_A01_EachRunHasItsOwnLearningRate) {
  for (Backend backend : backends) {
    auto program = compile(R"mlir(
func.func @init() -> (tensor<f64> {ens.name = "theta"}) {
  %0 = ens.constant dense<1.0> : tensor<f64>
  return %0 : tensor<f64>
}
func.func @loss(%theta: tensor<f64> {ens.name = "theta"}) -> tensor<f64> {
  %0 = ens.mul %theta, %theta : tensor<f64>
  return %0 : tensor<f64>
}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 1.0>})mlir",
                           backend);
    ASSERT_TRUE(program);
    Learner learner = makeLearner(*program);
    FitOptions options;
    options.runs = 2;
    options.hypers["lr"] = {0.1, 0.01};
    auto expectTheta = [&](int64_t steps, double first, double second) {
      options.epochs = steps;
      Expected<FitReport> report = learner.fit(options);
      ASSERT_TRUE(report) << report.error().message();
      double expected[] = {first, second};
      for (int64_t run : {0, 1})
        EXPECT_NEAR(learner.parameter(run, "theta")->data<double>()[0],
                    expected[run], 1e-15);
    };
    expectTheta(1, 0.8, 0.98);
    expectTheta(3, 0.512, 0.941192);
  }
}
} // namespace
