//===- sweep_learning_rates.cpp - A sweep that stops early and resumes ----===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trains networks on handwritten digits with 32 learning rates. A run stops
// when its accuracy has not improved for 3 epochs. A callback interrupts the
// sweep on purpose; the same fit then goes on from its checkpoint and ends with
// the bits of one that was never interrupted:
//
//   sweep-learning-rates digits.mlir data/digits.npz EXPERIMENT
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Compiler.h"
#include "ensc/API/Learner.h"
#include "ensc/Data/GiveData.h"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <string>

using namespace ensc;

/// What to train. Everything that decides it must be the same when the fit goes
/// on.
static FitOptions makeSweep(const std::string &experiment) {
  FitOptions options;
  options.runs = 32;
  options.epochs = 20;
  options.patience = {3};
  for (int64_t run = 0; run < options.runs; ++run)
    options.hypers["lr"].push_back(std::pow(10.0, -4.0 + run / 10.0));
  options.experiment.path = experiment;
  return options;
}

/// Interrupts a sweep after its fifth epoch, if it was not over before.
static Status interrupt(Learner &learner, FitOptions options) {
  std::atomic<bool> stop{false};
  options.interrupt = &stop;
  options.callbacks.push_back({/*every=*/5, [&](Population &population) {
                                 std::printf(
                                     "interrupted at epoch %lld\n",
                                     static_cast<long long>(population.tick()));
                                 stop = true;
                                 return Status::success();
                               }});
  Expected<FitReport> report = learner.fit(options);
  if (report || report.error().kind() == ErrorKind::Interrupted)
    return Status::success();
  return report.error();
}

static Status resume(Learner &learner, const FitOptions &options) {
  Expected<FitReport> report = learner.fit(options);
  if (!report)
    return report.error();
  size_t metric = learner.monitor();
  const RunReport *best = &report->runs.front();
  int64_t stopped = 0, steps = 0;
  for (const RunReport &run : report->runs) {
    stopped += run.status == RunStatus::Stopped;
    steps += run.steps;
    if (run.final[metric] > best->final[metric])
      best = &run;
  }
  std::printf("%lld of %lld steps were left to do; %lld runs stopped early\n",
              static_cast<long long>(report->runSteps),
              static_cast<long long>(steps), static_cast<long long>(stopped));
  std::printf("best: run %lld, lr %.2g, %s %.3f\n",
              static_cast<long long>(best->run),
              options.hypers.at("lr")[best->run],
              learner.metrics()[metric].name.c_str(), best->final[metric]);
  return Status::success();
}

static Status run(const std::string &model, const std::string &file,
                  const std::string &experiment) {
  DataOptions sources;
  sources.training = {file};
  Expected<DataSet> data = DataSet::open(sources);
  if (!data)
    return data.error();
  CompileOptions compile;
  compile.rows = data->rows({});
  compile.validationRows = data->validationRows({});
  Expected<Executable> program = Compiler(compile).compileFile(model);
  if (!program)
    return program.error();
  Expected<Learner> learner = Learner::create(*program);
  if (!learner)
    return learner.error();
  if (Status status = giveData(*learner, {*program}, *data); !status)
    return status;
  FitOptions options = makeSweep(experiment);
  if (Status status = interrupt(*learner, options); !status)
    return status;
  return resume(*learner, options);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr,
                 "usage: sweep-learning-rates MODEL.mlir DATA EXPERIMENT\n");
    return 1;
  }
  Status status = run(argv[1], argv[2], argv[3]);
  if (!status)
    std::fprintf(stderr, "%s\n", status.error().message().c_str());
  return status ? 0 : 1;
}
