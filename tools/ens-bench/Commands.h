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

  int64_t stepsOfCall() const { return steps ? steps : chooseSteps(model); }
  /// Threads that a measurement uses.
  int usedThreads() const;
};

/// The rate of N runs of a model.
struct Rate {
  double microseconds = 0.0; ///< Of one step of one run, the best repetition.
  double median = 0.0;       ///< The same, the median of the repetitions.
  int64_t bytesPerRun = 0;
  bool lanes = false;

  double gflops(const Model &model) const;
};

/// Times training with the settings, warm, `seconds` or longer.
Expected<Rate> measureRate(const CompiledModel &compiled,
                           const Settings &settings, double seconds);

/// One model: speed, share of the peak, memory, compile time.
Expected<Json> measureModel(const Settings &settings);

} // namespace ensc::bench

#endif // ENSC_TOOLS_ENS_BENCH_COMMANDS_H
