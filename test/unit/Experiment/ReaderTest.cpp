//===- ReaderTest.cpp - Reading experiments -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestExperiment.h"

#include "CheckpointFiles.h"
#include "ensc/Experiment/Lock.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

using namespace ensc;

namespace {
/// The error of opening an experiment with this plan.
std::string planError(const std::string &plan) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path(), plan);
  return errorOf(ExperimentReader::open(directory.path()));
}

ExperimentReader openExperiment(const std::string &path) {
  Expected<ExperimentReader> reader = ExperimentReader::open(path);
  EXPECT_TRUE(reader) << reader.error().message();
  return *reader;
}
} // namespace

TEST(ReaderTest, ReadsThePlan) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  ExperimentReader reader = openExperiment(directory.path());
  EXPECT_EQ(reader.runs(), 3);
  EXPECT_EQ(reader.epochs(), 2);
  EXPECT_EQ(reader.monitor(), 1u);
  EXPECT_TRUE(reader.metrics()[1].maximize);
  EXPECT_EQ(reader.findMetric("val_loss"), std::nullopt);
  EXPECT_EQ(reader.programs().at(0).path, directory.path() + "/program/0.mlir");
  EXPECT_EQ(reader.hypers(), std::vector<std::string>{"lr"});
  EXPECT_EQ(reader.created(), 1796056201.0);
  EXPECT_EQ(formatCsv(reader.rows()), "seed,lr\n5,0.1\n6,\n7,1e-05\n");
  EXPECT_EQ(reader.runPath(2), directory.path() + "/runs/0002");
}

TEST(ReaderTest, RunsThatHaveNotBegunArePending) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  Expected<CsvTable> table = openExperiment(directory.path()).readTable();
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_EQ(formatCsv(*table),
            "run,seed,lr,status,reason,steps,final_loss,best_loss,"
            "final_val_accuracy,best_val_accuracy\n"
            "0,5,0.1,pending,,0,,,,\n"
            "1,6,,pending,,0,,,,\n"
            "2,7,1e-05,pending,,0,,,,\n");
}

TEST(ReaderTest, ReadsRecordsAsTheyAreWritten) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  ExperimentReader reader = openExperiment(directory.path());
  std::vector<int64_t> steps;
  auto use = [&](const RunRecord &record) { steps.push_back(record.step); };
  // The last line is torn.
  writeBytes(directory.file("metrics.csv"), testMetrics + std::string("2,4,"));
  Expected<RecordCursor> cursor = reader.readRecords(use);
  ASSERT_TRUE(cursor) << cursor.error().message();
  EXPECT_EQ(steps, (std::vector<int64_t>{2, 2, 4}));
  std::ofstream(directory.file("metrics.csv"), std::ios::app)
      << "1,0.5,0.5\n2,6,2,1,1\n";
  cursor = reader.readRecords(use, *cursor);
  ASSERT_TRUE(cursor);
  EXPECT_EQ(steps, (std::vector<int64_t>{2, 2, 4, 4, 6}));
  // Another file in its place is read from its beginning.
  writeBytes(directory.file("other"), testMetrics);
  std::filesystem::rename(directory.file("other"),
                          directory.file("metrics.csv"));
  ASSERT_TRUE(reader.readRecords(use, *cursor));
  EXPECT_EQ(steps.size(), 8u);
}

TEST(ReaderTest, ReadsTheRecordsOfSomeRuns) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  ExperimentReader reader = openExperiment(directory.path());
  auto records = reader.readRecordsOf({2, 1, 0, 2});
  ASSERT_TRUE(records) << records.error().message();
  ASSERT_EQ(records->size(), 4u);
  EXPECT_EQ(records->at(0).size(), 1u);
  EXPECT_TRUE(std::isnan(records->at(0)[0].values[0]));
  EXPECT_EQ(records->at(1).size(), 0u);
  ASSERT_EQ(records->at(2).size(), 2u);
  EXPECT_TRUE(std::isnan(records->at(2)[0].values[1]));
  EXPECT_EQ(records->at(2)[1].values[1], 0.75);
  EXPECT_EQ(records->at(3).size(), 1u);
}

TEST(ReaderTest, RefusesPlansThatMakeNoSense) {
  EXPECT_CONTAINS(planError("{"), "not a JSON file");
  EXPECT_CONTAINS(planError("[]"), "expected the fields format, runs");
  EXPECT_CONTAINS(planError(replaced(testPlan, ": 2", ": 3")),
                  "format 3 is not supported; expected 2");
  EXPECT_CONTAINS(planError(replaced(testPlan, ": 3", ": 100000000000")),
                  "100000000000 runs; expected 0 to 10000000");
  EXPECT_CONTAINS(planError(replaced(testPlan, ": 3", ": 4")),
                  "the column 'seed' needs one value for each of 4 runs");
  EXPECT_CONTAINS(planError(replaced(testPlan, "[5,", "[{},")),
                  "no number and no text for run 0");
  EXPECT_CONTAINS(planError(replaced(testPlan, "\"loss\"", "7")),
                  "a metric needs a name");
  EXPECT_CONTAINS(planError(replaced(testPlan, "\"loss\"", "\"val_accuracy\"")),
                  "'val_accuracy' occurs twice");
  EXPECT_CONTAINS(
      planError(replaced(testPlan, "program/0", "../../0")),
      "a program needs name, learner, hash and the file program/0.mlir");
  EXPECT_CONTAINS(planError(replaced(testPlan, "[\"lr\"]", "[\"rl\"]")),
                  "hypers names something that is no column");
}

TEST(ReaderTest, RefusesDirectoriesThatAreNoExperiment) {
  TemporaryDirectory directory;
  EXPECT_CONTAINS(errorOf(ExperimentReader::open(directory.path())),
                  "it has no plan.json");
  writeBytes(directory.file("experiment.json"), "{}");
  EXPECT_CONTAINS(errorOf(ExperimentReader::open(directory.path())),
                  "in format 1");
}

TEST(ReaderTest, RefusesRecordsThatMakeNoSense) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  ExperimentReader reader = openExperiment(directory.path());
  auto error = [&](const std::string &text) {
    writeBytes(directory.file("metrics.csv"), text);
    return errorOf(reader.readRecords([](const RunRecord &) {}));
  };
  EXPECT_CONTAINS(error("run,step\n"), "its first line is not 'run,step,epoch");
  std::string header = "run,step,epoch,loss,val_accuracy\n";
  for (const char *line :
       {"", "0", "0,1,2,3", "0,1,2,3,4,5", "x,1,2,3,4", "3,1,2,3,4",
        "-1,1,2,3,4", "0,1,2,3,4 ", "99999999999999999999,1,2,3,4"})
    EXPECT_CONTAINS(error(header + line + "\n"), "is no record of a run");
  EXPECT_CONTAINS(error(header + std::string(3000000, '7')), "more than");
}

TEST(ReaderTest, KnowsWhereAnExperimentStands) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  ExperimentReader reader = openExperiment(directory.path());
  EXPECT_EQ(reader.state(), ExperimentState::Halted);
  {
    Expected<Lock> lock = Lock::take(directory.file("lock"));
    ASSERT_TRUE(lock) << lock.error().message();
    EXPECT_EQ(reader.state(), ExperimentState::Running);
    EXPECT_EQ(reader.writer(), ::getpid());
    EXPECT_CONTAINS(errorOf(Lock::take(directory.file("lock"))),
                    "process " + std::to_string(::getpid()) + " works on it");
  }
  writeBytes(directory.file("events.jsonl"),
             "{\"event\":\"started\"}\n{\"event\":\"finished\"}\n");
  EXPECT_EQ(reader.state(), ExperimentState::Complete);
  EXPECT_EQ(reader.readEvents()->size(), 2u);
  writeBytes(directory.file("events.jsonl"), "{\"event\":7}\n\n");
  EXPECT_EQ(reader.state(), ExperimentState::Halted);
}

TEST(ReaderTest, ReadsStatesFromFilesAndCheckpoints) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  ExperimentReader reader = openExperiment(directory.path());
  std::string path = directory.file("checkpoints/000000000004");
  std::filesystem::create_directories(path);
  std::filesystem::create_directories(directory.file("runs/0000"));
  std::filesystem::create_directories(directory.file("checkpoints/notes"));
  EXPECT_CONTAINS(errorOf(reader.readState(1)), "run 1 has no state yet");
  EXPECT_CONTAINS(errorOf(reader.readState(3)), "there is no run 3");
  Tensor w = Tensor::of<float>({2}, {1, 2});
  ASSERT_TRUE(writeSafetensors(directory.file("runs/0000/final.safetensors"),
                               {{{"w", w}}, {}}));
  Expected<CheckpointFile> file = writeCheckpointFile(
      path, "0.safetensors",
      {{{"run", Tensor::of<int64_t>({2}, {1, 2})},
        {"state.w", Tensor::of<float>({2, 2}, {3, 4, 5, 6})},
        {"step", Tensor::of<int64_t>({2}, {7, 7})}},
       {}});
  ASSERT_TRUE(file) << file.error().message();
  file->program = 0;
  ASSERT_TRUE(writeCheckpointState(path, {{"tick", 4}}, {*file}));
  auto states = reader.readStates({2, 0});
  ASSERT_TRUE(states) << states.error().message();
  Tensor expected = Tensor::of<float>({2}, {5, 6});
  EXPECT_EQ(states->at(0).tensors.size(), 1u);
  EXPECT_TRUE(states->at(0).find("w")->bitwiseEquals(expected));
  EXPECT_TRUE(states->at(1).find("w")->bitwiseEquals(w));
  EXPECT_EQ(reader.checkpoints(), std::vector<std::string>{"000000000004"});
  // A damaged one is passed over.
  std::string bytes = readBytes(path + "/0.safetensors");
  bytes.back() ^= 1;
  writeBytes(path + "/0.safetensors", bytes);
  EXPECT_CONTAINS(errorOf(reader.readState(2)), "run 2 has no state yet");
}

TEST(ReaderTest, StatesAreThoseOfOneCheckpoint) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  ExperimentReader reader = openExperiment(directory.path());
  auto write = [&](const std::string &name, std::vector<int64_t> first,
                   std::vector<int64_t> second, float value) {
    std::string path = directory.file("checkpoints/" + name);
    std::filesystem::create_directories(path);
    std::vector<CheckpointFile> files;
    for (const std::vector<int64_t> &runs : {first, second}) {
      auto count = static_cast<int64_t>(runs.size());
      auto program = static_cast<int64_t>(files.size());
      Expected<CheckpointFile> file = writeCheckpointFile(
          path, std::to_string(program) + ".safetensors",
          {{{"run", Tensor::of<int64_t>({count}, runs)},
            {"state.w", Tensor::of<float>(
                            {count}, std::vector<float>(runs.size(), value))}},
           {}});
      EXPECT_TRUE(file) << file.error().message();
      file->program = program;
      files.push_back(*file);
    }
    EXPECT_TRUE(writeCheckpointState(path, {{"tick", 4}}, files));
    return path;
  };
  write("000000000004", {0}, {2}, 4);
  std::string newest = write("000000000005", {0, 1}, {2}, 5);
  EXPECT_EQ(reader.readStates({0, 1, 2})->at(1).find("w")->data<float>()[0], 5);
  std::string bytes = readBytes(newest + "/1.safetensors");
  bytes.back() ^= 1;
  writeBytes(newest + "/1.safetensors", bytes);
  auto states = reader.readStates({0, 2});
  ASSERT_TRUE(states) << states.error().message();
  for (const Safetensors &state : *states)
    EXPECT_EQ(state.find("w")->data<float>()[0], 4);
  EXPECT_CONTAINS(errorOf(reader.readState(1)), "run 1 has no state yet");
}

TEST(ReaderTest, KnowsItsOwnFiles) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  ExperimentReader reader = openExperiment(directory.path());
  for (const char *name :
       {"plan.json", "metrics.csv", "runs.csv", "lock", "events.jsonl",
        "runs/0000/metrics.csv", "other/../plan.json", "checkpoints"})
    EXPECT_TRUE(reader.owns(directory.file(name))) << name;
  for (const char *name : {"report.html", "../plan.json", "my.csv", ""})
    EXPECT_FALSE(reader.owns(directory.file(name))) << name;
  EXPECT_FALSE(reader.owns(""));
}

TEST(ReaderTest, EventsAreReadAroundDamage) {
  TemporaryDirectory directory;
  std::string searched = replaced(testPlan, "\"runs\": 3",
                                  "\"runs\": 3, \"search\": {\"eta\": 2}");
  std::string events = "{\"event\":\"started\"}\n{\"event\": tor\n"
                       "{\"event\":\"finished\"}\n";
  for (const std::string &plan : {std::string(testPlan), searched}) {
    writeTestExperiment(directory.path(), plan);
    writeBytes(directory.file("events.jsonl"), events);
    ExperimentReader reader = openExperiment(directory.path());
    EXPECT_EQ(reader.readEvents()->size(), 2u);
    // A search may have said there that a hyper-parameter changed.
    auto changed = reader.readChangedHypers();
    EXPECT_EQ(static_cast<bool>(changed), plan != searched);
  }
}

TEST(ReaderTest, SaysWhyThereIsNoState) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  ExperimentReader reader = openExperiment(directory.path());
  CsvTable table = *reader.readTable();
  table.rows[1][*table.column("status")] = "completed";
  writeBytes(directory.file("runs.csv"), formatCsv(table));
  EXPECT_CONTAINS(errorOf(reader.readState(1)),
                  "it has ended, but its files were not kept");
  EXPECT_CONTAINS(errorOf(reader.readState(2)), "it has not ended");
}

TEST(ReaderTest, ReadsTheLastValuesOfHyperParameters) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  writeBytes(directory.file("events.jsonl"), R"({"event":"started"}
{"event":"changed","tick":2,"runs":[1],"name":"lr","value":0.5}
{"event":"changed","tick":3,"runs":[1,2],"name":"lr","value":0.25}
{"event":"changed","tick":3,"runs":"all","name":"lr","value":"nan"}
)");
  auto changed = openExperiment(directory.path()).readChangedHypers();
  ASSERT_TRUE(changed) << changed.error().message();
  EXPECT_EQ(changed->size(), 2u);
  EXPECT_EQ((*changed)[1]["lr"], 0.25);
  EXPECT_EQ((*changed)[2]["lr"], 0.25);
}

/// Bytes with a few accidents.
static std::string damage(std::string bytes, std::mt19937 &engine) {
  static const std::string pieces[] = {
      "",   "[",    "{}",     "null", "-1",    "99999999999999999999",
      "\"", "nan",  "\n",     ",",    "1e999", std::string(300, '['),
      "..", "\xff", "\\u0000"};
  for (unsigned i = engine() % 4 + 1; i > 0; --i) {
    size_t place = engine() % (bytes.size() + 1);
    size_t length = std::min<size_t>(engine() % 9, bytes.size() - place);
    bytes.replace(place, length, pieces[engine() % std::size(pieces)]);
  }
  return bytes;
}

TEST(ReaderTest, DamagedFilesAreReadSafely) {
  TemporaryDirectory directory;
  writeTestExperiment(directory.path());
  std::string path = directory.file("checkpoints/000000000004");
  std::filesystem::create_directories(path);
  Expected<CheckpointFile> file = writeCheckpointFile(
      path, "0.safetensors",
      {{{"run", Tensor::of<int64_t>({2}, {1, 2})},
        {"state.w", Tensor::of<float>({2, 2}, {3, 4, 5, 6})}},
       {}});
  file->program = 0;
  ASSERT_TRUE(writeCheckpointState(path, {{"tick", 4}}, {*file}));
  writeBytes(directory.file("events.jsonl"), "{\"event\":\"finished\"}\n");
  writeBytes(directory.file("runs.csv"),
             formatCsv(*openExperiment(directory.path()).readTable()));
  std::mt19937 engine(5);
  int64_t opened = 0;
  for (std::string name : {"plan.json", "metrics.csv", "events.jsonl",
                           "runs.csv", "checkpoints/000000000004/state.json",
                           "checkpoints/000000000004/0.safetensors"}) {
    std::string intact = readBytes(directory.file(name));
    for (int i = 0; i < 300; ++i) {
      writeBytes(directory.file(name), damage(intact, engine));
      Expected<ExperimentReader> reader =
          ExperimentReader::open(directory.path());
      if (!reader)
        continue;
      ++opened;
      (void)reader->readTable();
      (void)reader->readEvents();
      (void)reader->state();
      (void)reader->readRecordsOf({0, 1, 2});
      (void)reader->readStates({0, 1, 2});
      (void)reader->created();
    }
    writeBytes(directory.file(name), intact);
  }
  EXPECT_GT(opened, 1500);
  EXPECT_TRUE(openExperiment(directory.path()).readState(2));
}
