//===- DescribeFit.cpp - What a fit computes, before it is begun ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescribeFit.h"

#include "ensc/Experiment/PlanFile.h"
#include "ensc/Runtime/HyperValues.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace ensc;

namespace {
/// Looks at the plan of a fit, and ends the fit before its first step.
class PlanSink : public FitSink {
public:
  std::optional<Expected<Json>> plan;

  Expected<std::optional<Snapshot>> start(const FitPlan &given) override {
    plan = makePlan(given);
    return Error(ErrorKind::Interrupted, "the plan is all that was wanted");
  }
  Status records(const RecordBatch &) override { return Status::success(); }
  Status ended(const std::vector<RunReport> &, const StateReader &) override {
    return Status::success();
  }
  Status event(const FitEvent &) override { return Status::success(); }
  bool wantsSnapshot(int64_t) override { return false; }
  Status snapshot(const Snapshot &) override { return Status::success(); }
  Status finish(const FitReport &, const Snapshot &) override {
    return Status::success();
  }
};
} // namespace

static double someValueOf(const NumberRange &range) {
  double low = std::max(range.atLeast.value_or(-INFINITY),
                        range.above.value_or(-INFINITY));
  double high =
      std::min(range.atMost.value_or(INFINITY), range.below.value_or(INFINITY));
  if (std::isfinite(low) && std::isfinite(high))
    return low + (high - low) / 2;
  if (std::isfinite(low))
    return low + std::max(1.0, std::fabs(low));
  if (std::isfinite(high))
    return high - std::max(1.0, std::fabs(high));
  return 1.0;
}

Expected<Json> ensc::describeFit(Learner &learner, FitOptions options) {
  for (int64_t program = 0; program < learner.programs(); ++program)
    for (const ManifestValue &hyper : hypersOf(
             learner.program(program).manifest(), learner.info(program).name))
      if (!hyper.defaultValue)
        options.hypers.try_emplace(
            hyper.name, std::vector<double>{someValueOf(hyper.range)});
  PlanSink sink;
  Expected<FitReport> report = learner.fit(options, sink);
  if (sink.plan)
    return std::move(*sink.plan);
  return report.error();
}
