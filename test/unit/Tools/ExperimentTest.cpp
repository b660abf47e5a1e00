//===- ExperimentTest.cpp - The files that ensc train leaves --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Experiment.h"

#include "TestFiles.h"
#include "TinyLearner.h"

#include <gtest/gtest.h>

using namespace ensc;
using namespace ensc::test;
namespace fs = std::filesystem;

namespace {

/// Trains four runs in chunks, of which the second one fails if `interrupt`;
/// says whether the first one was written by then.
bool train(const std::string &path, bool interrupt) {
  Compiler compiler(tinyOptions(Backend::Interpret));
  Expected<Executable> program = compiler.compileFile(ENSC_TINY_MODEL);
  EXPECT_TRUE(program) << program.error().message();
  Expected<Learner> learner = Learner::create(*program);
  EXPECT_TRUE(learner);
  giveTinyData(*learner);
  tool::Experiment experiment(path, 4, Json::object(), *learner);
  FitOptions options;
  options.runs = 4;
  options.epochs = 1;
  options.threads = 1;
  options.hypers["lr"] = tinyRates(4);
  // So much that one run less does not do.
  options.maxMemory = learner->planMemory(options)->peakBytes - 1;
  EXPECT_LT(learner->planMemory(options)->inFlight, 4);
  bool written = false;
  options.onRunsEnded = [&](const std::vector<RunReport> &reports) -> Status {
    if (written && interrupt)
      return Error(ErrorKind::Io, "no second chunk");
    Status status = experiment.writeRuns(reports);
    EXPECT_TRUE(status);
    written = fs::exists(path + "/runs/0000");
    return status;
  };
  Expected<FitReport> report = learner->fit(options);
  EXPECT_EQ(bool(report), !interrupt);
  if (report)
    EXPECT_TRUE(experiment.writeTable(*report, {}));
  return written;
}

TEST(Experiment, StaysWithItsTable) {
  TemporaryDirectory directory;
  EXPECT_TRUE(train(directory.file("a"), /*interrupt=*/false));
  EXPECT_TRUE(fs::exists(directory.file("a/runs/0000")));
  EXPECT_TRUE(fs::exists(directory.file("a/runs/0003")));
}

TEST(Experiment, IsRemovedWhenALaterChunkFails) {
  TemporaryDirectory directory;
  EXPECT_TRUE(train(directory.file("a"), /*interrupt=*/true));
  EXPECT_EQ(directory.count(), 0);
}

} // namespace
