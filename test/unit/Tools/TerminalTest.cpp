//===- TerminalTest.cpp - Tests of drawing on terminals -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terminal.h"

#include <gtest/gtest.h>

#include <thread>

using namespace ensc;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

static std::string drawn(const std::string &up, const std::string &line) {
  return "\033[?7l" + up + "\r" + line + "\033[K\n\033[J\033[?7h";
}

TEST(TerminalTest, MessagesAreAboveTheLiveLines) {
  CaptureStderr();
  {
    tool::LiveLines lines;
    lines.draw({"one"});
    lines.draw({"two"});
    tool::printMessage("a warning");
    lines.draw({"three"});
  }
  tool::printMessage("the end");
  EXPECT_EQ(GetCapturedStderr(), drawn("", "one") + drawn("\033[1A", "two") +
                                     "\033[1A\r\033[Ja warning\n" +
                                     drawn("", "three") +
                                     "\033[1A\r\033[Jthe end\n");
}

TEST(TerminalTest, ThreadsTakeTurns) {
  constexpr int count = 200;
  CaptureStderr();
  {
    tool::LiveLines lines;
    std::thread printer([] {
      for (int i = 0; i < count; ++i)
        tool::printMessage("message");
    });
    for (int i = 0; i < count; ++i)
      lines.draw({"live"});
    printer.join();
  }
  // What was drawn is taken back exactly once.
  std::string text = GetCapturedStderr();
  auto occurrences = [&](const std::string &part) {
    int found = 0;
    for (size_t at = text.find(part); at != std::string::npos;
         at = text.find(part, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(occurrences("live\033[K\n"), count);
  EXPECT_EQ(occurrences("message\n"), count);
  EXPECT_EQ(occurrences("\033[1A"), count);
}
