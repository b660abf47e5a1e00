//===- MeasureModel.cpp - The speed of one model --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "ensc/Runtime/Peak.h"
#include "ensc/Runtime/Threads.h"

#include <algorithm>
#include <functional>

using namespace ensc;
using namespace ensc::bench;

int Settings::usedThreads() const {
  return threads > 0 ? threads : availableThreads();
}

Expected<std::vector<Rate>>
bench::measureRates(const CompiledModel &compiled, const std::vector<Way> &ways,
                    double seconds, int64_t stepsBefore, int64_t calls) {
  std::vector<Training> trainings;
  std::vector<CallOptions> options;
  for (const Way &way : ways) {
    trainings.emplace_back(compiled, way.runs);
    CallOptions call;
    call.runs = way.runs;
    call.threads = way.threads;
    call.schedule = way.schedule;
    options.push_back(call);
  }
  std::vector<std::function<Status()>> works;
  for (size_t i = 0; i < ways.size(); ++i) {
    Training &training = trainings[i];
    // The first call meets cold caches and untouched memory.
    do {
      int64_t left = stepsBefore - training.step();
      int64_t steps =
          left > 0 ? std::min(left, compiled.steps) : compiled.steps;
      if (Status status = training.advance(steps, options[i]); !status)
        return status.error();
    } while (training.step() < stepsBefore);
    works.push_back(
        [&, i] { return trainings[i].advance(compiled.steps, options[i]); });
  }
  Expected<std::vector<Timing>> rates = alternate(seconds, calls, works);
  if (!rates)
    return rates;
  for (size_t i = 0; i < ways.size(); ++i) {
    double microseconds = 1e6 / static_cast<double>(ways[i].runs) /
                          static_cast<double>(compiled.steps);
    (*rates)[i].best *= microseconds;
    (*rates)[i].median *= microseconds;
  }
  return rates;
}

Expected<Json> bench::measureModel(const Settings &settings) {
  const Model &model = settings.model;
  Expected<CompiledModel> compiled =
      CompiledModel::compile(model, settings.stepsOfCall(), settings.compile);
  if (!compiled)
    return compiled.error();
  double seconds = settings.calls ? 0.0 : 0.6;
  int64_t calls = settings.calls ? settings.calls : fewestCalls;
  Way way = {settings.runs, settings.usedThreads(), settings.schedule};
  // Before and after: the clock of a CPU changes.
  double before = measurePeakFlops(way.threads);
  Expected<std::vector<Rate>> rates =
      measureRates(*compiled, {way}, seconds, settings.stepsBefore, calls);
  if (!rates)
    return rates.error();
  const Rate &rate = rates->front();
  double peak = std::max(before, measurePeakFlops(way.threads)) * 1e-9;
  double gflops = static_cast<double>(model.flopsPerStep()) / rate.best * 1e-3;
  bool lanes =
      usesLanes(compiled->entry(), way.schedule, way.runs, way.threads);
  return Json{{"model", model.name()},
              {"batch", model.batch},
              {"optimizer", nameOf(model.optimizer)},
              {"runs", way.runs},
              {"threads", way.threads},
              {"steps", compiled->steps},
              {"schedule", lanes ? "lanes" : "solo"},
              {"lanes", lanes ? compiled->entry().lanes->lanes : 1},
              {"cpu", compiled->program.manifest().cpu},
              {"us_per_run_step", rate.best},
              {"us_per_run_step_median", rate.median},
              {"gflops", gflops},
              {"peak_gflops", peak},
              {"fraction_of_peak", gflops / peak},
              {"cpu_share", rate.cores / way.threads},
              {"bytes_per_run", compiled->bytesPerRun()},
              {"compile_s", compiled->compileSeconds},
              {"cached", compiled->cached}};
}
