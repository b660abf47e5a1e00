//===- TrainingViewTest.cpp - Tests of views of training ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingView.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace ensc;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

namespace {
/// A clock that stands still until it is set, and what is shown by it.
class Scene {
public:
  /// The view asks when it begins, before it may look and after each look.
  double ask() {
    std::lock_guard<std::mutex> lock(mutex);
    ++asked;
    changed.notify_all();
    return time;
  }

  /// Sets the clock and waits until the view has acted on it.
  void setTime(double seconds) {
    std::unique_lock<std::mutex> lock(mutex);
    time = seconds;
    waitForQuestions(lock, 2);
  }

  /// Each look finds one more step done.
  std::optional<ViewState> look() {
    ViewState state;
    state.title = "an experiment";
    state.doneSteps = ++looks;
    state.plannedSteps = 100;
    return state;
  }

  /// Shows it while `steps` are gone through.
  template <typename Steps> void show(const Steps &steps) {
    tool::TrainingView view([this] { return look(); },
                            [this] { return ask(); });
    {
      std::unique_lock<std::mutex> lock(mutex);
      if (asked == 0)
        waitForQuestions(lock, 1);
    }
    steps();
  }

private:
  void waitForQuestions(std::unique_lock<std::mutex> &lock, int64_t more) {
    int64_t enough = asked + more;
    changed.wait(lock, [&] { return asked >= enough; });
  }

  std::mutex mutex;
  std::condition_variable changed;
  double time = 0;
  int64_t asked = 0, looks = 0;
};

/// Standard error as a terminal.
class TerminalAsStderr {
public:
  TerminalAsStderr() : terminal(::posix_openpt(O_RDWR | O_NOCTTY)) {
    EXPECT_EQ(::grantpt(terminal), 0);
    EXPECT_EQ(::unlockpt(terminal), 0);
    int side = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
    winsize size = {};
    size.ws_row = 24;
    size.ws_col = 80;
    ::ioctl(side, TIOCSWINSZ, &size);
    before = ::dup(STDERR_FILENO);
    ::dup2(side, STDERR_FILENO);
    ::close(side);
    ::setenv("TERM", "xterm", 1);
  }
  ~TerminalAsStderr() { ::close(terminal); }

  /// Ends it; gives what was written there.
  std::string take() {
    ::dup2(before, STDERR_FILENO);
    ::close(before);
    // Nobody writes there any more: after the text comes an error.
    std::string text;
    char part[4096];
    for (ssize_t size; (size = ::read(terminal, part, sizeof(part))) > 0;)
      text.append(part, static_cast<size_t>(size));
    return text;
  }

private:
  int terminal, before;
};
} // namespace

TEST(TrainingViewTest, ALogHasALineNowAndThen) {
  Scene scene;
  CaptureStderr();
  scene.show([&] {
    for (double seconds : {9.9, 10.0, 19.9, 20.1})
      scene.setTime(seconds);
  });
  EXPECT_EQ(GetCapturedStderr(), "1 % of 100 run-steps\n"
                                 "2 % of 100 run-steps\n");
}

TEST(TrainingViewTest, ShortFitsLeaveNothingInALog) {
  Scene scene;
  CaptureStderr();
  scene.show([&] { scene.setTime(9.9); });
  EXPECT_EQ(GetCapturedStderr(), "");
}

TEST(TrainingViewTest, ATerminalIsRedrawnAndLeftClean) {
  Scene scene;
  TerminalAsStderr terminal;
  scene.show([&] {
    for (double seconds : {0.2, 0.3, 0.4, 0.6})
      scene.setTime(seconds);
  });
  std::string text = terminal.take();
  size_t first = text.find("1 % of 100 run-steps");
  size_t second = text.find("2 % of 100 run-steps");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  EXPECT_EQ(text.find("3 % of"), std::string::npos);
  // The second drawing begins where the first one did.
  size_t up = text.find("A\r", first);
  EXPECT_LT(up, second);
  std::string end = "A\r\033[J";
  ASSERT_GT(text.size(), end.size());
  EXPECT_EQ(text.substr(text.size() - end.size()), end);
}
