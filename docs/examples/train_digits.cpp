//===- train_digits.cpp - An ensemble of networks from C++ ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trains 16 networks on handwritten digits, twice with other learning rates but
// with one compilation:
//
//   train-digits digits.mlir data/digits.npz [epochs]
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Compiler.h"
#include "ensc/API/Learner.h"
#include "ensc/Artifact/Npz.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace ensc;

/// Gives the learner each array that it asks for, under its name.
static Status giveData(Learner &learner, const NpzFile &archive) {
  for (const std::string &name : learner.dataNames()) {
    Expected<Tensor> tensor = archive.read(name);
    if (!tensor)
      return tensor.error();
    if (Status status = learner.setData(name, *tensor); !status)
      return status;
  }
  return Status::success();
}

/// Trains all runs and prints how good the best of them became.
static Status train(Learner &learner, int64_t epochs, double lowest,
                    double highest) {
  FitOptions options;
  options.runs = 16;
  options.epochs = epochs;
  for (int64_t run = 0; run < options.runs; ++run)
    options.hypers["lr"].push_back(lowest + (highest - lowest) * run /
                                                (options.runs - 1));
  Expected<FitReport> report = learner.fit(options);
  if (!report)
    return report.error();

  size_t metric = learner.monitor();
  const MetricInfo &info = learner.metrics()[metric];
  const RunReport *best = &report->runs.front();
  for (const RunReport &run : report->runs)
    if (run.final[metric] > best->final[metric])
      best = &run;
  std::printf("lr %g to %g: %s of run %lld is %.3f, after %lld run-steps\n",
              lowest, highest, info.name.c_str(),
              static_cast<long long>(best->run), best->final[metric],
              static_cast<long long>(report->runSteps));

  // What a run has learnt is a tensor like any other.
  Expected<Tensor> weights = learner.parameter(best->run, "w1");
  if (!weights)
    return weights.error();
  std::printf("its w1 is %s\n",
              typeString(weights->dtype(), weights->shape()).c_str());
  return Status::success();
}

static Status run(const std::string &model, const std::string &data,
                  int64_t epochs) {
  Expected<NpzFile> archive = NpzFile::open(data);
  if (!archive)
    return archive.error();
  // The numbers of rows are part of the compiled code; the number of runs and
  // the learning rates are not.
  CompileOptions options;
  for (auto [key, rows] : {std::pair("y", &options.rows),
                           std::pair("y_val", &options.validationRows)}) {
    Expected<Tensor> labels = archive->read(key);
    if (!labels)
      return labels.error();
    *rows = labels->size();
  }
  Compiler compiler(options);
  Expected<Executable> program = compiler.compileFile(model);
  if (!program)
    return program.error();
  Expected<Learner> learner = Learner::create(*program);
  if (!learner)
    return learner.error();
  if (Status status = giveData(*learner, *archive); !status)
    return status;
  for (double highest : {0.01, 0.1})
    if (Status status = train(*learner, epochs, 0.001, highest); !status)
      return status;
  std::printf("%lld compilation, %lld found on disk\n",
              static_cast<long long>(compiler.compilations()),
              static_cast<long long>(compiler.cacheHits()));
  return Status::success();
}

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: train-digits MODEL.mlir DATA.npz [EPOCHS]\n");
    return 1;
  }
  int64_t epochs = argc > 3 ? std::atoll(argv[3]) : 10;
  Status status = run(argv[1], argv[2], epochs);
  if (!status)
    std::fprintf(stderr, "%s\n", status.error().message().c_str());
  return status ? 0 : 1;
}
