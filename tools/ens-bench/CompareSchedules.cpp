//===- CompareSchedules.cpp - Solo or lanes -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include <algorithm>

using namespace ensc;
using namespace ensc::bench;

/// Small and large layers, few and many of them, sizes that fill vectors and
/// sizes that do not.
static constexpr const char *shapes[] = {
    "mlp-2-16-16-1",  "mlp-8-8-4",         "mlp-61-29-7",
    "mlp-16-64-8",    "mlp-64-32-10",      "mlp-100-3-100",
    "mlp-32-32-32-4", "mlp-16-16-16-16-1", "mlp-32-128-128-10",
    "mlp-128-256-10", "mlp-784-16-10",     "mlp-784-128-10",
};
static constexpr int64_t batches[] = {5, 16, 64};

/// The time of the choice over that of the better schedule.
static Expected<Json> compare(const Settings &settings) {
  Expected<CompiledModel> compiled = CompiledModel::compile(
      settings.model, settings.stepsOfCall(), settings.compile);
  if (!compiled)
    return compiled.error();
  constexpr double seconds = 0.3;
  std::vector<Way> ways;
  for (RunSchedule schedule :
       {RunSchedule::Auto, RunSchedule::Solo, RunSchedule::Lanes})
    ways.push_back({settings.runs, settings.usedThreads(), schedule});
  Expected<std::vector<Rate>> rates = measureRates(*compiled, ways, seconds);
  if (!rates)
    return rates.error();
  double choice = (*rates)[0].best, solo = (*rates)[1].best,
         lanes = (*rates)[2].best;
  bool usesLane = usesLanes(compiled->entry(), RunSchedule::Auto, settings.runs,
                            settings.usedThreads());
  return Json{{"model", settings.model.name()},
              {"batch", settings.model.batch},
              {"optimizer", nameOf(settings.model.optimizer)},
              {"choice", usesLane ? "lanes" : "solo"},
              {"us_per_run_step", choice},
              {"us_per_run_step_solo", solo},
              {"us_per_run_step_lanes", lanes},
              {"ratio", choice / std::min(solo, lanes)}};
}

Expected<Json> bench::compareSchedules(const Settings &settings) {
  Json cases = Json::array();
  double worst = 0.0;
  int64_t slower = 0;
  for (const char *shape : shapes)
    for (int64_t batch : batches)
      for (Optimizer optimizer : {Optimizer::Sgd, Optimizer::Adam}) {
        Settings one = settings;
        one.model = *Model::parse(shape);
        one.model.batch = batch;
        one.model.optimizer = optimizer;
        Expected<Json> report = compare(one);
        if (!report)
          return report.error().inContext(shape);
        double ratio = (*report)["ratio"];
        worst = std::max(worst, ratio);
        slower += ratio > 1.15;
        cases.push_back(*report);
      }
  return Json{{"runs", settings.runs},
              {"threads", settings.usedThreads()},
              {"cases", cases},
              {"worst_ratio", worst},
              {"slower_than_15_percent", slower}};
}
