//===- ResumeTest.cpp - Fits that are interrupted -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySink.h"
#include "TinyLearner.h"
#include "ToySearch.h"

#include <atomic>
#include <cmath>
#include <optional>
#include <set>

using namespace ensc;
using namespace ensc::test;

namespace {

/// A program whose training kernel sets a flag when it was called so often.
struct Interrupter {
  std::atomic<int64_t> callsLeft{0};
  std::atomic<bool> flag{false};

  Executable wrap(const Executable &program) {
    std::vector<EntryKernels> kernels;
    for (const ManifestEntry &entry : program.manifest().entries) {
      EntryKernels own = program.program().kernelsOf(entry);
      if (entry.name == "tiny.fit")
        own = {wrap(own.solo), wrap(own.lanes)};
      kernels.push_back(own);
    }
    return Executable(Program(program.manifest(), std::move(kernels),
                              std::make_shared<Executable>(program)));
  }

private:
  Kernel wrap(const Kernel &kernel) {
    if (!kernel)
      return kernel;
    return [this, kernel](const ensc_group *group, int64_t begin, int64_t end) {
      if (--callsLeft == 0)
        flag = true;
      return kernel(group, begin, end);
    };
  }
};

class Resume : public testing::Test {
protected:
  static void SetUpTestSuite() {
    for (int64_t lanes : {8, 16}) {
      Expected<Executable> program = Compiler(tinyOptions(Backend::Jit, lanes))
                                         .compileFile(ENSC_TINY_MODEL);
      ASSERT_TRUE(program) << program.error().message();
      programs.push_back(*program);
    }
  }
  static void TearDownTestSuite() { programs.clear(); }

  /// Runs of one or two programs that stop and diverge here and there.
  static FitOptions makeOptions(int64_t runs, bool twoPrograms = false) {
    FitOptions options;
    options.runs = runs;
    options.epochs = 12;
    options.threads = 2;
    options.hypers["lr"] = tinyRates(runs);
    options.hypers["rate"] = {0.25};
    for (int64_t run = 0; run < runs; ++run) {
      options.maxSteps.push_back(run % 5 == 2 ? 7 + run % 13 : 100);
      if (run % 11 == 5)
        options.hypers["lr"][run] = 1e30;
      if (twoPrograms)
        options.programs.push_back(run % 3 == 1);
    }
    return options;
  }

  static Learner makeLearner(const FitOptions &options,
                             Interrupter *interrupter = nullptr) {
    std::vector<Executable> used(programs.begin(),
                                 programs.begin() +
                                     (options.programs.empty() ? 1 : 2));
    for (Executable &program : used)
      if (interrupter)
        program = interrupter->wrap(program);
    Expected<Learner> learner = Learner::create(std::move(used));
    EXPECT_TRUE(learner) << learner.error().message();
    giveTinyData(*learner);
    return std::move(*learner);
  }

  static KeptFit fitAtOnce(const FitOptions &options) {
    Learner learner = makeLearner(options);
    KeptFit kept;
    MemorySink sink(kept);
    Expected<FitReport> report = learner.fit(options, sink);
    EXPECT_TRUE(report) << report.error().message();
    return kept;
  }

  /// Interrupts after some calls of kernels, again and again, and goes on with
  /// other threads and schedules.
  static KeptFit fitInterrupted(FitOptions options, int64_t calls,
                                bool changesPlaces) {
    KeptFit kept;
    bool wasInterrupted = false;
    for (int attempt = 0; attempt < 1000; ++attempt) {
      Interrupter interrupter;
      interrupter.callsLeft = calls + attempt;
      options.interrupt = &interrupter.flag;
      options.threads = 1 + (attempt + 1) % 2;
      options.schedule = attempt % 3 == 0   ? RunSchedule::Auto
                         : attempt % 3 == 1 ? RunSchedule::Solo
                                            : RunSchedule::Lanes;
      if (changesPlaces)
        options.inFlight = 4 + attempt % 3 * 7;
      Learner learner = makeLearner(options, &interrupter);
      MemorySink sink(kept);
      sink.keepEvery = 1 + attempt % 3;
      Expected<FitReport> report = learner.fit(options, sink);
      if (report) {
        EXPECT_TRUE(wasInterrupted);
        return kept;
      }
      wasInterrupted = true;
      EXPECT_EQ(report.error().kind(), ErrorKind::Interrupted)
          << report.error().message();
    }
    ADD_FAILURE() << "no end";
    return kept;
  }

  /// Whether interruptions, at some calls of kernels, change nothing.
  static void expectResumes(const FitOptions &options, KeptFit &expected,
                            const std::vector<int64_t> &everyCalls) {
    for (int64_t calls : everyCalls) {
      KeptFit kept = fitInterrupted(options, calls, false);
      expectSameFit(expected, kept);
    }
  }

  static std::vector<Executable> programs;
};

std::vector<Executable> Resume::programs;

TEST_F(Resume, GivesTheBitsOfAFitThatWasNotInterrupted) {
  for (int64_t runs : {1, 7, 40})
    for (bool twoPrograms : {false, true}) {
      if (twoPrograms && runs == 1)
        continue;
      FitOptions options = makeOptions(runs, twoPrograms);
      KeptFit expected = fitAtOnce(options);
      ASSERT_EQ(expected.ended.size(), static_cast<size_t>(runs));
      expected.events.clear();
      for (int64_t calls : {1, 5, runs == 1 ? 9 : 23}) {
        KeptFit kept = fitInterrupted(options, calls, runs == 40);
        // When runs got their places is told, but does not matter.
        kept.events.clear();
        expectSameFit(expected, kept);
      }
    }
}

TEST_F(Resume, RecordsMayBeAnywhere) {
  FitOptions options = makeOptions(19);
  options.recordEvery = 5;
  options.validateEvery = 3;
  options.patience = {3};
  options.epochs = 50;
  KeptFit expected = fitAtOnce(options);
  int64_t impatient = 0;
  for (auto &[run, report] : expected.ended)
    impatient += report.reason == "patience" && report.steps > 60;
  EXPECT_GE(impatient, 3);
  expectResumes(options, expected, {2, 9});
}

TEST_F(Resume, StartsAreWhatTheyWere) {
  FitOptions options = makeOptions(60);
  options.inFlight = 20;
  options.goal = Goal{"loss", true, 0.62, 3};
  options.syncEvery = 2;
  KeptFit expected = fitAtOnce(options);
  EXPECT_LT(expected.ended.size(), 60u);
  expectResumes(options, expected, {1, 4, 17});
}

TEST_F(Resume, RunsGetThePlacesThatTheyHad) {
  FitOptions options = makeOptions(50);
  options.inFlight = 17;
  options.goal = Goal{"loss", true, 0.01, 1};
  options.syncEvery = 5;
  // Places become free one by one, between sync points.
  for (int64_t run = 0; run < 50; ++run)
    options.maxSteps[run] = 3 + run * 7 % 31;
  KeptFit expected = fitAtOnce(options);
  EXPECT_EQ(expected.ended.size(), 50u);
  EXPECT_GE(expected.events.size(), 3u);
  expectResumes(options, expected, {1, 4, 11});
}

TEST_F(Resume, SearchesAreWhatTheyWere) {
  for (bool twoPrograms : {false, true}) {
    FitOptions options = makeOptions(24, twoPrograms);
    options.epochs = 30;
    options.maxSteps.clear();
    // Copies stay within a program.
    if (twoPrograms)
      for (int64_t run = 0; run < 24; ++run)
        options.programs[run] = run >= 24;
    options.search = std::make_shared<ToySearch>();
    KeptFit expected = fitAtOnce(options);
    EXPECT_GT(expected.events.size(), 10u);
    for (int64_t calls : {3, 20}) {
      // A new process has a new search.
      options.search = std::make_shared<ToySearch>();
      KeptFit kept = fitInterrupted(options, calls, false);
      expectSameFit(expected, kept);
    }
  }
}

TEST_F(Resume, GoesOnFromTheLastSnapshotAfterACrash) {
  FitOptions options = makeOptions(40);
  // Runs end and others start at many sync points.
  options.inFlight = 5;
  options.callbacks.push_back({2, [](Population &population) {
                                 return population.stop(
                                     population.live().back(), "callback");
                               }});
  KeptFit expected = fitAtOnce(options);
  // The disk is full when records, or runs that have ended, are written.
  for (int calls : {1, 4}) {
    KeptFit kept;
    for (int attempt = 0;; ++attempt) {
      ASSERT_LT(attempt, 1000);
      Learner learner = makeLearner(options);
      MemorySink sink(kept);
      sink.keepEvery = 1 + attempt % 2;
      sink.failAfter = calls + attempt % 5;
      if (learner.fit(options, sink))
        break;
    }
    expectSameFit(expected, kept);
  }
}

TEST_F(Resume, ADecisionThatFailsIsMadeAgain) {
  FitOptions options = makeOptions(24);
  options.epochs = 30;
  options.maxSteps.clear();
  // Fails when all has been done, at the first tick of each fit that goes on.
  auto optionsWith = [&](bool fails) {
    FitOptions result = options;
    result.search = std::make_shared<ToySearch>();
    auto decided = std::make_shared<int>(0);
    result.callbacks = {
        {3, [fails, decided](Population &population) -> Status {
           int64_t first = population.live().front(),
                   last = population.live().back();
           if (Status status = population.copy(first, last); !status)
             return status;
           if (Status status = population.setHyper(
                   first, "lr", *population.hyper(first, "lr") * 0.9);
               !status)
             return status;
           if (population.tick() % 9 == 0)
             if (Status status = population.stop(last, "last"); !status)
               return status;
           if (fails && ++*decided == 2)
             return Error(ErrorKind::InvalidData, "that is enough");
           return Status::success();
         }}};
    return result;
  };
  KeptFit expected = fitAtOnce(optionsWith(false)), kept;
  EXPECT_GT(expected.events.size(), 20u);
  for (int attempt = 0;; ++attempt) {
    ASSERT_LT(attempt, 100);
    FitOptions failing = optionsWith(true);
    Learner learner = makeLearner(failing);
    MemorySink sink(kept);
    sink.keepEvery = 1000;
    Expected<FitReport> report = learner.fit(failing, sink);
    if (report)
      break;
    EXPECT_EQ(report.error().message(), "that is enough");
  }
  expectSameFit(expected, kept);
}

TEST_F(Resume, AFitThatIsOverStaysOver) {
  FitOptions options = makeOptions(9);
  Learner learner = makeLearner(options);
  KeptFit kept;
  MemorySink first(kept);
  Expected<FitReport> report = learner.fit(options, first);
  ASSERT_TRUE(report);
  MemorySink again(kept);
  Expected<FitReport> repeated = learner.fit(options, again);
  ASSERT_TRUE(repeated) << repeated.error().message();
  EXPECT_EQ(repeated->runSteps, 0);
  ASSERT_EQ(repeated->runs.size(), 9u);
  for (int64_t run = 0; run < 9; ++run) {
    expectSameReport(report->runs[run], repeated->runs[run]);
    EXPECT_TRUE(sameState(kept.states[run], stateOf(learner, run)));
  }
}

TEST_F(Resume, MoreEpochsGoOnWhereTheLastOneEnded) {
  FitOptions options = makeOptions(9);
  options.maxSteps.clear();
  FitOptions longer = options;
  longer.epochs = 20;
  KeptFit expected = fitAtOnce(longer);
  KeptFit kept = fitAtOnce(options);
  size_t completed = 0;
  for (auto &[run, report] : kept.ended)
    completed += report.status == RunStatus::Completed;
  EXPECT_EQ(completed, 8u);
  // The sink forgets that these runs had ended.
  for (int64_t run = 0; run < 9; ++run)
    if (kept.ended[run].status == RunStatus::Completed) {
      kept.ended.erase(run);
      kept.states.erase(run);
    }
  Learner learner = makeLearner(longer);
  MemorySink sink(kept);
  Expected<FitReport> report = learner.fit(longer, sink);
  ASSERT_TRUE(report) << report.error().message();
  expectSameFit(expected, kept);
}

TEST_F(Resume, MoreEpochsEndRunsWhereOneFitDoes) {
  FitOptions options = makeOptions(20);
  options.validateEvery = 1;
  // The steps of 2, 3 and 5 epochs, and more.
  options.maxSteps = {6, 9, 15, 100};
  options.maxSteps.resize(20, 100);
  options.hypers["lr"].clear();
  for (int64_t run = 0; run < 20; ++run)
    options.hypers["lr"].push_back(std::pow(10.0, 0.25 * double(run - 12)));
  for (int64_t patience : {0, 1, 2}) {
    options.patience = {patience};
    options.epochs = 30;
    KeptFit whole;
    MemorySink wholeSink(whole);
    Learner learner = makeLearner(options);
    Expected<FitReport> expected = learner.fit(options, wholeSink);
    ASSERT_TRUE(expected) << expected.error().message();
    KeptFit kept;
    for (int64_t epochs : {2, 3, 4, 5, 6, 30}) {
      options.epochs = epochs;
      // The sink forgets that runs had ended that go on.
      kept.ended.clear();
      Learner grown = makeLearner(options);
      MemorySink sink(kept);
      Expected<FitReport> report = grown.fit(options, sink);
      ASSERT_TRUE(report) << report.error().message();
      if (epochs < 30)
        continue;
      for (size_t run = 0; run < 20; ++run) {
        expectSameReport(report->runs[run], expected->runs[run]);
        expectSameRecords(kept.records[run], whole.records[run]);
      }
    }
    std::set<int64_t> impatient;
    for (const RunReport &report : expected->runs)
      if (report.reason == "patience")
        impatient.insert(report.steps);
    EXPECT_TRUE(!patience || impatient.size() > 1) << impatient.size();
  }
}

TEST_F(Resume, ThePlanOfMemoryIsThatOfTheRunsThatGoOn) {
  FitOptions options = makeOptions(40);
  options.maxSteps.clear();
  std::atomic<bool> interrupt{true};
  options.interrupt = &interrupt;
  KeptFit kept;
  Learner learner = makeLearner(options);
  int64_t needed = 0;
  options.onPlan = [&](const MemoryPlan &plan) { needed = plan.peakBytes; };
  MemorySink first(kept);
  ASSERT_FALSE(learner.fit(options, first));
  interrupt = false;
  // All 40 train: with room for a few only they cannot go on.
  FitOptions least = options;
  least.experiment.path = "kept";
  least.schedule = RunSchedule::Solo;
  least.threads = 1;
  Expected<MemoryPlan> alone = learner.planMemory(least);
  ASSERT_TRUE(alone);
  options.maxMemory = alone->peakBytes / 2;
  options.onPlan = nullptr;
  MemorySink second(kept);
  Expected<FitReport> report = learner.fit(options, second);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind(), ErrorKind::InvalidArgument);
  EXPECT_EQ(report.error().message().rfind(
                "where the fit was interrupted, 40 runs were training at the "
                "same time; to go on takes " +
                    std::to_string(alone->peakBytes) +
                    " bytes, but the limit is " +
                    std::to_string(alone->peakBytes / 2) + " bytes; raise it",
                0),
            0u)
      << report.error().message();
  // Where there is room, what is planned is what is used.
  options.maxMemory = needed;
  options.inFlight = 4;
  int64_t inFlight = 0;
  options.onPlan = [&](const MemoryPlan &plan) { inFlight = plan.inFlight; };
  MemorySink third(kept);
  report = learner.fit(options, third);
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(inFlight, 40);
  EXPECT_EQ(report->memory.inFlight, 40);
  EXPECT_EQ(report->memory.peakBytes, needed);
}

TEST_F(Resume, ARunThatCannotGoOnIsRefused) {
  FitOptions options = makeOptions(9);
  KeptFit kept = fitAtOnce(options);
  for (RunReport &report : kept.snapshot->reports)
    report.status = RunStatus::Running;
  Learner learner = makeLearner(options);
  MemorySink sink(kept);
  Expected<FitReport> report = learner.fit(options, sink);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message(),
            "the snapshot does not fit the plan: run 0 trains, but has done "
            "all of its 36 steps");
}

TEST_F(Resume, SnapshotsThatDoNotFitAreRefused) {
  FitOptions options = makeOptions(9);
  KeptFit kept = fitAtOnce(options);
  auto errorOf = [&](const FitOptions &changed,
                     const std::function<void(Snapshot &)> &change) {
    KeptFit broken = kept;
    change(*broken.snapshot);
    Learner learner = makeLearner(changed);
    MemorySink sink(broken);
    Expected<FitReport> report = learner.fit(changed, sink);
    return report ? "no error" : report.error().message();
  };
  const std::string prefix = "the snapshot does not fit the plan: ";
  auto nothing = [](Snapshot &) {};
  FitOptions fewer = makeOptions(8);
  EXPECT_EQ(errorOf(fewer, nothing), prefix + "it has run 8");
  FitOptions shorter = options;
  shorter.epochs = 2;
  EXPECT_EQ(errorOf(shorter, nothing), prefix + "run 0 has done 36 steps of 6");
  auto without = [](const std::string &name) {
    return [name](Snapshot &snapshot) {
      for (NamedTensor &named : snapshot.ensembles[0].tensors)
        if (named.name == name)
          named.name = "other";
    };
  };
  EXPECT_EQ(errorOf(options, without("run")),
            prefix + "it has no numbers of runs under 'run'");
  EXPECT_EQ(errorOf(options, without("state.w1")),
            prefix + "'state.w1' must be 9x3x5xf32, and is missing");
  EXPECT_EQ(errorOf(options,
                    [](Snapshot &snapshot) {
                      for (NamedTensor &named : snapshot.ensembles[0].tensors)
                        if (named.name == "step")
                          named.tensor = Tensor::zeros(DType::I64, {4});
                    }),
            prefix + "'step' must be 9xi64, got 4xi64");
  EXPECT_EQ(
      errorOf(options,
              [](Snapshot &snapshot) { snapshot.ensembles[0].program = 3; }),
      prefix + "no run is of program 3");
}

} // namespace
