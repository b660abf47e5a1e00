//===- Search.h - Decisions across runs -------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs are independent between sync points: ticks, counted in records, at which
// all live runs have met. What is decided across runs is decided there, from
// steps, metrics and numbers of runs alone, so that an experiment gives the
// same bits on any machine and after any interruption.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_API_SEARCH_H
#define ENSC_API_SEARCH_H

#include "ensc/API/Error.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ensc {

/// A metric of reports: the training loss, or what a program evaluates on the
/// validation data.
struct MetricInfo {
  std::string name;      ///< "loss", "val_loss", "val_accuracy", ...
  bool maximize = false; ///< Whether more of it is better.
};

/// What is seen of the runs at a sync point, and may be done to them. Valid
/// until the call that it was given to returns.
class Population {
public:
  virtual ~Population();

  /// At tick t a live run has made t records, less the tick it was admitted at.
  virtual int64_t tick() const = 0;

  /// The numbers of the runs that are training, ascending. stop() takes a run
  /// out at once.
  virtual const std::vector<int64_t> &live() const = 0;

  virtual const std::vector<MetricInfo> &metrics() const = 0;
  /// The position of the metric that says which run is better.
  virtual size_t monitor() const = 0;

  /// Steps that a live run has done.
  virtual int64_t steps(int64_t run) const = 0;
  /// The last value of a metric that a live run computed, and its best so far;
  /// NaN where there is none.
  virtual double latest(int64_t run, size_t metric) const = 0;
  virtual double best(int64_t run, size_t metric) const = 0;

  /// Ends a live run, or all of them and all that are still to start, with the
  /// status Stopped.
  virtual Status stop(int64_t run, const std::string &reason) = 0;
  virtual Status stopAll(const std::string &reason) = 0;

  /// Lets the live run `to` go on from the parameters and the optimizer's state
  /// of the live run `from`, which must be of the same program. Steps, seed,
  /// hyper-parameters and metrics of `to` stay its own.
  virtual Status copy(int64_t from, int64_t to) = 0;

  /// The value of a hyper-parameter of a live run. Setting refuses what cannot
  /// be given for a run at its start.
  virtual Expected<double> hyper(int64_t run,
                                 const std::string &name) const = 0;
  virtual Status setHyper(int64_t run, const std::string &name,
                          double value) = 0;
};

/// The runs that a search will see, before they begin.
struct SearchedRuns {
  std::vector<int64_t> programs; ///< The program of each run.
  std::vector<int64_t> records;  ///< That each makes, if nothing stops it.
  int64_t firstValue = 1; ///< The first record with the monitored metric.
  /// The names of the hyper-parameters of each program.
  std::vector<std::vector<std::string>> hypers;
};

/// Something that looks at all runs at its sync points and stops, copies or
/// changes some of them. What it decides must depend on nothing but what it
/// sees and its own state.
class Search {
public:
  virtual ~Search();

  /// All of its parameters as a JSON object, one line of text: part of the plan
  /// of an experiment. Searches that decide differently describe themselves
  /// differently.
  virtual std::string describe() const = 0;

  /// Fails where it could not decide about these runs. Called before anything
  /// is trained or kept on disk.
  virtual Status check(const SearchedRuns &runs) const;

  /// A tick that nobody lives to see.
  static constexpr int64_t never = INT64_MAX;

  /// The first sync point after `tick` at which it has something to decide.
  virtual int64_t nextSync(int64_t tick) const = 0;

  virtual Status decide(Population &population) = 0;

  /// Its state as JSON, one line of text, and back; empty where it has none.
  virtual std::string save() const;
  virtual Status load(const std::string &state);

  /// Whether it compares runs of the same age, so that all must train at the
  /// same time.
  virtual bool needsAllRuns() const;
};

/// A function that is called at every `every`-th tick. An error from it, or an
/// exception, ends training, after a snapshot where there is an experiment.
struct Callback {
  int64_t every = 1;
  std::function<Status(Population &population)> call;
};

} // namespace ensc

#endif // ENSC_API_SEARCH_H
