//===- KillTest.cpp - Fits that are killed --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Kills processes that train at random instants and inside of their writes,
// starts them again, and compares all files that they leave in the end with
// those of a process that nobody has killed. $ENSC_KILLS says how often, per
// kind of fit.
//
//===----------------------------------------------------------------------===//

#include "SameFiles.h"

#include "ensc/Experiment/Reader.h"

#include <chrono>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ensc;
namespace fs = std::filesystem;

namespace {
struct Outcome {
  bool killed = false;
  int code = -1;
  std::string output; ///< Of a process that ended by itself.
};

int killsPerKind(int usual) {
  const char *text = std::getenv("ENSC_KILLS");
  return text ? std::atoi(text) : usual;
}

class KillTest : public testing::TestWithParam<const char *> {
protected:
  TemporaryDirectory directory;
  int64_t epochs = 40;

  /// Where all tests keep the compiled programs.
  static std::string cachePath() {
    static const TemporaryDirectory cache;
    return cache.path();
  }

  /// Starts a process that trains in `name`. It calls the function before it
  /// becomes another program.
  template <typename Prepare>
  pid_t start(const std::string &name, int threads, Prepare prepare) {
    std::string path = directory.file(name);
    std::string output = directory.file("output");
    std::string cache = cachePath();
    pid_t child = ::fork();
    if (child != 0)
      return child;
    ::setenv("ENSC_CACHE_DIR", cache.c_str(), 1);
    ::setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
    int file = ::open(output.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    ::dup2(file, 1);
    ::dup2(file, 2);
    prepare();
    ::execl(ENSC_KEEP_FIT, "keep-fit", path.c_str(), GetParam(),
            std::to_string(epochs).c_str(), std::to_string(threads).c_str(),
            nullptr);
    ::_exit(127);
  }

  Outcome wait(pid_t child) {
    int code = 0;
    ::waitpid(child, &code, 0);
    Outcome outcome;
    outcome.killed = WIFSIGNALED(code);
    outcome.code = WIFEXITED(code) ? WEXITSTATUS(code) : -1;
    outcome.output = readBytes(directory.file("output"));
    return outcome;
  }

  Outcome train(const std::string &name, int threads = 2) {
    Outcome outcome = wait(start(name, threads, [] {}));
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return outcome;
  }

  bool hasCheckpoint(const std::string &name) {
    std::error_code code;
    return fs::exists(directory.file(name) + "/checkpoints/000000000001",
                      code) ||
           fs::exists(directory.file(name) + "/runs.csv", code);
  }

  bool isComplete(const std::string &name) {
    Expected<ExperimentReader> reader =
        ExperimentReader::open(directory.file(name));
    Expected<std::vector<Json>> events =
        reader ? reader->readEvents() : std::vector<Json>();
    return events && !events->empty() && events->back()["event"] == "finished";
  }

  void expectSame(const std::string &name, const std::string &other) {
    expectSameFiles(directory.file(name), directory.file(other));
  }
};
} // namespace

TEST_P(KillTest, AtRandomInstants) {
  using Clock = std::chrono::steady_clock;
  epochs = 150;
  train("cached");
  auto begin = Clock::now();
  Outcome whole = train("whole");
  std::chrono::duration<double> span = Clock::now() - begin;
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  int kills = killsPerKind(2), killed = 0, whileTraining = 0;
  for (int i = 0; killed < kills && i < 20 * kills; ++i) {
    pid_t child = start("killed", 1 + i % 2, [] {});
    // One in ten wherever it is, the others when there is a checkpoint.
    bool waits = i % 10 != 0;
    auto patience = Clock::now() + std::chrono::seconds(60);
    while (waits && !hasCheckpoint("killed") && Clock::now() < patience)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    std::this_thread::sleep_for(part(engine) * span * 0.45);
    bool isTraining = hasCheckpoint("killed") && !isComplete("killed");
    ::kill(child, SIGKILL);
    Outcome outcome = wait(child);
    killed += outcome.killed;
    whileTraining += outcome.killed && isTraining;
    if (outcome.killed)
      continue;
    EXPECT_EQ(outcome.output, whole.output);
    expectSame("killed", "whole");
    fs::remove_all(directory.file("killed"));
  }
  RecordProperty("killed", killed);
  RecordProperty("whileTraining", whileTraining);
  EXPECT_EQ(killed, kills);
  EXPECT_GE(2 * whileTraining, kills);
  EXPECT_EQ(train("killed", 1).output, whole.output);
  expectSame("killed", "whole");
  // Nothing is left to do.
  EXPECT_EQ(train("killed").output, whole.output);
  expectSame("killed", "whole");
}

TEST_P(KillTest, InsideAWrite) {
  Outcome whole = train("whole");
  // Coprime to what repeats, so that all places are met in the end.
  int kills = killsPerKind(3), stride = 37;
  for (int i = 0; i < kills; ++i) {
    std::string number = std::to_string(1 + i * stride % 1009);
    pid_t child = start("killed", 2, [&] {
      ::setenv("LD_PRELOAD", ENSC_KILL_IN_WRITE, 1);
      ::setenv("KILL_IN_WRITE", number.c_str(), 1);
    });
    Outcome outcome = wait(child);
    EXPECT_TRUE(outcome.killed || outcome.code == 0) << outcome.output;
    if (outcome.code == 0) {
      EXPECT_EQ(outcome.output, whole.output);
      expectSame("killed", "whole");
      fs::remove_all(directory.file("killed"));
    }
  }
  EXPECT_EQ(train("killed").output, whole.output);
  expectSame("killed", "whole");
}

TEST_P(KillTest, AClockThatJumps) {
  Outcome whole = train("whole");
  pid_t child = start("jumping", 2, [] {
    ::setenv("LD_PRELOAD", ENSC_KILL_IN_WRITE, 1);
    ::setenv("JUMPING_CLOCK", "1", 1);
  });
  EXPECT_EQ(wait(child).output, whole.output);
  expectSame("jumping", "whole");
  // It did jump.
  Expected<std::vector<Json>> events =
      readJsonLines(directory.file("jumping/events.jsonl"));
  ASSERT_TRUE(events) << events.error().message();
  std::set<std::string> years;
  for (const Json &event : *events)
    years.insert(event["time"].get<std::string>().substr(0, 4));
  EXPECT_GE(years.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Kinds, KillTest,
                         testing::Values("plain", "starts", "programs",
                                         "halving", "population"));
