//===- Watch.cpp - ensc watch ---------------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Terminal.h"
#include "TrainingView.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

#include <unistd.h>

using namespace ensc;
namespace cl = llvm::cl;

static cl::opt<std::string> experiment(cl::Positional, cl::Required,
                                       cl::desc("<experiment>"),
                                       cl::cat(tool::category),
                                       cl::sub(tool::watchCommand));
static tool::SwitchFlag once("once", cl::desc("Show it once and end"),
                             cl::cat(tool::category),
                             cl::sub(tool::watchCommand));
static tool::NumberFlag interval("interval",
                                 cl::desc("Seconds between two looks at its "
                                          "files; 1 without it"),
                                 cl::init(1), cl::value_desc("seconds"),
                                 cl::cat(tool::category),
                                 cl::sub(tool::watchCommand));
static tool::IntegerFlag bestRuns("best", tool::atLeast(0),
                                  cl::desc("Best runs shown; 5 without it"),
                                  cl::init(5), cl::value_desc("K"),
                                  cl::cat(tool::category),
                                  cl::sub(tool::watchCommand));

static void printFrame(const ViewState &state) {
  ViewStyle style = tool::styleOf(STDOUT_FILENO);
  // Nothing is lost where output scrolls.
  style.height = 1000;
  for (const std::string &line : renderView(state, style))
    llvm::outs() << line << "\n";
}

/// Draws until the experiment ends or the user leaves. Gives the exit code, or
/// nothing where the experiment has ended.
static Expected<std::optional<int>>
watchOnScreen(tool::ExperimentFollower &follower) {
  tool::FullScreen screen(STDIN_FILENO, STDOUT_FILENO);
  while (true) {
    Expected<ViewState> state = follower.look(bestRuns);
    if (!state)
      return state.error();
    if (state->state != ExperimentState::Running)
      return std::optional<int>();
    ViewStyle style = tool::styleOf(STDOUT_FILENO);
    std::vector<std::string> lines = renderView(*state, style);
    if (lines.size() + 1 < style.height) {
      lines.resize(style.height - 1);
      lines.push_back("q leaves");
    }
    screen.draw(lines);
    tool::FullScreen::Input input = screen.wait(interval);
    if (input != tool::FullScreen::Input::None)
      return std::optional<int>(
          input == tool::FullScreen::Input::Interrupt ? 130 : 0);
  }
}

/// A line for each look that found something new, until the experiment ends.
static Status watchInLines(tool::ExperimentFollower &follower) {
  int64_t shown = -1;
  while (true) {
    Expected<ViewState> state = follower.look(bestRuns);
    if (!state)
      return state.error();
    if (state->state != ExperimentState::Running)
      return Status::success();
    if (state->doneSteps != shown)
      llvm::outs() << renderLine(*state) << "\n";
    llvm::outs().flush();
    if (llvm::outs().has_error())
      return Status::success();
    shown = state->doneSteps;
    ::usleep(static_cast<useconds_t>(interval * 1e6));
  }
}

static Expected<int> watch() {
  if (!(interval >= 0.05 && interval <= 3600))
    return Error(ErrorKind::InvalidArgument,
                 "--interval must be between 0.05 and 3600 seconds");
  Expected<tool::ExperimentFollower> follower =
      tool::ExperimentFollower::open(experiment);
  if (!follower)
    return follower.error();
  if (!once && tool::canRedraw(STDOUT_FILENO) && ::isatty(STDIN_FILENO)) {
    Expected<std::optional<int>> code = watchOnScreen(*follower);
    if (!code)
      return code.error();
    if (*code)
      return **code;
  } else if (!once) {
    if (Status status = watchInLines(*follower); !status)
      return status.error();
  }
  Expected<ViewState> state = follower->look(bestRuns);
  if (!state)
    return state.error();
  tool::warnOfLostRecords(follower->experiment());
  printFrame(*state);
  return 0;
}

int tool::watchMain() {
  Expected<int> code = watch();
  return code ? *code : fail(code.error());
}
