//===- multi_start.cpp - Starts until one of them gets there --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fits the frequency of a wave, whose error has many bad minima. Most starts
// end in one of them; up to 1000 are tried, 64 at a time, until one fits:
//
//   multi-start sinusoid.mlir EXPERIMENT
//
// An interrupted fit goes on when the same command is repeated.
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Compiler.h"
#include "ensc/API/Learner.h"

#include <cmath>
#include <cstdio>
#include <string>

using namespace ensc;

static constexpr int64_t points = 64;

/// The wave to be found, at times from 0 to 1.
static Status giveData(Learner &learner) {
  Tensor t = Tensor::zeros(DType::F32, {points});
  Tensor y = Tensor::zeros(DType::F32, {points});
  for (int64_t i = 0; i < points; ++i) {
    float time = static_cast<float>(i) / (points - 1);
    t.data<float>()[i] = time;
    y.data<float>()[i] = 0.8f * std::sin(13.0f * time + 0.5f);
  }
  if (Status status = learner.setData("t", t); !status)
    return status;
  return learner.setData("y", y);
}

static Status run(const std::string &model, const std::string &experiment) {
  CompileOptions compile;
  compile.rows = points;
  Expected<Executable> program = Compiler(compile).compileFile(model);
  if (!program)
    return program.error();
  Expected<Learner> learner = Learner::create(*program);
  if (!learner)
    return learner.error();
  if (Status status = giveData(*learner); !status)
    return status;

  FitOptions options;
  options.runs = 1000;   // Starts, each with a seed of its own,
  options.inFlight = 64; // so many of them at a time.
  options.epochs = 2000;
  options.recordEvery = 20;
  options.goal = Goal{"loss", /*below=*/true, 1e-4};
  options.experiment.path = experiment;
  options.experiment.keepBest = 3;
  Expected<FitReport> report = learner->fit(options);
  if (!report)
    return report.error();

  int64_t started = 0, reached = 0;
  for (const RunReport &run : report->runs) {
    started += run.status != RunStatus::Pending;
    if (run.status != RunStatus::Reached)
      continue;
    ++reached;
    std::printf("seed %lld reached a loss of %.2g at step %lld\n",
                static_cast<long long>(run.seed), run.final.front(),
                static_cast<long long>(run.steps));
  }
  std::printf("%lld of %lld starts reached the goal\n",
              static_cast<long long>(reached), static_cast<long long>(started));
  return Status::success();
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: multi-start MODEL.mlir EXPERIMENT\n");
    return 1;
  }
  Status status = run(argv[1], argv[2]);
  if (!status)
    std::fprintf(stderr, "%s\n", status.error().message().c_str());
  return status ? 0 : 1;
}
