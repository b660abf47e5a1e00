//===- RunTablesTest.cpp - Tests of tables of runs ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/RunTables.h"
#include "ensc/Report/StackStates.h"

#include "../Experiment/TestExperiment.h"

#include <cmath>

using namespace ensc;

namespace {
class RunTablesTest : public testing::Test {
protected:
  RunTablesTest() {
    writeTestExperiment(path);
    Expected<ExperimentReader> opened = ExperimentReader::open(path);
    EXPECT_TRUE(opened);
    experiment.emplace(std::move(*opened));
  }

  /// The numbers of the runs in the order of a column.
  std::vector<int64_t> sorted(const std::string &column) {
    Expected<CsvTable> table = readCurrentTable(*experiment);
    EXPECT_TRUE(table);
    Expected<std::vector<size_t>> order = sortRuns(*experiment, *table, column);
    EXPECT_TRUE(order);
    std::vector<int64_t> runs;
    for (size_t row : *order)
      runs.push_back(runOf(*table, row));
    return runs;
  }

  TemporaryDirectory directory;
  std::string path = directory.file("exp");
  std::optional<ExperimentReader> experiment;
};
} // namespace

TEST_F(RunTablesTest, RecordsFillTheTableOfRunsThatGoOn) {
  Expected<CsvTable> table = readCurrentTable(*experiment);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->rows[0],
            (std::vector<std::string>{"0", "5", "0.1", "running", "", "4",
                                      "0.25", "0.25", "0.75", "0.75"}));
  EXPECT_EQ(table->rows[1][3], "pending");
  EXPECT_EQ(table->rows[2][6], "nan");
}

TEST_F(RunTablesTest, RowsSortByMetricsAndColumns) {
  EXPECT_EQ(sorted("val_accuracy"), (std::vector<int64_t>{0, 2, 1}));
  EXPECT_EQ(sorted("-run"), (std::vector<int64_t>{2, 1, 0}));
  EXPECT_EQ(sorted("status"), (std::vector<int64_t>{1, 0, 2}));
  // An empty field is last in both directions.
  EXPECT_EQ(sorted("lr"), (std::vector<int64_t>{2, 0, 1}));
  EXPECT_EQ(sorted("-lr"), (std::vector<int64_t>{0, 2, 1}));
}

TEST(RankRowsTest, LastValuesRankAndDivergedRunsComeLast) {
  Expected<CsvTable> table = parseCsv("run,status,final_loss,best_loss\n"
                                      "0,completed,0.5,0.1\n"
                                      "1,diverged,0.1,0.1\n"
                                      "2,stopped,0.25,0.25\n"
                                      "3,running,nan,nan\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(rankRows(*table, 2, false), (std::vector<size_t>{2, 0, 3, 1}));
  EXPECT_EQ(rankRows(*table, 2, true), (std::vector<size_t>{0, 2, 3, 1}));
}

TEST(RankRowsTest, TheBestRecordIsTheFirstOfEqualOnes) {
  std::vector<RunRecord> records(5);
  const double values[] = {NAN, 3, 1, 1, 2};
  for (size_t i = 0; i < records.size(); ++i) {
    records[i].step = static_cast<int64_t>(i);
    records[i].values = {values[i]};
  }
  EXPECT_EQ(findBest(records, 0, false)->step, 2);
  EXPECT_EQ(findBest(records, 0, true)->step, 1);
  EXPECT_EQ(findBest({records[0]}, 0, true), nullptr);
}

TEST_F(RunTablesTest, UnknownNamesAreErrors) {
  Expected<CsvTable> table = readCurrentTable(*experiment);
  ASSERT_TRUE(table);
  EXPECT_CONTAINS(errorOf(findRun(*table, 3)),
                  "no run 3; it has 3, from 0 to 2");
  EXPECT_CONTAINS(errorOf(sortRuns(*experiment, *table, "lrs")),
                  "did you mean 'lr'?");
  EXPECT_CONTAINS(errorOf(rankRuns(*experiment, *table, "val_acuracy")),
                  "did you mean 'val_accuracy'?");
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static Safetensors stateOf(float value) {
  return {{{"w", Tensor::of<float>({2}, {value, -value})},
           {"t", Tensor::scalar<int64_t>(7)}},
          {}};
}

TEST(StackStatesTest, TensorsLeadWithRuns) {
  Expected<Safetensors> stacked = stackStates({stateOf(1), stateOf(2)}, {3, 9});
  ASSERT_TRUE(stacked);
  ASSERT_EQ(stacked->tensors.size(), 3u);
  EXPECT_EQ(stacked->tensors[0].name, "run");
  EXPECT_TRUE(
      stacked->find("run")->bitwiseEquals(Tensor::of<int64_t>({2}, {3, 9})));
  EXPECT_TRUE(stacked->find("w")->bitwiseEquals(
      Tensor::of<float>({2, 2}, {1, -1, 2, -2})));
  EXPECT_EQ(stacked->find("t")->shape(), Shape{2});
}

TEST(StackStatesTest, UnlikeStatesAreErrors) {
  Safetensors other = stateOf(1);
  other.tensors[0].tensor = Tensor::of<float>({3}, {1, 2, 3});
  EXPECT_CONTAINS(errorOf(stackStates({stateOf(1), other}, {0, 5})),
                  "run 5 has no tensor 'w' as run 0 has it (2xf32); its is "
                  "3xf32; export runs of one program at a time");
  other.tensors.pop_back();
  EXPECT_CONTAINS(errorOf(stackStates({stateOf(1), other}, {0, 5})),
                  "run 5 has 1 tensors, and run 0 has 2");
}

TEST(StackStatesTest, AParameterKeepsItsName) {
  Safetensors state = {{{"run", Tensor::scalar(1.0f)}}, {}};
  Expected<Safetensors> stacked = stackStates({state}, {4});
  ASSERT_TRUE(stacked);
  ASSERT_EQ(stacked->tensors.size(), 1u);
  EXPECT_EQ(stacked->tensors[0].tensor.dtype(), DType::F32);
}
