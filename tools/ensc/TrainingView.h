//===- TrainingView.h - Training as it is seen while it runs -- -*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_TRAININGVIEW_H
#define ENSC_TOOLS_ENSC_TRAININGVIEW_H

#include "ensc/API/Learner.h"
#include "ensc/Report/TextView.h"
#include "ensc/Runtime/Thread.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace ensc::tool {

/// Follows an experiment for views: its files, its rate, and the memory of the
/// process that works on it.
class ExperimentFollower {
public:
  /// The history of the experiment at `path`.
  static Expected<ExperimentFollower> open(const std::string &path);

  /// What its files say now, with the `bestRuns` best runs.
  Expected<ViewState> look(size_t bestRuns);

  const ExperimentReader &experiment() const { return history.experiment(); }

private:
  ExperimentFollower(RunHistory history, std::string title)
      : history(std::move(history)), title(std::move(title)) {}

  RunHistory history;
  std::string title;
  RateMeter rate;
};

/// The resident memory of a process; 0 if it cannot be known.
int64_t residentBytes(int64_t process);

/// Seconds of a clock that never goes back.
double now();

/// Shows on standard error what a fit does while this object lives: lines that
/// are renewed on a terminal, a line now and then elsewhere.
class TrainingView {
public:
  /// A source of what to show; nothing while there is nothing to show. It is
  /// called on another thread, one call at a time, until the view is destroyed.
  using Source = std::function<std::optional<ViewState>()>;

  /// `clock` gives the seconds that the view goes by.
  explicit TrainingView(Source source, std::function<double()> clock = now);
  ~TrainingView();

  /// What a learner does, and what the experiment at `path` holds of it; an
  /// empty path: nothing. The learner must outlive the source.
  static Source watch(const Learner &learner, std::string path);

private:
  void show(bool onTerminal);

  Source source;
  std::function<double()> clock;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::optional<Thread> printer; ///< None if it could not start.
};

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_TRAININGVIEW_H
