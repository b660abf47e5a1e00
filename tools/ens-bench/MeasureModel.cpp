//===- MeasureModel.cpp - The speed of one model --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "ensc/Runtime/Peak.h"

#include <algorithm>

using namespace ensc;
using namespace ensc::bench;

int Settings::usedThreads() const {
  return threads > 0 ? threads : availableThreads();
}

double Rate::gflops(const Model &model) const {
  return static_cast<double>(model.flopsPerStep()) / microseconds * 1e-3;
}

Expected<Rate> bench::measureRate(const CompiledModel &compiled,
                                  const Settings &settings, double seconds) {
  CallOptions options;
  options.runs = settings.runs;
  options.threads = settings.usedThreads();
  options.schedule = settings.schedule;
  Training training(compiled, settings.runs);
  // The first call meets cold caches and untouched memory.
  do {
    int64_t left = settings.stepsBefore - training.step();
    int64_t steps = left > 0 ? std::min(left, compiled.steps) : compiled.steps;
    if (Status status = training.advance(steps, options); !status)
      return status.error();
  } while (training.step() < settings.stepsBefore);
  Expected<Timing> timing = repeat(
      seconds, [&] { return training.advance(compiled.steps, options); });
  if (!timing)
    return timing.error();
  double microseconds = 1e6 / static_cast<double>(settings.runs) /
                        static_cast<double>(compiled.steps);
  return Rate{timing->best * microseconds, timing->median * microseconds,
              training.bytesPerRun(),
              usesLanes(compiled.entry(), settings.schedule, settings.runs)};
}

Expected<Json> bench::measureModel(const Settings &settings) {
  const Model &model = settings.model;
  Expected<CompiledModel> compiled =
      CompiledModel::compile(model, settings.stepsOfCall(), settings.compile);
  if (!compiled)
    return compiled.error();
  constexpr double seconds = 0.6;
  // Before and after: the clock of a CPU changes.
  double before = measurePeakFlops(settings.usedThreads());
  Expected<Rate> rate = measureRate(*compiled, settings, seconds);
  if (!rate)
    return rate.error();
  double peak =
      std::max(before, measurePeakFlops(settings.usedThreads())) * 1e-9;
  double gflops = rate->gflops(model);
  return Json{{"model", model.name()},
              {"batch", model.batch},
              {"optimizer", nameOf(model.optimizer)},
              {"runs", settings.runs},
              {"threads", settings.usedThreads()},
              {"steps", compiled->steps},
              {"schedule", rate->lanes ? "lanes" : "solo"},
              {"lanes", settings.compile.lanes},
              {"cpu", compiled->program.manifest().cpu},
              {"us_per_run_step", rate->microseconds},
              {"us_per_run_step_median", rate->median},
              {"gflops", gflops},
              {"peak_gflops", peak},
              {"fraction_of_peak", gflops / peak},
              {"bytes_per_run", rate->bytesPerRun},
              {"compile_s", compiled->compileSeconds}};
}
