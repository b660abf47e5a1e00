//===- Commands.h - What ens-bench measures ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENS_BENCH_COMMANDS_H
#define ENSC_TOOLS_ENS_BENCH_COMMANDS_H

#include "Training.h"

#include <nlohmann/json.hpp>

namespace ensc::bench {

using Json = nlohmann::ordered_json;

/// What the flags say.
struct Settings {
  Model model;
  int64_t runs = 64;
  int threads = 0; ///< 0: as many as there are cores.
  RunSchedule schedule = RunSchedule::Auto;
  CompileOptions compile;
  int64_t steps = 0;       ///< Of one call; 0: chooseSteps.
  int64_t stepsBefore = 0; ///< Done before anything is timed.
  int64_t calls = 0;       ///< That are timed; 0: as many as take a while.

  int64_t stepsOfCall() const { return steps ? steps : chooseSteps(model); }
  /// Threads that a measurement uses.
  int usedThreads() const;
};

/// One way to train a compiled model.
struct Way {
  int64_t runs = 1;
  int threads = 1;
  RunSchedule schedule = RunSchedule::Auto;
};

/// Calls that are timed at least: the first ones may be disturbed.
constexpr int64_t fewestCalls = 3;

/// Microseconds of one step of one run.
using Rate = Timing;

/// Times several ways in turn, after one call of each for warmth (or after
/// `stepsBefore` steps): `seconds` in all and at least `calls` calls of each.
Expected<std::vector<Rate>> measureRates(const CompiledModel &compiled,
                                         const std::vector<Way> &ways,
                                         double seconds,
                                         int64_t stepsBefore = 0,
                                         int64_t calls = fewestCalls);

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// One model: speed, share of the peak, memory, compile time.
Expected<Json> measureModel(const Settings &settings);

/// All threads against one.
Expected<Json> measureScaling(const Settings &settings);

/// N runs at once against N calls of one run, for each N up to `runs`, by one
/// thread.
Expected<Json> measureCounts(const Settings &settings);

/// What it costs when most runs stop early.
Expected<Json> measureStopping(const Settings &settings);

/// What it costs to keep a fit in a directory.
Expected<Json> measureExperiment(const Settings &settings);

/// The choice between solo and lanes, over many shapes, batches and optimizers.
Expected<Json> compareSchedules(const Settings &settings);

} // namespace ensc::bench

#endif // ENSC_TOOLS_ENS_BENCH_COMMANDS_H
