//===- TrainingView.cpp - Training as it is seen while it runs ------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingView.h"

#include "Interrupt.h"
#include "Terminal.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>

#include <unistd.h>

using namespace ensc;

double tool::now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

int64_t tool::residentBytes(int64_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  int64_t all = 0, resident = 0;
  if (!(file >> all >> resident))
    return 0;
  return resident * ::sysconf(_SC_PAGESIZE);
}

//===----------------------------------------------------------------------===//
// Following an experiment
//===----------------------------------------------------------------------===//

Expected<tool::ExperimentFollower>
tool::ExperimentFollower::open(const std::string &path) {
  constexpr size_t pointsPerRun = 64;
  Expected<RunHistory> history = RunHistory::open(path, pointsPerRun);
  if (!history)
    return history.error();
  std::error_code ignored;
  std::string title =
      std::filesystem::weakly_canonical(path, ignored).filename().string();
  return ExperimentFollower(std::move(*history), title.empty() ? path : title);
}

Expected<ViewState> tool::ExperimentFollower::look(size_t bestRuns) {
  if (Status status = history.refresh(); !status)
    return status.error();
  ViewState view = describeExperiment(history, title, bestRuns);
  if (view.state != ExperimentState::Running)
    return view;
  rate.add(now(), view.doneSteps);
  view.stepsPerSecond = rate.stepsPerSecond();
  if (std::optional<int64_t> process = history.experiment().writer())
    view.memoryBytes = residentBytes(*process);
  return view;
}

//===----------------------------------------------------------------------===//
// Training in this process
//===----------------------------------------------------------------------===//

namespace {
/// A learner counts its steps while they are done; files tell the rest.
class LearnerSource {
public:
  LearnerSource(const Learner &learner, std::string path)
      : learner(learner), path(std::move(path)) {}

  std::optional<ViewState> look();

private:
  const Learner &learner;
  std::string path;
  std::optional<tool::ExperimentFollower> follower;
  RateMeter rate;
};
} // namespace

std::optional<ViewState> LearnerSource::look() {
  constexpr size_t bestRuns = 5;
  Learner::Progress progress = learner.progress();
  if (progress.planned == 0)
    return std::nullopt;
  rate.add(tool::now(), progress.done);
  // The experiment is made while the fit begins, so that it may be missing.
  if (!follower && !path.empty())
    if (Expected<tool::ExperimentFollower> opened =
            tool::ExperimentFollower::open(path))
      follower.emplace(std::move(*opened));
  ViewState view;
  if (follower)
    if (Expected<ViewState> seen = follower->look(bestRuns))
      view = std::move(*seen);
  view.state = ExperimentState::Running;
  if (view.runs == 0) {
    view.doneSteps = progress.done;
    view.plannedSteps = progress.planned;
  }
  view.stepsPerSecond = rate.stepsPerSecond();
  view.memoryBytes = tool::residentBytes(::getpid());
  return view;
}

tool::TrainingView::Source tool::TrainingView::watch(const Learner &learner,
                                                     std::string path) {
  auto source = std::make_shared<LearnerSource>(learner, std::move(path));
  return [source] { return source->look(); };
}

//===----------------------------------------------------------------------===//
// Showing it
//===----------------------------------------------------------------------===//

tool::TrainingView::TrainingView(Source source, std::function<double()> clock)
    : source(std::move(source)), clock(std::move(clock)) {
  bool onTerminal = canRedraw(STDERR_FILENO);
  if (Expected<Thread> thread =
          Thread::start([this, onTerminal] { show(onTerminal); }))
    printer.emplace(std::move(*thread));
  else
    printMessage("ensc: warning: progress is not shown: " +
                 thread.error().message());
}

tool::TrainingView::~TrainingView() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
  }
  changed.notify_all();
  printer.reset();
}

/// Draws or prints what the source gives.
static void showOnce(const tool::TrainingView::Source &source,
                     tool::LiveLines *lines) {
  std::optional<ViewState> state = source();
  if (!state)
    return;
  if (!lines) {
    tool::printMessage(renderLine(*state));
    return;
  }
  ViewStyle style = tool::styleOf(STDERR_FILENO);
  // A part of the terminal is left to what was there before.
  style.height = style.height > 30 ? style.height - 8 : style.height / 2;
  lines->draw(renderView(*state, style));
}

void tool::TrainingView::show(bool onTerminal) {
  // A log is read later, and short fits need none. Looking takes a fiftieth of
  // a core at most.
  double interval = onTerminal ? 0.25 : 10, due = clock() + interval;
  std::optional<LiveLines> lines;
  std::optional<InterruptNotice> notice;
  if (onTerminal) {
    lines.emplace();
    notice.emplace();
  }
  std::unique_lock<std::mutex> lock(mutex);
  // Whoever interrupts is told soon.
  while (!changed.wait_for(lock, std::chrono::milliseconds(100),
                           [this] { return done; })) {
    if (onTerminal)
      InterruptNotice::look();
    double start = clock();
    if (start < due)
      continue;
    showOnce(source, lines ? &*lines : nullptr);
    double end = clock();
    due = end + std::max(interval, 50 * (end - start));
  }
}
