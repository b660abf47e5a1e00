//===- KeptFit.h - Tests of fits in directories -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_EXPERIMENT_KEPTFIT_H
#define ENSC_TEST_UNIT_EXPERIMENT_KEPTFIT_H

#include "../Learner/MemorySink.h"
#include "../Learner/TinyPrograms.h"
#include "SameFiles.h"

#include "ensc/Experiment/Reader.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace ensc::test {

/// Tests of fits that keep what they do.
class KeptFitTest : public TinyTest {
protected:
  TemporaryDirectory directory;
  std::vector<std::string> warnings;
  std::string resumed; ///< From where the last fit went on.

  static void SetUpTestSuite() {
    TinyTest::SetUpTestSuite();
    ::setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
  }

  FitOptions makeOptions(const std::string &name, int64_t epochs = 8) {
    FitOptions options;
    options.runs = 10;
    options.epochs = epochs;
    options.hypers["lr"] = tinyRates(options.runs);
    options.threads = 2;
    options.experiment.path = directory.file(name);
    options.experiment.checkpointSteps = 1;
    options.experiment.onWarning = [this](const std::string &text) {
      warnings.push_back(text);
    };
    options.experiment.onResume = [this](const std::string &text) {
      resumed = text;
    };
    return options;
  }

  /// Ends parts at every tick, and training at a tick.
  static Callback endAt(int64_t tick) {
    return {1, [tick](Population &population) -> Status {
              if (population.tick() == tick)
                return Error(ErrorKind::InvalidData, "that is enough");
              return Status::success();
            }};
  }

  /// Leaves an experiment that ended early beside one called "whole"; the
  /// options to go on with it.
  FitOptions leaveHalted(Learner &learner, const std::string &name) {
    fit(learner, makeOptions("whole"));
    FitOptions options = makeOptions(name);
    options.callbacks = {endAt(6)};
    EXPECT_EQ(errorOf(learner, options), "that is enough");
    options.callbacks.clear();
    return options;
  }

  ExperimentReader open(const std::string &name) {
    Expected<ExperimentReader> reader =
        ExperimentReader::open(directory.file(name));
    EXPECT_TRUE(reader) << reader.error().message();
    return *reader;
  }

  std::vector<std::string> eventsOf(const std::string &name) {
    std::vector<std::string> names;
    Expected<std::vector<Json>> events = open(name).readEvents();
    for (const Json &event : *events)
      names.push_back(event["event"].get<std::string>());
    return names;
  }

  /// The bytes of what TensorBoard reads of a run.
  std::string eventsFileOf(const std::string &run) {
    return readBytes(
        directory.file("exp/runs/" + run + "/events.out.tfevents.0.ensc"));
  }

  /// Whether a fit of more epochs left what one of them from the start did, but
  /// for plan.json, which has the epochs that it began with.
  void expectGrown(const std::string &name, const std::string &expected) {
    auto files = filesOf(directory.file(name)),
         wanted = filesOf(directory.file(expected));
    ASSERT_EQ(files.erase("plan.json") + wanted.erase("plan.json"), 2u);
    for (const auto &[path, bytes] : wanted)
      EXPECT_TRUE(files.count(path) && files[path] == bytes) << path;
    EXPECT_EQ(files.size(), wanted.size());
  }

  void expectSame(const std::string &name, const std::string &expected) {
    expectSameFiles(directory.file(name), directory.file(expected));
  }
};

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_EXPERIMENT_KEPTFIT_H
