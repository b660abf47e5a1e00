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
#include "ensc/API/Experiment.h"
#include "ensc/API/Search.h"
#include "ensc/API/Tensor.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ensc {

class FitSink;

/// What became of a run.
enum class RunStatus {
  Pending,   ///< It waits for its turn.
  Running,   ///< It has steps to do.
  Completed, ///< All epochs.
  Stopped,   ///< It ended before, for the reason that its report names.
  Reached,   ///< Its metric met the goal.
  Diverged,  ///< Its loss or state was not finite where metrics were taken.
};

/// "pending", "running", "completed", "stopped", "reached" or "diverged".
const char *nameOf(RunStatus status);

/// The status that `name` spells, or an error that lists the names.
Expected<RunStatus> parseRunStatus(const std::string &name);

/// The metrics of a run where they are taken: after every so many steps, and
/// where it ends.
struct EpochRecord {
  int64_t epoch = 0;          ///< Of the last step before, counted from 0.
  int64_t step = 0;           ///< Steps done.
  bool validated = false;     ///< Whether more than the loss was computed.
  std::vector<double> values; ///< One per metric; NaN where none was computed.
};

struct RunReport {
  int64_t run = 0; ///< Its global number.
  int64_t seed = 0;
  int64_t program = 0; ///< The position of its program.
  RunStatus status = RunStatus::Pending;
  /// Why it ended: "" if completed, "max_steps", "patience", "goal", what a
  /// search or a callback said; of a diverged run what was not finite: "loss"
  /// or the name of a tensor of its state.
  std::string reason;
  double value = 0.0; ///< Of a diverged run: the number that was not finite.
  int64_t steps = 0;  ///< Steps done.
  /// One per metric: the last value that was computed, and the best; NaN if
  /// there is none.
  std::vector<double> final, best;
  std::vector<EpochRecord> epochs; ///< Where nothing keeps them on disk.
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
  int64_t inFlight = 0;    ///< That are trained at the same time.
  int64_t peakBytes = 0;   ///< All of it at the worst moment.
};

/// What a run must reach: then it ends, and when `count` runs have, all end.
struct Goal {
  std::string metric;
  bool below = true; ///< Whether the metric must get below the value, or above.
  double value = 0.0;
  int64_t count = 1;
};

/// The rows of the training data that a run trains on. Sizes are static: the
/// program is compiled for the number of rows that each choice gives.
struct RowChoice {
  enum Kind {
    All,
    Bootstrap, ///< As many draws as the program has rows, from its seed.
    Fold,      ///< All but fold `fold` of `folds`, which validates.
    Subset,    ///< Those of `rows`.
  };
  Kind kind = All;
  int64_t fold = 0, folds = 0;
  std::vector<int64_t> rows;
};

/// What a plan says of each run besides. It is for those who read the tables of
/// an experiment; nothing that is computed depends on it.
struct RunColumn {
  std::string name;
  std::vector<double> numbers;    ///< One per run; NaN where there is none.
  std::vector<std::string> texts; ///< In place of numbers; "" for none.
};

/// What to train. What is given per run is empty, has one value for all runs,
/// or one for each.
struct FitOptions {
  int64_t runs = 1;
  int64_t seed = 0;           ///< Run i draws from the seed `seed + i`,
  std::vector<int64_t> seeds; ///< unless it is given one.
  /// The order of the data where runs share it, or where each has its own.
  int64_t dataSeed = 0;
  std::vector<int64_t> orderSeeds;
  std::vector<int64_t> programs; ///< The position of each run's program.
  int64_t epochs = 10;
  int threads = 0; ///< 0: as many as there are cores.
  RunSchedule schedule = RunSchedule::Auto;
  /// Train this one of the N runs alone; its result has the same bits.
  std::optional<int64_t> onlyRun;
  std::vector<int64_t> maxSteps; ///< Last step of each run.
  /// Values of hyper-parameters by name. What is not named, and what is NaN,
  /// keeps the default of the program.
  std::map<std::string, std::vector<double>> hypers;
  /// Safetensors files with the initial parameters, and if they like with
  /// leaves of the optimizer; "": they are drawn.
  std::vector<std::string> initialStates;
  std::vector<RowChoice> rowChoices;
  /// A column called "data" gives names to the rowChoices.
  std::vector<RunColumn> columns;
  /// What errors about a value of a run call it, as in "rows.csv: row 3, column
  /// 'lr'"; "": it gets the name of the option and the number of the run.
  std::function<std::string(int64_t run, const std::string &column)> placeOf;

  /// Runs that train at the same time; the others wait for a free place, in
  /// order. 0: as many as fit into the memory.
  int64_t inFlight = 0;
  /// The bytes that a fit may take, see MemoryPlan; 0: as many as it likes.
  int64_t maxMemory = 0;
  /// Bytes of the data that are used where they lie in files: they are not
  /// counted, since the system can have their memory back.
  int64_t mappedBytes = 0;

  /// Steps between records of metrics; 0: an epoch.
  int64_t recordEvery = 0;
  /// The records from one with validation to the next.
  int64_t validateEvery = 1;
  /// Whether there are records before the last one.
  bool metrics = true;

  /// A run stops when so many records with the monitored metric in a row were
  /// not better than the best one before by more than minDelta; 0: never.
  std::vector<int64_t> patience;
  double minDelta = 0.0;
  std::optional<Goal> goal;
  /// Ticks between the sync points at which the goal is looked at and waiting
  /// runs start; 0: a run has 32 of them.
  int64_t syncEvery = 0;
  std::shared_ptr<Search> search;
  std::vector<Callback> callbacks;

  ExperimentOptions experiment;
  /// Where it becomes true, runs stop soon, and fit() fails with
  /// ErrorKind::Interrupted, after a snapshot where there is an experiment.
  const std::atomic<bool> *interrupt = nullptr;

  /// Called when everything has been checked, before the first step.
  std::function<void(const MemoryPlan &plan)> onPlan;
  /// Called on fit()'s thread when runs have ended, with their reports. Until
  /// it returns parameter() gives their state; then others may take their
  /// place. An error ends the fit.
  std::function<Status(const std::vector<RunReport> &runs)> onRunsEnded;
};

struct FitReport {
  std::vector<RunReport> runs; ///< In the order of their numbers.
  int64_t runSteps = 0;        ///< Steps executed by this fit, over all runs.
  double seconds = 0.0;        ///< From the first step to the last metric.
  /// Of these, what training and evaluation took. In the others files were
  /// written, searches decided and callbacks ran.
  double trainingSeconds = 0.0;
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

  /// A learner whose runs may be of several programs, which must agree on what
  /// they monitor. Data is given by name to every program that takes it.
  static Expected<Learner> create(std::vector<Executable> programs,
                                  const std::string &name = "");
  Learner(Learner &&) noexcept;
  Learner &operator=(Learner &&) noexcept;
  ~Learner();

  int64_t programs() const;
  const Executable &program(int64_t program = 0) const;

  const ManifestLearner &info(int64_t program = 0) const;

  /// Names, types and roles of what the training function takes.
  const ManifestEntry &fitEntry(int64_t program = 0) const;

  /// The metrics of reports, in order: those of all programs, each name once.
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

  /// The same with a sink in place of `options.experiment`.
  Expected<FitReport> fit(const FitOptions &options, FitSink &sink);

  /// Steps executed by the fit in progress, summed over runs, and those
  /// planned.
  struct Progress {
    int64_t done = 0, planned = 0;
  };
  Progress progress() const;

  /// A parameter, or a leaf of the optimizer, of a run of the last fit whose
  /// place no other run has taken. The memory belongs to the learner.
  Expected<Tensor> parameter(int64_t run, const std::string &name) const;

  /// Names of what parameter() gives, parameters first, in source order.
  std::vector<std::string> stateNames(int64_t program = 0) const;

private:
  struct Impl;
  explicit Learner(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace ensc

#endif // ENSC_API_LEARNER_H
