//===- RunChoicesTest.cpp - What each run is ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"
#include "TinyPrograms.h"

#include "ensc/Artifact/Safetensors.h"

#include <cmath>

using namespace ensc;
using namespace ensc::test;

namespace {

class RunChoices : public TinyTest {
protected:
  static FitOptions makeOptions(int64_t runs) {
    FitOptions options;
    options.runs = runs;
    options.epochs = 3;
    options.hypers["lr"] = tinyRates(runs);
    options.hypers["rate"] = {0.25};
    return options;
  }

  /// Writes the state of a run as a file.
  static void writeState(const std::string &path, const Learner &learner,
                         int64_t run, bool withOptimizer) {
    Safetensors file;
    for (const std::string &name : learner.stateNames())
      if (withOptimizer || name.rfind("adam.", 0) != 0)
        file.tensors.push_back({name, *learner.parameter(run, name)});
    ASSERT_TRUE(writeSafetensors(path, file));
  }
};

TEST_F(RunChoices, SeedsMayBeGiven) {
  Learner counted = makeLearner(), given = makeLearner();
  FitOptions options = makeOptions(20);
  options.seed = 7;
  fit(counted, options);
  for (int64_t run = 0; run < 20; ++run)
    options.seeds.push_back(26 - run);
  options.hypers["lr"].clear();
  for (int64_t run = 0; run < 20; ++run)
    options.hypers["lr"].push_back(tinyRates(20)[19 - run]);
  FitReport report = fit(given, options);
  for (int64_t run = 0; run < 20; ++run) {
    EXPECT_EQ(report.runs[run].seed, 26 - run);
    EXPECT_TRUE(sameState(stateOf(given, run), stateOf(counted, 19 - run)));
  }
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

TEST_F(RunChoices, ProgramsTrainSideBySide) {
  CompileOptions other = tinyOptions(Backend::Jit, 8);
  other.optimizer = "sgd<lr = 0.1>";
  other.batchSize = 7;
  std::optional<Executable> sgd = compile(other);
  Learner learner = makeLearner({*jit, *sgd});
  EXPECT_EQ(learner.programs(), 2);
  FitOptions options = makeOptions(37);
  options.hypers["beta1"].assign(37, 0.8);
  for (int64_t run = 0; run < 37; ++run) {
    options.programs.push_back(run % 3 == 0);
    if (run % 3 == 0)
      options.hypers["beta1"][run] = std::nan("");
  }
  for (int threads : {1, 2}) {
    options.threads = threads;
    FitReport report = fit(learner, options);
    EXPECT_EQ(report.runs[3].program, 1);
    EXPECT_EQ(report.runs[3].steps, 6);
    EXPECT_EQ(report.runs[4].steps, 9);
    expectSameAlone(learner, report, options, makeLearner({*jit, *sgd}),
                    {0, 1, 17, 36});
    // And as a learner of its program alone.
    for (int64_t run : {3, 4}) {
      FitOptions single;
      single.epochs = 3;
      single.seed = run;
      single.hypers["lr"] = {options.hypers["lr"][run]};
      single.hypers["rate"] = {0.25};
      if (run == 4)
        single.hypers["beta1"] = {0.8};
      Learner alone = makeLearner({run == 3 ? *sgd : *jit});
      FitReport own = fit(alone, single);
      EXPECT_TRUE(
          sameState(stateOf(alone, 0), stateOf(learner, run, run == 3)));
      expectSameRecords(own.runs[0].epochs, report.runs[run].epochs);
    }
  }
  options.hypers["beta1"][6] = 0.5;
  EXPECT_EQ(errorOf(learner, options),
            "the hyper-parameter 'beta1' is set for run 6, whose program has "
            "none of this name; give it NaN");
  options.hypers.erase("beta1");
  options.inFlight = 1;
  EXPECT_EQ(errorOf(learner, options),
            "there must be a run in flight of each of 2 programs, got 1");
}

TEST_F(RunChoices, ProgramsMustWatchTheSameMetric) {
  CompileOptions other = tinyOptions(Backend::Interpret);
  other.validationRows.reset();
  std::optional<Executable> unwatched = compile(other);
  Expected<Learner> learner = Learner::create({*jit, *unwatched});
  ASSERT_FALSE(learner);
  EXPECT_EQ(learner.error().message(),
            "the programs of a learner must watch the same metric, got "
            "'val_accuracy' and 'loss'");
}

//===----------------------------------------------------------------------===//
// Initial states
//===----------------------------------------------------------------------===//

TEST_F(RunChoices, RunsMayBeginWithAFile) {
  TemporaryDirectory directory;
  Learner learner = makeLearner();
  FitOptions options = makeOptions(5);
  fit(learner, options);
  auto drawn = statesOf(learner, 5);
  options.epochs = 0;
  fit(learner, options);
  writeState(directory.file("2"), learner, 2, /*withOptimizer=*/false);
  writeState(directory.file("3"), learner, 3, /*withOptimizer=*/true);
  options.epochs = 3;
  // The own initial state changes nothing, that of another run does.
  options.initialStates = {"", directory.file("3"), directory.file("2"),
                           directory.file("3"), ""};
  FitReport report = fit(learner, options);
  for (int64_t run : {0, 2, 3, 4})
    EXPECT_TRUE(sameState(stateOf(learner, run), drawn[run])) << run;
  EXPECT_FALSE(sameState(stateOf(learner, 1), drawn[1]));
  expectSameAlone(learner, report, options, makeLearner(), {1, 2});
  options.maxSteps = {0, 0, 9, 9, 9};
  report = fit(learner, options);
  for (int64_t run : {0, 1})
    EXPECT_EQ(report.runs[run].reason, "max_steps");
}

TEST_F(RunChoices, FilesThatDoNotFitAreRefused) {
  TemporaryDirectory directory;
  Learner learner = makeLearner();
  FitOptions options = makeOptions(2);
  std::string path = directory.file("s");
  auto errorWith = [&](std::vector<NamedTensor> tensors) {
    EXPECT_TRUE(writeSafetensors(path, {std::move(tensors), {}}));
    options.initialStates = {"", path};
    std::string message = errorOf(learner, options);
    EXPECT_EQ(message.rfind(path + ": ", 0), 0u) << message;
    return message.substr(std::min(message.size(), path.size() + 2));
  };
  NamedTensor w1 = {"w1", Tensor::zeros(DType::F32, {3, 5})};
  NamedTensor b1 = {"b1", Tensor::zeros(DType::F32, {5})};
  NamedTensor w2 = {"w2", Tensor::zeros(DType::F32, {5, 2})};
  EXPECT_EQ(errorWith({w1, b1}), "the parameter 'w2' (5x2xf32) is missing; did "
                                 "you mean 'w1'? (it has w1, b1)");
  w2.tensor = Tensor::zeros(DType::F64, {5, 2});
  EXPECT_EQ(errorWith({w1, b1, w2}), "'w2' (5x2xf32) is given as 5x2xf64");
  w2.tensor = Tensor::zeros(DType::F32, {5, 2});
  EXPECT_EQ(errorWith({w1, b1, w2, {"w3", w1.tensor}}),
            "the program has no parameter 'w3'; did you mean 'w1'? (it has w1, "
            "b1, w2)");
  // What another optimizer left may be there.
  ASSERT_TRUE(
      writeSafetensors(path, {{w1, b1, w2, {"momentum.v.w1", w1.tensor}}, {}}));
  EXPECT_EQ(errorOf(learner, options), "no error");
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The rows of a tensor that `rows` names.
Tensor gather(const Tensor &tensor, const std::vector<int64_t> &rows) {
  Shape shape = tensor.shape();
  size_t bytes = tensor.sizeInBytes() / shape[0];
  shape[0] = static_cast<int64_t>(rows.size());
  Tensor result = Tensor::zeros(tensor.dtype(), shape);
  for (size_t i = 0; i < rows.size(); ++i)
    std::memcpy(static_cast<char *>(result.bytes()) + i * bytes,
                static_cast<const char *>(tensor.bytes()) + rows[i] * bytes,
                bytes);
  return result;
}

TEST_F(RunChoices, FoldsTrainOnAllOtherRows) {
  constexpr int64_t folds = 3, fold = tinyRows / folds;
  CompileOptions own = tinyOptions(Backend::Interpret);
  own.ownRows = OwnRows{tinyRows - fold, fold};
  CompileOptions plain = tinyOptions(Backend::Interpret);
  plain.rows = tinyRows - fold;
  plain.validationRows = fold;
  Learner learner = makeLearner({*compile(own)});
  Learner alone = makeLearner({*compile(plain)});
  FitOptions options = makeOptions(2 * folds);
  options.threads = 2;
  for (int64_t run = 0; run < options.runs; ++run)
    options.rowChoices.push_back({RowChoice::Fold, run % folds, folds, {}});
  FitReport report = fit(learner, options);
  auto [x, y] = tinyData(tinyRows, 1);
  for (int64_t run = 0; run < options.runs; ++run) {
    std::vector<int64_t> training, validation;
    for (int64_t row = 0; row < tinyRows; ++row)
      (row / fold == run % folds ? validation : training).push_back(row);
    ASSERT_TRUE(alone.setData("x", gather(x, training)));
    ASSERT_TRUE(alone.setData("y", gather(y, training)));
    ASSERT_TRUE(alone.setData("x_val", gather(x, validation)));
    ASSERT_TRUE(alone.setData("y_val", gather(y, validation)));
    FitOptions single = options;
    single.rowChoices.clear();
    single.onlyRun = run;
    FitReport own = fit(alone, single);
    EXPECT_TRUE(sameState(stateOf(alone, run), stateOf(learner, run))) << run;
    expectSameRecords(own.runs[0].epochs, report.runs[run].epochs);
  }
  options.rowChoices = {{RowChoice::Fold, 3, 3, {}}};
  EXPECT_EQ(errorOf(learner, options), "run 0: there is no fold 3 of 3; they "
                                       "are counted from 0");
  options.rowChoices = {{RowChoice::Fold, 0, 2, {}}};
  EXPECT_EQ(errorOf(learner, options),
            "run 0: the choice gives 7 of 14 rows to train on, but the program "
            "was compiled for 10");
  options.rowChoices = {{RowChoice::Bootstrap, 0, 0, {}}};
  EXPECT_EQ(errorOf(learner, options),
            "run 0: the program validates on rows that a fold leaves out, so "
            "that each run must have a fold");
}

TEST_F(RunChoices, SubsetsAndBootstrapSamples) {
  CompileOptions own = tinyOptions(Backend::Interpret);
  own.ownRows = OwnRows{9, 0};
  CompileOptions plain = tinyOptions(Backend::Interpret);
  plain.rows = 9;
  Learner learner = makeLearner({*compile(own)});
  Learner alone = makeLearner({*compile(plain)});
  FitOptions options = makeOptions(4);
  std::vector<int64_t> some = {3, 3, 0, 13, 7, 1, 2, 9, 8};
  RowChoice subset = {RowChoice::Subset, 0, 0, some};
  RowChoice sample = {RowChoice::Bootstrap, 0, 0, {}};
  options.rowChoices = {subset, sample, subset, sample};
  FitReport report = fit(learner, options);
  auto [x, y] = tinyData(tinyRows, 1);
  ASSERT_TRUE(alone.setData("x", gather(x, some)));
  ASSERT_TRUE(alone.setData("y", gather(y, some)));
  for (int64_t run : {0, 2}) {
    FitOptions single = options;
    single.rowChoices.clear();
    single.onlyRun = run;
    fit(alone, single);
    EXPECT_TRUE(sameState(stateOf(alone, run), stateOf(learner, run))) << run;
  }
  expectSameAlone(learner, report, options, makeLearner({*compile(own)}),
                  {1, 2, 3});
  // Samples depend on the seed alone.
  options.rowChoices = {sample};
  options.seeds = {5, 1, 5, 3};
  options.hypers["lr"] = {0.01};
  fit(learner, options);
  EXPECT_TRUE(sameState(stateOf(learner, 0), stateOf(learner, 2)));
  options.rowChoices = {
      {RowChoice::Subset, 0, 0, {14, 1, 2, 3, 4, 5, 6, 7, 8}}};
  EXPECT_EQ(errorOf(learner, options),
            "run 0: row 14 is not one of the 14 rows of the data, which are "
            "counted from 0");
  Learner whole = makeLearner();
  EXPECT_EQ(errorOf(whole, options), "the program trains on all rows; compile "
                                     "it with rows of each run's own");
}

TEST_F(RunChoices, OrdersMayDiffer) {
  CompileOptions compileOptions = tinyOptions(Backend::Interpret);
  compileOptions.shuffle = "shared";
  Learner shared = makeLearner({*compile(compileOptions)});
  compileOptions.perRun = {"order_seed"};
  Learner own = makeLearner({*compile(compileOptions)});
  FitOptions options = makeOptions(6);
  options.orderSeeds = {4, 5, 6, 7, 8, 9};
  EXPECT_EQ(errorOf(shared, options),
            "all runs share the order of the rows; compile the program with "
            "'order_seed' per run to give each its own");
  Learner unordered = makeLearner();
  EXPECT_EQ(errorOf(unordered, options),
            "the program takes no order_seed; it needs shuffle = \"shared\"");
  fit(own, options);
  for (int64_t run = 0; run < 6; ++run) {
    FitOptions single = options;
    single.orderSeeds = {4 + run};
    fit(shared, single);
    EXPECT_TRUE(sameState(stateOf(own, run), stateOf(shared, run))) << run;
  }
}

} // namespace
