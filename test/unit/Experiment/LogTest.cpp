//===- LogTest.cpp - Files that grow while training -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Artifact/FileSizeLimit.h"
#include "EventLog.h"
#include "RecordLog.h"
#include "RecordText.h"
#include "TestExperiment.h"
#include "Yaml.h"

#include "ensc/Artifact/LogFile.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <sys/stat.h>

using namespace ensc;

namespace {
const std::vector<ExperimentMetric> metrics = {{"loss", false},
                                               {"val_accuracy", true}};
const std::string header = "run,step,epoch,loss,val_accuracy\n";
} // namespace

TEST(LogTest, DropsATornLineAndGrows) {
  TemporaryDirectory directory;
  writeBytes(directory.file("log"), "one\ntwo\nthr");
  Expected<LogFile> file = LogFile::open(directory.file("log"));
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->size(), 8u);
  ASSERT_TRUE(file->append("three\nfour\n"));
  EXPECT_EQ(file->size(), 19u);
  ASSERT_TRUE(file->cut(14));
  ASSERT_TRUE(file->flush());
  EXPECT_EQ(readBytes(directory.file("log")), "one\ntwo\nthree\n");
  EXPECT_CONTAINS(errorOf(LogFile::open(directory.file("no/log"))),
                  "No such file");
}

TEST(LogTest, AFullDiskLeavesWholeLines) {
  TemporaryDirectory directory;
  Expected<LogFile> file = LogFile::open(directory.file("log"));
  ASSERT_TRUE(file->append("whole\n"));
  {
    FileSizeLimit limit(10);
    EXPECT_CONTAINS(errorOf(file->append("too long\n")), "File too large");
  }
  EXPECT_EQ(readBytes(directory.file("log")), "whole\n");
  ASSERT_TRUE(file->append("fits\n"));
  EXPECT_EQ(readBytes(directory.file("log")), "whole\nfits\n");
}

TEST(LogTest, RecordsReadBackAsTheyWere) {
  std::string text;
  double values[] = {0.1, -INFINITY};
  appendRecord(text, 3, 40, 2, values, {true, true});
  appendRecord(text, 3, 60, 2, values, {true, false});
  EXPECT_EQ(text, "3,40,2,0.1,-inf\n3,60,2,0.1,\n");
  RunRecord record;
  record.values.resize(2);
  EXPECT_TRUE(parseRecord("3,60,2,0.1,", record));
  EXPECT_EQ(record.values[0], 0.1);
  EXPECT_TRUE(std::isnan(record.values[1]));
  EXPECT_FALSE(parseRecord("3,60,2,0.1", record));
  EXPECT_FALSE(parseRecord("3,60,2,0.1,,", record));
}

TEST(LogTest, DropsWhatARunHasNotDone) {
  TemporaryDirectory directory;
  std::string path = directory.file("metrics.csv");
  std::vector<int64_t> steps = {4, -1, 2};
  EXPECT_EQ(*dropRecordsAfter(path, metrics, steps), 0);
  EXPECT_EQ(readBytes(path), header);
  writeBytes(path, header + "0,2,0,1,\n1,2,0,1,\n2,2,0,1,\n0,4,0,1,\n"
                            "2,4,0,1,\n0,6,0,1,\n\0\0\n9,2,0,1,\n0,4,0");
  EXPECT_EQ(*countRecordsUntil(path, metrics, steps), 3);
  EXPECT_EQ(*dropRecordsAfter(path, metrics, steps), 3);
  std::string left = header + "0,2,0,1,\n2,2,0,1,\n0,4,0,1,\n";
  EXPECT_EQ(readBytes(path), left);
  // What is at the end is cut off, whatever it is.
  auto fileOf = [&] {
    struct stat info;
    EXPECT_EQ(::stat(path.c_str(), &info), 0);
    return info.st_ino;
  };
  for (const std::string &end :
       {std::string(), std::string("0,6,0,1,\n1,2,0,1,\n"), std::string("\n\n"),
        std::string("0,4"), std::string(3000000, '\0')}) {
    writeBytes(path, left + end);
    ino_t before = fileOf();
    EXPECT_EQ(*dropRecordsAfter(path, metrics, steps), 3);
    EXPECT_EQ(readBytes(path), left);
    EXPECT_EQ(fileOf(), before);
  }
  writeBytes(path, "run,step\n0,2,0,1,\n");
  EXPECT_EQ(*dropRecordsAfter(path, metrics, steps), 1);
  EXPECT_EQ(readBytes(path), header + "0,2,0,1,\n");
}

TEST(LogTest, SortsByRunInLittleMemory) {
  TemporaryDirectory directory;
  std::string path = directory.file("metrics.csv");
  constexpr int64_t runs = 300, records = 40;
  std::mt19937 engine(1);
  std::string shuffled = header, sorted = header;
  std::vector<int64_t> done(runs), order(runs);
  for (int64_t run = 0; run < runs; ++run)
    order[run] = run;
  for (int64_t round = 0; round < records; ++round) {
    std::shuffle(order.begin(), order.end(), engine);
    for (int64_t run : order) {
      double values[] = {run * 0.1, round * 0.3};
      appendRecord(shuffled, run, round + 1, 0, values, {true, true});
    }
  }
  for (int64_t run = 0; run < runs; ++run)
    for (int64_t round = 0; round < records; ++round) {
      double values[] = {run * 0.1, round * 0.3};
      appendRecord(sorted, run, round + 1, 0, values, {true, true});
    }
  writeBytes(path, shuffled);
  ASSERT_TRUE(sortRecords(path, metrics, runs));
  EXPECT_TRUE(readBytes(path) == sorted);
  ASSERT_TRUE(sortRecords(path, metrics, runs));
  EXPECT_TRUE(readBytes(path) == sorted);
  EXPECT_CONTAINS(errorOf(sortRecords(path, metrics, 10)), "is no record");
  std::vector<std::string> ofLast;
  int64_t count = 0;
  ASSERT_TRUE(
      forEachRun(path, [&](int64_t run, const std::vector<std::string> &lines) {
        EXPECT_EQ(run, count++);
        ofLast = lines;
        return Status::success();
      }));
  EXPECT_EQ(count, runs);
  ASSERT_EQ(ofLast.size(), size_t(records));
  EXPECT_EQ(ofLast.front().substr(0, 4), "1,0,");
}

TEST(LogTest, EventsOfProcessesOutliveARewind) {
  TemporaryDirectory directory;
  std::string path = directory.file("events.jsonl");
  Expected<EventLog> events = EventLog::open(path);
  ASSERT_TRUE(events) << events.error().message();
  events->add("started", Json::object());
  ASSERT_TRUE(events->write());
  uint64_t size = events->size();
  for (const char *name : {"ended", "interrupted", "copied"})
    events->add(name, {{"run", 3}});
  ASSERT_TRUE(events->write());
  ASSERT_TRUE(events->rewind(size));
  ASSERT_TRUE(events->rewind(size + 1000000));
  events->add("resumed", Json::object());
  ASSERT_TRUE(events->write());
  Expected<std::vector<Json>> read = readJsonLines(path);
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->size(), 3u);
  EXPECT_EQ((*read)[1]["event"], "interrupted");
  EXPECT_EQ((*read)[1]["run"], 3);
  EXPECT_EQ((*read)[2]["event"], "resumed");
  EXPECT_EQ((*read)[2]["time"].get<std::string>().size(), 24u);
}

TEST(LogTest, YamlReadsBackEverywhere) {
  YamlMap yaml;
  yaml.add("lr", 1e-5);
  yaml.add("one", 1.0);
  yaml.add("seed", int64_t(7));
  yaml.add("nan", std::nan(""));
  yaml.add("low", -INFINITY);
  yaml.add("on", std::string("a: \"b\"\n"));
  yaml.add("w.1", 0.5);
  EXPECT_EQ(yaml.text(), "lr: 1.0e-05\none: 1.0\nseed: 7\nnan: .nan\n"
                         "low: -.inf\n\"on\": \"a: \\\"b\\\"\\n\"\n"
                         "\"w.1\": 0.5\n");
}
