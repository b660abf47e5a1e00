//===- StoppingTest.cpp - Runs that end early -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyPrograms.h"
#include "ToySearch.h"

#include <cmath>

using namespace ensc;
using namespace ensc::test;

namespace {

class Stopping : public TinyTest {
protected:
  static FitOptions makeOptions(int64_t runs) {
    FitOptions options;
    options.runs = runs;
    options.epochs = 10;
    options.hypers["lr"] = tinyRates(runs);
    return options;
  }
};

TEST_F(Stopping, PatienceEndsRunsThatMakeNoProgress) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(19);
  options.patience.assign(19, 3);
  options.patience[4] = 0;
  for (int64_t run : {3, 4, 18})
    options.hypers["lr"][run] = 0.0;
  FitReport report = fit(learner, options);
  for (int64_t run : {3, 18}) {
    // The first record is progress, the next three are not.
    EXPECT_EQ(report.runs[run].status, RunStatus::Stopped);
    EXPECT_EQ(report.runs[run].reason, "patience");
    EXPECT_EQ(report.runs[run].steps, 12);
    EXPECT_EQ(report.runs[run].epochs.size(), 4u);
  }
  EXPECT_EQ(report.runs[4].status, RunStatus::Completed);
  EXPECT_EQ(report.runs[4].reason, "");
  EXPECT_EQ(learner.progress().done, report.runSteps);
  EXPECT_EQ(learner.progress().planned, report.runSteps);
  expectSameAlone(learner, report, options, makeLearner(), {0, 3, 4, 11, 18});
}

TEST_F(Stopping, ProgressMustBeMoreThanTheLeast) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(5);
  options.patience = {2};
  options.minDelta = 1.0;
  FitReport report = fit(learner, options);
  for (const RunReport &run : report.runs)
    EXPECT_EQ(run.steps, 9);
  // Only records with the monitored metric count.
  options.validateEvery = 2;
  report = fit(learner, options);
  for (const RunReport &run : report.runs)
    EXPECT_EQ(run.steps, 18);
}

TEST_F(Stopping, DivergedRunsSayWhatWasNotFinite) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(3);
  options.hypers["lr"][1] = 1e30;
  options.recordEvery = 2;
  FitReport report = fit(learner, options);
  EXPECT_EQ(report.runs[1].status, RunStatus::Diverged);
  EXPECT_EQ(report.runs[1].reason, "loss");
  EXPECT_FALSE(std::isfinite(report.runs[1].value));
  EXPECT_EQ(report.runs[1].steps % 2, 0);
  EXPECT_LT(report.runs[1].steps, 10);
  EXPECT_EQ(report.runs[0].steps, 30);
}

TEST_F(Stopping, RecordsAreMeansSinceTheLastOne) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(4);
  options.epochs = 3;
  options.recordEvery = 1;
  options.maxSteps = {9, 7, 9, 1};
  FitReport each = fit(learner, options);
  auto states = statesOf(learner, 4);
  options.recordEvery = 4;
  FitReport some = fit(learner, options);
  for (int64_t run = 0; run < 4; ++run) {
    EXPECT_TRUE(sameState(stateOf(learner, run), states[run]));
    int64_t begin = 0;
    for (const EpochRecord &record : some.runs[run].epochs) {
      float sum = 0.0f;
      for (int64_t step = begin; step < record.step; ++step)
        sum += static_cast<float>(each.runs[run].epochs[step].values[0]);
      EXPECT_EQ(record.values[0], static_cast<double>(sum) /
                                      static_cast<double>(record.step - begin));
      EXPECT_EQ(record.epoch, (record.step - 1) / 3);
      begin = record.step;
    }
    EXPECT_EQ(begin, std::min<int64_t>(options.maxSteps[run], 9));
    EXPECT_TRUE(
        sameNumbers(some.runs[run].final, some.runs[run].epochs.back().values));
  }
}

TEST_F(Stopping, WithoutMetricsOnlyTheLastRecordIsThere) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(5);
  options.maxSteps = {30, 8, 0, 9, 1};
  FitReport with = fit(learner, options);
  auto states = statesOf(learner, 5);
  options.metrics = false;
  FitReport without = fit(learner, options);
  for (int64_t run = 0; run < 5; ++run) {
    EXPECT_TRUE(sameState(stateOf(learner, run), states[run]));
    EXPECT_TRUE(sameNumbers(with.runs[run].final, without.runs[run].final));
    EXPECT_EQ(without.runs[run].epochs.size(), run == 2 ? 0u : 1u);
  }
  options.patience = {1};
  EXPECT_EQ(errorOf(learner, options),
            "a fit without metrics cannot be stopped by them; turn them on, or "
            "leave out patience, goal, search and callbacks");
}

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

TEST_F(Stopping, TheGoalEndsAllRuns) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(100);
  options.epochs = 40;
  options.inFlight = 20;
  options.goal = Goal{"loss", true, 0.55, 1};
  KeptFit kept;
  MemorySink sink(kept);
  Expected<FitReport> report = learner.fit(options, sink);
  ASSERT_TRUE(report) << report.error().message();
  int64_t reached = -1, pending = 0;
  for (const RunReport &run : report->runs) {
    if (run.status == RunStatus::Reached) {
      EXPECT_EQ(run.reason, "goal");
      EXPECT_LT(run.final[0], 0.55);
      reached = run.run;
    } else if (run.status == RunStatus::Stopped) {
      EXPECT_EQ(run.reason, "goal");
      EXPECT_EQ(run.steps % 6, 0) << "32 sync points of 40 epochs";
    }
    pending += run.status == RunStatus::Pending;
  }
  ASSERT_GE(reached, 0);
  EXPECT_GT(pending, 0);
  // Its seed alone gives the same bytes.
  FitOptions single;
  single.seed = reached;
  single.epochs = 40;
  single.goal = options.goal;
  single.hypers["lr"] = {options.hypers["lr"][reached]};
  Learner alone = makeLearner();
  FitReport own = fit(alone, single);
  EXPECT_EQ(own.runs[0].status, RunStatus::Reached);
  EXPECT_EQ(own.runs[0].steps, report->runs[reached].steps);
  EXPECT_TRUE(sameState(stateOf(alone, 0), kept.states[reached]));
}

TEST_F(Stopping, WaitingRunsStartInOrder) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(50);
  options.inFlight = 18;
  options.threads = 2;
  for (int64_t run = 0; run < 50; ++run)
    options.maxSteps.push_back(3 + run * 5 % 27);
  FitReport whole = fit(learner, makeOptions(50));
  auto states = [&] {
    FitOptions all = options;
    all.inFlight = 0;
    fit(learner, all);
    return statesOf(learner, 50);
  }();
  std::string unordered;
  for (bool synced : {false, true}) {
    if (synced)
      options.callbacks.push_back({1, [&](Population &population) {
                                     if (population.live().size() > 18)
                                       unordered += "too many at once";
                                     return Status::success();
                                   }});
    KeptFit kept;
    MemorySink sink(kept);
    Expected<FitReport> report = learner.fit(options, sink);
    ASSERT_TRUE(report) << report.error().message();
    EXPECT_EQ(report->memory.inFlight, 18);
    ASSERT_EQ(kept.states.size(), 50u);
    for (int64_t run = 0; run < 50; ++run)
      EXPECT_TRUE(sameState(kept.states[run], states[run])) << run;
    std::string admitted;
    for (const std::string &event : kept.events)
      admitted += event.substr(event.find(' ', 9) + 1);
    std::string expected;
    for (int64_t run = 0; run < 50; ++run)
      expected += " " + std::to_string(run);
    EXPECT_EQ(admitted, expected);
  }
  EXPECT_EQ(unordered, "");
}

TEST_F(Stopping, DecisionsDoNotDependOnMemory) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(60);
  options.goal = Goal{"loss", true, 0.1, 1};
  // What takes least memory.
  options.schedule = RunSchedule::Solo;
  options.threads = 1;
  options.maxMemory = learner.planMemory(options)->peakBytes;
  ASSERT_TRUE(learner.planMemory(options));
  --options.maxMemory;
  std::string message = learner.planMemory(options).error().message();
  EXPECT_NE(message.find("set the number of runs in flight to no more"),
            std::string::npos)
      << message;
  options.inFlight = 16;
  EXPECT_TRUE(learner.planMemory(options));
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

TEST_F(Stopping, CallbacksSeeAndStopRuns) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(9);
  std::vector<int64_t> ticks;
  options.callbacks.push_back(
      {3, [&](Population &population) -> Status {
         ticks.push_back(population.tick());
         for (int64_t run : population.live()) {
           EXPECT_EQ(population.steps(run), 3 * population.tick());
           EXPECT_FALSE(std::isnan(population.latest(run, 0)));
           EXPECT_LE(population.best(run, 0), population.latest(run, 0));
         }
         if (population.tick() == 3)
           return population.stop(2, "callback");
         if (population.tick() == 6)
           EXPECT_FALSE(population.stop(2, "again"));
         if (population.tick() == 9)
           return population.stopAll("enough");
         return Status::success();
       }});
  FitReport report = fit(learner, options);
  EXPECT_EQ(ticks, (std::vector<int64_t>{3, 6, 9}));
  for (const RunReport &run : report.runs) {
    EXPECT_EQ(run.status, RunStatus::Stopped);
    EXPECT_EQ(run.reason, run.run == 2 ? "callback" : "enough");
    EXPECT_EQ(run.steps, run.run == 2 ? 9 : 27);
  }
}

TEST_F(Stopping, AnErrorOfACallbackLeavesASnapshot) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(9);
  bool fails = true;
  options.callbacks.push_back({4, [&](Population &) -> Status {
                                 return fails ? Error(ErrorKind::Io,
                                                      "no mail could be sent")
                                              : Status::success();
                               }});
  KeptFit kept;
  MemorySink first(kept);
  first.keepEvery = 1000000;
  Expected<FitReport> report = learner.fit(options, first);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message(), "no mail could be sent");
  ASSERT_TRUE(kept.snapshot);
  EXPECT_EQ(kept.snapshot->reports[0].steps, 12);
  fails = false;
  MemorySink second(kept);
  report = learner.fit(options, second);
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->runSteps, 9 * 18);
}

TEST_F(Stopping, CopiesGoOnFromTheOther) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(4);
  options.epochs = 6;
  options.callbacks = {{2, [&](Population &population) -> Status {
                          if (population.tick() != 2)
                            return Status::success();
                          if (Status status = population.copy(1, 3); !status)
                            return status;
                          EXPECT_FALSE(population.setHyper(3, "eps", 0.0));
                          EXPECT_FALSE(population.setHyper(3, "beta7", 0.5));
                          EXPECT_FALSE(population.copy(1, 7));
                          return population.setHyper(
                              3, "lr", *population.hyper(1, "lr"));
                        }}};
  fit(learner, options);
  // Its seed is its own, and so is the order of its rows.
  EXPECT_FALSE(sameState(stateOf(learner, 1), stateOf(learner, 3)));
  options.seeds = {0, 5, 6, 5};
  fit(learner, options);
  EXPECT_TRUE(sameState(stateOf(learner, 1), stateOf(learner, 3)));
}

TEST_F(Stopping, SettingRefusesWhatAStartRefuses) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(3);
  options.epochs = 2;
  std::string messages;
  options.callbacks = {{1, [&](Population &population) {
                          double before = *population.hyper(1, "lr");
                          for (double value : {std::nan(""), 1e39, -1.0}) {
                            Status status = population.setHyper(1, "lr", value);
                            if (population.tick() == 1)
                              messages += status
                                              ? "none\n"
                                              : status.error().message() + "\n";
                          }
                          EXPECT_EQ(*population.hyper(1, "lr"), before);
                          return Status::success();
                        }}};
  fit(learner, options);
  EXPECT_EQ(messages,
            "the hyper-parameter 'lr' of run 1 must be a number, got nan\n"
            "the hyper-parameter 'lr' of run 1 is f32, which ends at 3.4e38; "
            "use less\n"
            "the hyper-parameter 'lr' of run 1 must be at least 0, got -1\n");
  options.callbacks.clear();
  options.hypers["lr"] = {1e39};
  EXPECT_EQ(errorOf(learner, options),
            "the hyper-parameter 'lr' is f32, which ends at 3.4e38; use less");
}

TEST_F(Stopping, SearchesAreAskedBeforeTheFirstStep) {
  struct Picky : ToySearch {
    Status check(const SearchedRuns &runs) const override {
      EXPECT_EQ(runs.programs, (std::vector<int64_t>{0, 1, 0}));
      EXPECT_EQ(runs.hypers.size(), 2u);
      EXPECT_EQ(std::count(runs.hypers[1].begin(), runs.hypers[1].end(), "lr"),
                1);
      return Error(ErrorKind::InvalidArgument, "not these");
    }
  };
  Learner learner = makeLearner({*jit, *jit});
  FitOptions options = makeOptions(3);
  options.programs = {0, 1, 0};
  options.search = std::make_shared<Picky>();
  EXPECT_EQ(errorOf(learner, options), "not these");
  EXPECT_EQ(learner.progress().planned, 0);
}

TEST_F(Stopping, SearchesMustLookAhead) {
  struct Stuck : ToySearch {
    int64_t nextSync(int64_t tick) const override { return tick; }
    bool needsAllRuns() const override { return true; }
  };
  Learner learner = makeLearner();
  FitOptions options = makeOptions(20);
  options.search = std::make_shared<Stuck>();
  EXPECT_EQ(errorOf(learner, options),
            "the search decides at tick 0, which is not after tick 0");
  options.inFlight = 4;
  EXPECT_EQ(errorOf(learner, options),
            "the search compares all runs, but only 4 of 20 can train at the "
            "same time; use fewer runs");
  options.onlyRun = 3;
  EXPECT_EQ(errorOf(learner, options),
            "a search compares runs, so that no run can be trained alone");
}

TEST_F(Stopping, OptionsAreChecked) {
  Learner learner = makeLearner();
  auto errorWith = [&](const std::function<void(FitOptions &)> &change) {
    FitOptions options = makeOptions(3);
    change(options);
    return errorOf(learner, options);
  };
  EXPECT_EQ(errorWith([](FitOptions &o) { o.patience = {1, 2}; }),
            "the patience has 2 values for 3 runs");
  EXPECT_EQ(errorWith([](FitOptions &o) { o.patience = {-1}; }),
            "the patience must be at least 0, got -1");
  EXPECT_EQ(errorWith([](FitOptions &o) { o.epochs = -1; }),
            "the number of epochs must not be negative, got -1");
  EXPECT_EQ(errorWith([](FitOptions &o) { o.validateEvery = 0; }),
            "the records between validations must be at least 1, got 0");
  EXPECT_EQ(errorWith([](FitOptions &o) { o.minDelta = -1.0; }),
            "min-delta must be at least 0, got -1");
  EXPECT_EQ(errorWith([](FitOptions &o) { o.goal = Goal{"val_los"}; }),
            "the goal's metric 'val_los' is not one of the program; did you "
            "mean 'val_loss'? (it has loss, val_loss, val_accuracy)");
  EXPECT_EQ(errorWith([](FitOptions &o) { o.programs = {1}; }),
            "there is no program 1; the learner has 1, counted from 0");
  EXPECT_EQ(errorWith([](FitOptions &o) { o.callbacks = {{0, nullptr}}; }),
            "a callback must have a function");
}

TEST_F(Stopping, OptionsOfExperimentsAreChecked) {
  Learner learner = makeLearner();
  auto errorWith = [&](const std::function<void(ExperimentOptions &)> &change) {
    FitOptions options = makeOptions(3);
    change(options.experiment);
    return errorOf(learner, options);
  };
  using Options = ExperimentOptions;
  for (int64_t count : {0, -3})
    EXPECT_EQ(errorWith([&](Options &o) { o.keepCheckpoints = count; }),
              "the number of checkpoints that stay must be at least 1, got " +
                  std::to_string(count));
  EXPECT_EQ(errorWith([](Options &o) { o.keepBest = -1; }),
            "the number of best runs whose files stay must be at least 0, got "
            "-1");
  EXPECT_EQ(errorWith([](Options &o) { o.checkpointSteps = -1; }),
            "the steps between checkpoints must be at least 0, got -1");
  EXPECT_EQ(errorWith([](Options &o) { o.checkpointSeconds = -1; }),
            "the seconds between checkpoints must be at least 0, got -1");
  EXPECT_EQ(errorWith([](Options &o) { o.checkpointSeconds = std::nan(""); }),
            "the seconds between checkpoints must be at least 0, got nan");
}

TEST_F(Stopping, InterruptedFitsSaySo) {
  Learner learner = makeLearner();
  FitOptions options = makeOptions(3);
  std::atomic<bool> flag{true};
  options.interrupt = &flag;
  Expected<FitReport> report = learner.fit(options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind(), ErrorKind::Interrupted);
  EXPECT_EQ(report.error().message(),
            "training was interrupted after 0 run-steps");
}

} // namespace
