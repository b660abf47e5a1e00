//===- PlanFileTest.cpp - Tests of plans in files -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/Npy.h"
#include "ensc/Plan/Plan.h"

#include "gtest/gtest.h"
#include <cmath>
#include <filesystem>

using namespace ensc;

namespace {
using Numbers = std::vector<double>;
using Integers = std::vector<int64_t>;
using Texts = std::vector<std::string>;

class PlanFileTest : public ::testing::Test {
protected:
  void SetUp() override {
    directory = std::filesystem::path(::testing::TempDir()) / "PlanFileTest";
    std::filesystem::create_directories(directory);
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  Expected<Plan> build(const std::string &name, const std::string &text,
                       PlanFlags flags = {}) {
    flags.file = directory / name;
    EXPECT_TRUE(writeFileAtomically(flags.file, text));
    return Plan::build(flags);
  }

  FitOptions apply(const std::string &name, const std::string &text) {
    Expected<Plan> plan = build(name, text);
    EXPECT_TRUE(plan) << plan.error().message();
    FitOptions options;
    if (plan)
      plan->apply(options);
    return options;
  }

  /// The error, after the path of the directory.
  std::string errorOf(const std::string &name, const std::string &text) {
    Expected<Plan> plan = build(name, text);
    if (plan)
      return "no error";
    return withoutPath(plan.error().message());
  }

  std::string withoutPath(const std::string &text) {
    std::string path = directory;
    size_t place = text.find(path + "/");
    return place == 0 ? text.substr(path.size() + 1) : text;
  }

  std::filesystem::path directory;
};
} // namespace

TEST_F(PlanFileTest, RowsOfCsv) {
  FitOptions options = apply("p.csv", "\xEF\xBB\xBFlr,seed,optimizer,patience\n"
                                      "0.1,9223372036854775807,adam,3\n"
                                      "0.2,-1,sgd,\n");
  EXPECT_EQ(options.runs, 2);
  EXPECT_EQ(options.hypers["lr"], (Numbers{0.1, 0.2}));
  EXPECT_EQ(options.seeds, (Integers{INT64_MAX, -1}));
  EXPECT_EQ(options.programs, (Integers{0, 1}));
  EXPECT_EQ(options.patience, (Integers{3, 0}));
}

TEST_F(PlanFileTest, IntegersMayBeWrittenAsFloats) {
  FitOptions options = apply("p.csv", "seed,patience\n3.0,1e2\n-4,\n");
  EXPECT_EQ(options.seeds, (Integers{3, -4}));
  EXPECT_EQ(options.patience, (Integers{100, 0}));
}

TEST_F(PlanFileTest, RowsOfJson) {
  const char *forms[] = {R"([{"lr": 0.1, "seed": 5}, {"seed": 6, "lr": 1e-2}])",
                         R"({"lr": [0.1, 0.01], "seed": [5, 6]})"};
  for (const char *form : forms) {
    FitOptions options = apply("p.json", form);
    EXPECT_EQ(options.hypers["lr"], (Numbers{0.1, 0.01}));
    EXPECT_EQ(options.seeds, (Integers{5, 6}));
  }
}

TEST_F(PlanFileTest, ColumnsComeBackFromJson) {
  Expected<Plan> plan =
      build("p.json", R"([{"lr": 0.1, "seed": 9223372036854775807,
                           "init": "a", "optimizer": "adam", "beta1": 0.5},
                          {"lr": 1e-300, "seed": 6, "max_steps": 7}])");
  ASSERT_TRUE(plan) << plan.error().message();
  std::string text = plan->columnsAsJson();
  EXPECT_EQ(text, "{\"lr\":[0.1,1e-300],\"seed\":[9223372036854775807,6],"
                  "\"init\":[\"a\",\"\"],\"optimizer\":[\"adam\",\"\"],"
                  "\"beta1\":[0.5,null],\"max_steps\":[null,7]}");
  Expected<Plan> again = Plan::parseJson(text, "columns", 3);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->columnsAsJson(), text);
}

TEST_F(PlanFileTest, FilesCombineWithFlags) {
  PlanFlags flags;
  flags.set = {"beta=1,2"};
  flags.grid = {"rate=5,6"};
  Expected<Plan> plan = build("p.csv", "lr\n1\n2\n", flags);
  ASSERT_TRUE(plan);
  FitOptions options;
  plan->apply(options);
  EXPECT_EQ(options.hypers["lr"], (Numbers{1, 1, 2, 2}));
  EXPECT_EQ(options.hypers["beta"], (Numbers{1, 1, 2, 2}));
  EXPECT_EQ(options.hypers["rate"], (Numbers{5, 6, 5, 6}));
  flags.set = {"lr=1"};
  plan = build("p.csv", "lr\n1\n2\n", flags);
  EXPECT_EQ(plan.error().message(), "'lr' is given by " + directory.string() +
                                        "/p.csv: column 'lr' and by --set lr");
}

TEST_F(PlanFileTest, SubsetsAreFilesOfRowNumbers) {
  std::string path = directory / "rows.npy";
  ASSERT_TRUE(writeNpy(path, Tensor::of<int64_t>({3}, {7, 0, 7})));
  Expected<Plan> plan = build("p.csv", "data,seed\nall,1\n" + path + ",2\n");
  ASSERT_TRUE(plan) << plan.error().message();
  FitOptions options;
  plan->apply(options);
  EXPECT_EQ(options.rowChoices[1].rows, (Integers{7, 0, 7}));
  EXPECT_EQ(options.programs, (Integers{0, 1}));
  EXPECT_EQ(plan->programs()[1].trainingRows(100), 3);
  ASSERT_TRUE(writeNpy(path, Tensor::of<int32_t>({2}, {1, -4})));
  EXPECT_EQ(errorOf("p.csv", "data\n" + path + "\n"),
            "p.csv: row 0, column 'data': " + path +
                " has the row number -4 at 1; rows are counted from 0");
  ASSERT_TRUE(writeNpy(path, Tensor::of<float>({2}, {1, 4})));
  EXPECT_EQ(errorOf("p.csv", "data\n" + path + "\n"),
            "p.csv: row 0, column 'data': " + path +
                " must hold row numbers, a vector of i64 or i32, but holds "
                "2xf32");
}

TEST_F(PlanFileTest, EqualRowsAreErrors) {
  EXPECT_EQ(errorOf("p.csv", "lr,beta\n1,2\n3,4\n1.0,2\n"),
            "p.csv: rows 0 and 2 are equal; drop one, or give them different "
            "values in a column 'seed'");
  EXPECT_EQ(errorOf("p.csv", "lr,seed\n1,2\n1,3\n"), "no error");
  PlanFlags flags;
  flags.set = {"lr=1"};
  Expected<Plan> plan = build("p.csv", "lr\n1\n1\n", flags);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().message().find("column 'lr' and by --set lr"),
            std::string::npos);
  flags.set = {"seed=1,2"};
  EXPECT_TRUE(build("p.csv", "lr\n1\n1\n", flags));
}

TEST_F(PlanFileTest, MalformedCellsAreLocated) {
  const std::pair<const char *, const char *> cases[] = {
      {"lr\n1\nx\n", "p.csv: row 1, column 'lr': expected a finite number, "
                     "found 'x'"},
      {"lr\nnan\n", "p.csv: row 0, column 'lr': expected a finite number, "
                    "found 'nan'"},
      {"seed,lr\n,1\n", "p.csv: row 0, column 'seed': the cell is empty"},
      {"seed\n1.5\n", "p.csv: row 0, column 'seed': '1.5' is no seed"},
      {"seed\ninf\n", "p.csv: row 0, column 'seed': 'inf' is no seed"},
      {"seed\n99999999999999999999\n",
       "p.csv: row 0, column 'seed': '99999999999999999999' is no seed"},
      {"batch_size\n0\n",
       "p.csv: row 0, column 'batch_size': '0' is no batch size"},
      {"optimizer\n3\n", "p.csv: row 0, column 'optimizer': expected text, "
                         "found the number 3"},
      {"lr,lr\n1,2\n", "p.csv: two columns are called 'lr'"},
      {"lr,beta\n1\n", "p.csv: line 2: 1 fields, but 2 columns"},
      {"lr\n", "p.csv: the plan has no rows"},
      {"", "p.csv: line 1: the header is missing"}};
  for (auto [text, message] : cases)
    EXPECT_EQ(errorOf("p.csv", text), message) << text;
}

TEST_F(PlanFileTest, MalformedJsonIsLocated) {
  const std::pair<const char *, const char *> cases[] = {
      {R"([{"lr": "x"}])", "p.json: row 0, column 'lr': expected a finite "
                           "number, found the text 'x'"},
      {R"([{"lr": 1}, {"lr": true}])",
       "p.json: row 1: expected a number or text, found true"},
      {R"([{"lr": 1, "lr": 2}])", "p.json: row 0: 'lr' is given twice"},
      {R"([{"lr": {"a": 1}}])",
       "p.json: expected a number or text, found an object"},
      {R"([{"lr": [1]}])", "p.json: expected a number or text, found an array"},
      {R"([[1]])",
       "p.json: row 0: expected an object for each row, found an array"},
      {R"({"a": [1], "a": [2]})", "p.json: two columns are called 'a'"},
      {R"({"a": [1], "b": [2, 3]})",
       "p.json: column 'a' has 1 values, but another has 2"},
      {R"({"a": 1})",
       "p.json: expected an array of objects, or an object of arrays"},
      {"3", "p.json: expected an array of objects, or an object of arrays"},
      {R"([{"a": 1)", "p.json: row 0: not JSON, or torn, at byte 9"},
      {R"([{"a": 1e999}])",
       "p.json: row 0: the number that ends at byte 12 is beyond f64"},
      {R"({"a": [1, -1e400]})",
       "p.json: the number that ends at byte 16 is beyond f64"},
      {"[]", "p.json: the plan has no rows"}};
  for (auto [text, message] : cases)
    EXPECT_EQ(errorOf("p.json", text), message) << text;
  EXPECT_EQ(errorOf("p.txt", "lr\n1\n"),
            "p.txt: a plan is a .csv or a .json file");
}

TEST_F(PlanFileTest, DeepJsonIsRefused) {
  EXPECT_EQ(errorOf("p.json", std::string(1000000, '[')),
            "p.json: row 0: expected an object for each row, found an array");
}

TEST_F(PlanFileTest, TooManyRowsAreRefused) {
  std::string csv = "a\n", json = "[";
  for (int i = 0; i <= 1000000; ++i) {
    csv += "1\n";
    json += "{\"a\":1},";
  }
  EXPECT_EQ(errorOf("p.csv", csv),
            "p.csv: more than 1000000 rows; split the plan");
  EXPECT_EQ(errorOf("p.json", json),
            "p.json: more than 1000000 rows; split the plan");
  std::string wide = "a";
  for (int i = 0; i < 20000; ++i)
    wide += ",a" + std::to_string(i);
  wide += std::string(600, '\n');
  EXPECT_EQ(errorOf("p.csv", wide),
            "p.csv: more than 10000000 cells; split the plan");
}

TEST_F(PlanFileTest, ErrorsNameTheRowsOfTheFile) {
  PlanFlags flags;
  flags.grid = {"beta1=0.1,0.2"};
  flags.starts = 2;
  flags.folds = 3;
  Expected<Plan> plan = build(
      "p.csv", "lr,optimizer,batch_size\n1,,\n2,adam,\n3,adam,4\n", flags);
  ASSERT_TRUE(plan) << plan.error().message();
  ASSERT_EQ(plan->rows(), 36);
  FitOptions options;
  plan->apply(options);
  // Each row of the file for 2 values and 3 folds, twice.
  for (int64_t row : {0, 7, 17, 18, 35}) {
    std::string expected =
        "p.csv: row " + std::to_string(row % 18 / 6) + ", column 'lr'";
    EXPECT_EQ(withoutPath(plan->placeOf(row, "lr")), expected);
    EXPECT_EQ(withoutPath(options.placeOf(row, "lr")), expected);
    EXPECT_EQ(plan->placeOf(row, "beta1"), "");
    EXPECT_EQ(options.placeOf(row, "beta1"), "");
  }
  EXPECT_EQ(plan->placeOfProgram(0), "");
  EXPECT_EQ(withoutPath(plan->placeOfProgram(1)),
            "p.csv: row 1, column 'optimizer'");
  EXPECT_EQ(withoutPath(plan->placeOfProgram(2)),
            "p.csv: row 2, columns 'optimizer' and 'batch_size'");
}
