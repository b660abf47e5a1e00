//===- Learner.h - N runs of one training program ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_API_LEARNER_H
#define ENSC_API_LEARNER_H

#include "ensc/API/Error.h"
#include "ensc/API/Executable.h"
#include "ensc/API/Tensor.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ensc {

/// How a run ended.
enum class RunStatus {
  Completed, ///< All epochs.
  Stopped,   ///< It reached its own last step before.
  Diverged,  ///< Its loss or state was not finite at the end of an epoch.
};

/// "completed", "stopped" or "diverged".
const char *nameOf(RunStatus status);

/// A metric at the end of an epoch: the training loss, then what the program
/// evaluates on the validation data.
struct MetricInfo {
  std::string name;      ///< "loss", "val_loss", "val_accuracy", ...
  bool maximize = false; ///< Whether more of it is better.
};

/// The metrics of a run at the end of an epoch, or where it stopped.
struct EpochRecord {
  int64_t epoch = 0;          ///< Counted from 0.
  int64_t step = 0;           ///< Steps done.
  std::vector<double> values; ///< One per metric; NaN where none was computed.
};

struct RunReport {
  int64_t run = 0; ///< Its global number.
  int64_t seed = 0;
  RunStatus status = RunStatus::Completed;
  int64_t steps = 0; ///< Steps done.
  std::vector<EpochRecord> epochs;

  /// The best value of a metric over the epochs; NaN if it was never a number.
  double best(size_t metric, bool maximize) const;
};

/// The memory that a fit takes, known before its first step. What is not
/// counted is the process itself: its code, and the compiler where it is used.
struct MemoryPlan {
  int64_t dataBytes = 0;   ///< The data, held once.
  int64_t workers = 0;     ///< Threads that advance groups of runs.
  int64_t workerBytes = 0; ///< Scratch memory of each of them.
  int64_t runBytes = 0;    ///< State and metrics of a run while it trains.
  int64_t reportBytes = 0; ///< What is reported of all runs.
  int64_t runs = 0;        ///< That are trained.
  int64_t chunkRuns = 0;   ///< That are trained at the same time.
  int64_t chunks = 0;      ///< Parts that are trained one after the other.
  int64_t peakBytes = 0;   ///< All of it at the worst moment.
};

/// What to train.
struct FitOptions {
  int64_t runs = 1;
  int64_t seed = 0;     ///< Run i draws from the seed `seed + i`.
  int64_t dataSeed = 0; ///< The order of the data where all runs share it.
  int64_t epochs = 10;
  int threads = 0; ///< 0: as many as there are cores.
  RunSchedule schedule = RunSchedule::Auto;
  /// Train this one of the N runs alone; its result has the same bits.
  std::optional<int64_t> onlyRun;
  /// Last step of each run, or of all of them if there is one; empty: none.
  std::vector<int64_t> maxSteps;
  /// Values of hyper-parameters by name: one for all runs, or one per run. What
  /// is not named keeps the default of the program.
  std::map<std::string, std::vector<double>> hypers;
  /// The bytes that a fit may take, see MemoryPlan; 0: as many as it likes.
  /// Runs that do not fit train one chunk after the other, to the same bits.
  int64_t maxMemory = 0;
  /// Called when everything has been checked, before the first step.
  std::function<void(const MemoryPlan &plan)> onPlan;
  /// Called when the runs of a chunk have ended, with their reports. Until it
  /// returns parameter() gives their state; then the next chunk takes their
  /// place. An error ends the fit.
  std::function<Status(const std::vector<RunReport> &runs)> onChunk;
};

struct FitReport {
  std::vector<RunReport> runs; ///< In the order of their numbers.
  int64_t runSteps = 0;        ///< Steps executed, summed over the runs.
  double seconds = 0.0;        ///< From the first step to the last metric.
  int64_t flopsPerStep = 0;    ///< Of the contractions of one step of one run.
  bool lanes = false; ///< Whether groups of runs were trained in lanes.
  MemoryPlan memory;
};

/// Trains N runs of an `ens.learner` as one thing.
///
/// ```cpp
/// Learner learner = std::move(*Learner::create(program));
/// learner.setData("x", x); learner.setData("y", y);
/// FitOptions options;
/// options.runs = 64;
/// FitReport report = *learner.fit(options);
/// Tensor weights = *learner.parameter(/*run=*/7, "w1");
/// ```
///
/// A learner may fit several times, each time from the initial state. Data is
/// held once, whatever the number of runs. One thread at a time may use it,
/// except for progress().
class Learner {
public:
  /// The learner called `name` of a program; empty: its only one.
  static Expected<Learner> create(Executable program,
                                  const std::string &name = "");
  Learner(Learner &&) noexcept;
  Learner &operator=(Learner &&) noexcept;
  ~Learner();

  const ManifestLearner &info() const;

  /// Names, types and roles of what the training function takes.
  const ManifestEntry &fitEntry() const;

  /// The metrics of reports, in order.
  const std::vector<MetricInfo> &metrics() const;

  /// The position of the metric that decides which run is best.
  size_t monitor() const;

  /// The names of the data arguments: of training, then of validation.
  std::vector<std::string> dataNames() const;

  /// Gives a data argument its tensor, whose memory is read in place. A per-run
  /// argument leads with the number of runs.
  Status setData(const std::string &name, const Tensor &tensor);

  /// The memory that fit() will take, once it has all data. Fails on options
  /// that do not fit the program, and on a limit that is too low for one run.
  Expected<MemoryPlan> planMemory(const FitOptions &options) const;

  /// Trains all runs. Fails before the first step if data, hyper-parameters or
  /// options do not fit the program.
  Expected<FitReport> fit(const FitOptions &options);

  /// Steps executed by the fit in progress, summed over runs, and those
  /// planned.
  struct Progress {
    int64_t done = 0, planned = 0;
  };
  Progress progress() const;

  /// A parameter, or a leaf of the optimizer, of a run of the last fit, or of
  /// its last chunk. The memory belongs to the learner.
  Expected<Tensor> parameter(int64_t run, const std::string &name) const;

  /// Names of what parameter() gives, parameters first, in source order.
  std::vector<std::string> stateNames() const;

private:
  struct Impl;
  explicit Learner(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace ensc

#endif // ENSC_API_LEARNER_H
