//===- KeepFit.cpp - A fit in a directory, to be killed -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   keep-fit DIR KIND EPOCHS THREADS
//
// Trains runs of tiny.mlir in the directory DIR, or goes on with them, and
// takes a checkpoint as often as it may. Prints "warning: .." for each warning
// of the experiment, and fails with the message of an error.
//
//===----------------------------------------------------------------------===//

#include "../Learner/TinyLearner.h"

#include "ensc/Search/ParseSearch.h"

#include <cstdio>
#include <cstdlib>

using namespace ensc;

namespace {
int fail(const Error &error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  return 1;
}

/// What each kind of fit is about. All of them end parts at every few ticks,
/// so that there are many checkpoints.
Status setKind(FitOptions &options, const std::string &kind) {
  options.runs = 24;
  options.hypers["lr"] = test::tinyRates(options.runs);
  options.callbacks.push_back(
      {2, [](Population &) { return Status::success(); }});
  if (kind == "plain")
    return Status::success();
  if (kind == "starts") {
    options.runs = 60;
    options.hypers["lr"] = {0.02};
    options.inFlight = 16;
    options.patience = {6};
    options.recordEvery = 5;
    options.validateEvery = 2;
    options.goal = Goal{"val_loss", true, 0.05, 40};
    options.experiment.keepBest = 7;
    return Status::success();
  }
  if (kind == "programs") {
    for (int64_t run = 0; run < options.runs; ++run)
      options.programs.push_back(run % 3 == 1);
    return Status::success();
  }
  Expected<ParsedSearch> search =
      kind == "halving"
          ? parseHalving("2,first=4")
          : parsePopulation("every=4,fraction=0.25,perturb=lr:0.8..1.25", 3);
  if (!search)
    return search.error();
  options.search = search->search;
  return Status::success();
}

Expected<std::vector<Executable>> compilePrograms(const std::string &kind) {
  std::vector<Executable> programs;
  for (const char *optimizer : {"adam", "momentum<lr = 0.01>"}) {
    CompileOptions options = test::tinyOptions();
    options.cache = true;
    if (!programs.empty())
      options.optimizer = optimizer;
    Compiler compiler(options);
    Expected<Executable> program = compiler.compileFile(ENSC_TINY_MODEL);
    if (!program)
      return program.error();
    programs.push_back(*program);
    if (kind != "programs")
      break;
  }
  return programs;
}
} // namespace

int main(int count, char **arguments) {
  if (count != 5)
    return 2;
  std::string kind = arguments[2];
  Expected<std::vector<Executable>> programs = compilePrograms(kind);
  if (!programs)
    return fail(programs.error());
  Expected<Learner> learner = Learner::create(*programs);
  if (!learner)
    return fail(learner.error());
  test::giveTinyData(*learner);
  FitOptions options;
  options.epochs = std::atoll(arguments[3]);
  options.threads = std::atoi(arguments[4]);
  options.experiment.path = arguments[1];
  options.experiment.checkpointSteps = 1;
  options.experiment.onWarning = [](const std::string &text) {
    std::printf("warning: %s\n", text.c_str());
  };
  if (Status status = setKind(options, kind); !status)
    return fail(status.error());
  Expected<FitReport> report = learner->fit(options);
  if (!report)
    return fail(report.error());
  for (const RunReport &run : report->runs)
    std::printf("%lld %s %lld\n", static_cast<long long>(run.run),
                nameOf(run.status), static_cast<long long>(run.steps));
  return 0;
}
