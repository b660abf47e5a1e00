//===- FitTest.cpp - Fits without a compiler ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels are functions of this file, so that sanitizers see how runs share
// memory and threads.
//
//===----------------------------------------------------------------------===//

#include "MemorySink.h"
#include "ToySearch.h"

#include <atomic>
#include <cmath>

using namespace ensc;
using namespace ensc::test;

namespace {

ManifestValue value(const std::string &name, const std::string &role,
                    Shape shape = {}, DType dtype = DType::F32) {
  ManifestValue result;
  result.name = name;
  result.role = role;
  result.shape = std::move(shape);
  result.dtype = dtype;
  result.perRun = role != "data";
  return result;
}

template <typename T> T read(const void *from) {
  T result;
  std::memcpy(&result, from, sizeof(T));
  return result;
}

/// Initial state: the seed, three times.
int64_t init(const ensc_group *group, int64_t, int64_t) {
  for (uint32_t lane = 0; lane < group->lanes; ++lane) {
    auto seed = static_cast<float>(read<int64_t>(group->arguments[lane]) % 97);
    float state[3] = {seed, seed + 1.0f, seed + 2.0f};
    std::memcpy(group->results[lane], state, sizeof(state));
  }
  return 0;
}

/// w += lr * (x - w) in every step; the loss is |x - w[0]|. The arguments are
/// w, x, lr, loss_sum; the results w, loss_sum.
int64_t train(const ensc_group *group, int64_t begin, int64_t end) {
  uint32_t lanes = group->lanes;
  auto x = read<float>(group->arguments[lanes]);
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    float state[3];
    std::memcpy(state, group->arguments[lane], sizeof(state));
    auto lr = read<float>(group->arguments[lanes + 1 + lane]);
    auto loss = read<float>(group->arguments[2 * lanes + 1 + lane]);
    for (int64_t step = begin; step < end; ++step) {
      for (float &element : state)
        element += lr * (x - element);
      loss += std::fabs(x - state[0]);
    }
    std::memcpy(group->results[lane], state, sizeof(state));
    std::memcpy(group->results[lanes + lane], &loss, sizeof(loss));
  }
  return end;
}

ManifestInstance instance(int64_t lanes) {
  ManifestInstance result;
  result.lanes = lanes;
  result.flopsPerStep = 9;
  result.cyclesPerStep = 20;
  return result;
}

Executable makeProgram(int64_t stepsPerEpoch) {
  Manifest manifest;
  manifest.cpu = "test";
  ManifestValue w = value("w", "param", {3});
  ManifestValue lr = value("lr", "hyper");
  lr.defaultValue = 0.1;
  ManifestValue seed = value("seed", "seed", {}, DType::I64);
  ManifestValue sum = value("loss_sum", "state");
  ManifestEntry initEntry, fitEntry;
  initEntry.name = "l.init";
  initEntry.arguments = {seed};
  initEntry.results = {w};
  fitEntry.name = "l.fit";
  fitEntry.arguments = {w, value("x", "data", {1}), lr, sum};
  fitEntry.results = {w, sum};
  for (ManifestEntry *entry : {&initEntry, &fitEntry}) {
    entry->solo = instance(1);
    entry->lanes = instance(8);
  }
  manifest.entries = {initEntry, fitEntry};
  ManifestLearner learner;
  learner.name = "l";
  learner.stepsPerEpoch = stepsPerEpoch;
  learner.monitor = "loss";
  manifest.learners = {learner};
  return Executable(Program(manifest, {{init, init}, {train, train}}, nullptr));
}

Learner makeLearner() {
  Expected<Learner> learner = Learner::create({makeProgram(5), makeProgram(7)});
  EXPECT_TRUE(learner) << learner.error().message();
  EXPECT_TRUE(learner->setData("x", Tensor::of<float>({1}, {2.0f})));
  return std::move(*learner);
}

FitOptions makeOptions(int64_t runs) {
  FitOptions options;
  options.runs = runs;
  options.epochs = 40;
  options.threads = 3;
  for (int64_t run = 0; run < runs; ++run) {
    options.programs.push_back(run % 4 == 1);
    options.hypers["lr"].push_back(run % 9 == 4 ? 1e30 : 0.001 * (run % 50));
    options.maxSteps.push_back(run % 3 ? 1000 : run);
  }
  return options;
}

/// Trains once, then with interruptions from another thread.
void expectResumes(FitOptions options, bool searches = false) {
  auto renew = [&] {
    if (searches)
      options.search = std::make_shared<ToySearch>();
  };
  renew();
  KeptFit expected, kept;
  {
    Learner learner = makeLearner();
    MemorySink sink(expected);
    Expected<FitReport> report = learner.fit(options, sink);
    ASSERT_TRUE(report) << report.error().message();
  }
  for (int attempt = 0;; ++attempt) {
    ASSERT_LT(attempt, 1000);
    renew();
    std::atomic<bool> flag{false};
    Learner learner = makeLearner();
    MemorySink sink(kept);
    options.interrupt = &flag;
    options.threads = 1 + attempt % 3;
    sink.onRecords = [&, calls = 0]() mutable { flag = ++calls > 2 + attempt; };
    if (learner.fit(options, sink)) {
      EXPECT_GT(attempt, 0);
      break;
    }
  }
  expected.events.clear();
  kept.events.clear();
  expectSameFit(expected, kept);
}

TEST(Fit, RunsAloneAreRunsAmongOthers) {
  FitOptions options = makeOptions(150);
  Learner learner = makeLearner(), alone = makeLearner();
  Expected<FitReport> report = learner.fit(options);
  ASSERT_TRUE(report) << report.error().message();
  for (int64_t run = 0; run < 150; run += 7) {
    options.onlyRun = run;
    Expected<FitReport> own = alone.fit(options);
    ASSERT_TRUE(own);
    expectSameReport(own->runs[0], report->runs[run]);
    expectSameRecords(own->runs[0].epochs, report->runs[run].epochs);
    EXPECT_TRUE(sameState(stateOf(alone, run), stateOf(learner, run)));
  }
}

TEST(Fit, GoesOnAfterInterruptions) {
  FitOptions options = makeOptions(150);
  expectResumes(options);
  options.inFlight = 40;
  expectResumes(options);
}

TEST(Fit, GoesOnWithAGoalAndASearch) {
  FitOptions options = makeOptions(150);
  options.inFlight = 50;
  options.patience = {6};
  options.goal = Goal{"loss", true, 0.02, 12};
  expectResumes(options);
  options = makeOptions(60);
  options.programs.clear();
  expectResumes(options, /*searches=*/true);
}

} // namespace
