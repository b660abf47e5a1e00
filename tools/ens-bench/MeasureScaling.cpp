//===- MeasureScaling.cpp - Many threads, many runs -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include <algorithm>

using namespace ensc;
using namespace ensc::bench;

static Json describe(const Settings &settings) {
  return Json{{"model", settings.model.name()},
              {"batch", settings.model.batch},
              {"optimizer", nameOf(settings.model.optimizer)}};
}

Expected<Json> bench::measureScaling(const Settings &settings) {
  Expected<CompiledModel> compiled = CompiledModel::compile(
      settings.model, settings.stepsOfCall(), settings.compile);
  if (!compiled)
    return compiled.error();
  constexpr double seconds = 2.0;
  Way one = {settings.runs, 1, settings.schedule};
  Way all = {settings.runs, settings.usedThreads(), settings.schedule};
  Expected<std::vector<Rate>> rates =
      measureRates(*compiled, {one, all}, seconds);
  if (!rates)
    return rates.error();
  Json report = describe(settings);
  report.update({{"runs", settings.runs},
                 {"threads", all.threads},
                 {"us_per_run_step_one_thread", (*rates)[0].best},
                 {"us_per_run_step", (*rates)[1].best},
                 {"speedup", (*rates)[0].best / (*rates)[1].best}});
  return report;
}

Expected<Json> bench::measureCounts(const Settings &settings) {
  // One pass over the data: the time of all counts together matters here.
  Expected<CompiledModel> compiled = CompiledModel::compile(
      settings.model, settings.steps ? settings.steps : batchCount,
      settings.compile);
  if (!compiled)
    return compiled.error();
  Json counts = Json::array();
  std::vector<double> ratios;
  for (int64_t runs = 1; runs <= settings.runs; ++runs) {
    constexpr double seconds = 0.05;
    Way together = {runs, 1, settings.schedule};
    Way alone = {1, 1, RunSchedule::Solo};
    Expected<std::vector<Rate>> rates =
        measureRates(*compiled, {together, alone}, seconds);
    if (!rates)
      return rates.error();
    ratios.push_back((*rates)[0].best / (*rates)[1].best);
    counts.push_back({{"runs", runs},
                      {"us_per_run_step", (*rates)[0].best},
                      {"us_per_run_step_alone", (*rates)[1].best},
                      {"ratio", ratios.back()}});
  }
  std::sort(ratios.begin(), ratios.end());
  Json report = describe(settings);
  report.update({{"counts", counts},
                 {"median_ratio", ratios[ratios.size() / 2]},
                 {"worst_ratio", ratios.back()}});
  return report;
}
