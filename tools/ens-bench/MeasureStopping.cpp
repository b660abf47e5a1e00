//===- MeasureStopping.cpp - Runs that stop early -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "MakeLearner.h"

#include <algorithm>
#include <limits>

using namespace ensc;
using namespace ensc::bench;

static constexpr int64_t epochs = 20;
/// Nine runs of ten stop after a tenth of the epochs; those that go on are
/// spread over all groups.
static constexpr int64_t oneIn = 10;

Expected<Json> bench::measureStopping(const Settings &settings) {
  Expected<Learner> learner = makeLearner(settings);
  if (!learner)
    return learner.error();
  FitOptions all;
  all.runs = settings.runs;
  all.epochs = epochs;
  all.threads = settings.usedThreads();
  all.schedule = settings.schedule;
  all.hypers["lr"] = makeRates(settings.runs);
  FitOptions few = all;
  int64_t steps = epochs * batchCount;
  for (int64_t run = 0; run < settings.runs; ++run)
    few.maxSteps.push_back(run % oneIn == 0 ? steps : steps / oneIn);

  double secondsOfAll = std::numeric_limits<double>::infinity();
  double secondsOfFew = secondsOfAll, share = 0.0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    Expected<FitReport> full = learner->fit(all);
    if (!full)
      return full.error();
    Expected<FitReport> stopped = learner->fit(few);
    if (!stopped)
      return stopped.error();
    secondsOfAll = std::min(secondsOfAll, full->seconds);
    secondsOfFew = std::min(secondsOfFew, stopped->seconds);
    share = static_cast<double>(stopped->runSteps) /
            static_cast<double>(full->runSteps);
  }
  return Json{
      {"model", settings.model.name()},
      {"batch", settings.model.batch},
      {"optimizer", nameOf(settings.model.optimizer)},
      {"runs", settings.runs},
      {"threads", all.threads},
      {"steps", steps},
      {"seconds_all", secondsOfAll},
      {"seconds_stopped", secondsOfFew},
      {"share_of_run_steps", share},
      {"time_over_proportional", secondsOfFew / (share * secondsOfAll)}};
}
