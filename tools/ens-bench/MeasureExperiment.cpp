//===- MeasureExperiment.cpp - What it costs to keep a fit ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "MakeLearner.h"

#include "ensc/Experiment/Sink.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

using namespace ensc;
using namespace ensc::bench;

static constexpr int64_t usualSteps = 2000, recordEvery = 20;

namespace {
/// Seconds of a fit that is kept.
struct Kept {
  double all = std::numeric_limits<double>::infinity();
  double before = 0, records = 0, checkpoints = 0, finalStates = 0, after = 0;

  /// Training, without the files of the runs that have ended.
  double training() const { return all - finalStates; }
};

/// Times what another sink does.
class TimedSink : public FitSink {
  template <typename Work> auto timed(double &seconds, Work work) {
    auto begin = std::chrono::steady_clock::now();
    auto result = work();
    seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    return result;
  }

public:
  explicit TimedSink(const ExperimentOptions &options)
      : sink(makeExperimentSink(options)) {}

  Expected<std::optional<Snapshot>> start(const FitPlan &plan) override {
    return timed(seconds.before, [&] { return sink->start(plan); });
  }
  Status records(const RecordBatch &batch) override {
    return timed(seconds.records, [&] { return sink->records(batch); });
  }
  Status ended(const std::vector<RunReport> &reports,
               const StateReader &readState) override {
    return timed(seconds.finalStates,
                 [&] { return sink->ended(reports, readState); });
  }
  Status event(const FitEvent &event) override {
    return timed(seconds.records, [&] { return sink->event(event); });
  }
  bool wantsSnapshot(int64_t steps) override {
    return sink->wantsSnapshot(steps);
  }
  Status snapshot(const Snapshot &snapshot) override {
    return timed(seconds.checkpoints, [&] { return sink->snapshot(snapshot); });
  }
  Status finish(const FitReport &report, const Snapshot &last) override {
    return timed(seconds.after, [&] { return sink->finish(report, last); });
  }

  Kept seconds;

private:
  std::unique_ptr<FitSink> sink;
};

/// A directory that lives as long as this.
class ScratchDirectory {
public:
  ScratchDirectory() {
    std::error_code code;
    path = (std::filesystem::temp_directory_path(code) / "ens-bench-XXXXXX");
    if (!::mkdtemp(path.data()))
      path.clear();
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    if (!path.empty())
      std::filesystem::remove_all(path, ignored);
  }

  std::string path; ///< Empty where it could not be made.
};
} // namespace

static Expected<Kept> keepFit(Learner &learner, const FitOptions &options) {
  TimedSink sink(options.experiment);
  Expected<FitReport> report = learner.fit(options, sink);
  if (!report)
    return report.error();
  sink.seconds.all = report->seconds;
  return sink.seconds;
}

Expected<Json> bench::measureExperiment(const Settings &settings) {
  Expected<Learner> learner = makeLearner(settings);
  if (!learner)
    return learner.error();
  FitOptions plain;
  plain.runs = settings.runs;
  int64_t steps = settings.steps ? settings.steps : usualSteps;
  plain.epochs = (steps - 1) / batchCount + 1;
  plain.maxSteps = {steps};
  plain.threads = settings.usedThreads();
  plain.schedule = settings.schedule;
  plain.hypers["lr"] = makeRates(settings.runs);
  plain.metrics = false;
  FitOptions kept = plain;
  kept.metrics = true;
  kept.recordEvery = recordEvery;
  ScratchDirectory scratch;
  if (scratch.path.empty())
    return Error(ErrorKind::Io, std::string("cannot make a directory for "
                                            "temporary files: ") +
                                    std::strerror(errno));
  double without = std::numeric_limits<double>::infinity();
  Kept best;
  for (int repetition = 0; repetition < 2; ++repetition) {
    Expected<FitReport> report = learner->fit(plain);
    if (!report)
      return report.error();
    without = std::min(without, report->seconds);
    kept.experiment.path = scratch.path + "/" + std::to_string(repetition);
    Expected<Kept> again = keepFit(*learner, kept);
    if (!again)
      return again.error();
    if (again->training() < best.training())
      best = *again;
  }
  return Json{{"model", settings.model.name()},
              {"batch", settings.model.batch},
              {"optimizer", nameOf(settings.model.optimizer)},
              {"runs", settings.runs},
              {"threads", plain.threads},
              {"steps", steps},
              {"record_every", recordEvery},
              {"seconds_without", without},
              {"seconds_kept", best.training()},
              {"seconds_of_records", best.records},
              {"seconds_of_checkpoints", best.checkpoints},
              {"seconds_before", best.before},
              {"seconds_of_final_states", best.finalStates},
              {"seconds_after", best.after},
              {"cost", best.training() / without - 1}};
}
