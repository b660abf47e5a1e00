//===- PlanTest.cpp - Tests of plans by flags -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Plan/Plan.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace ensc;

namespace {
using Numbers = std::vector<double>;
using Integers = std::vector<int64_t>;
using Texts = std::vector<std::string>;

FitOptions apply(const PlanFlags &flags) {
  Expected<Plan> plan = Plan::build(flags);
  EXPECT_TRUE(plan) << plan.error().message();
  FitOptions options;
  if (plan)
    plan->apply(options);
  return options;
}

std::string errorOf(const PlanFlags &flags) {
  Expected<Plan> plan = Plan::build(flags);
  return plan ? "no error" : plan.error().message();
}

PlanFlags sets(const Texts &set, std::optional<int64_t> runs = std::nullopt) {
  PlanFlags flags;
  flags.set = set;
  flags.runs = runs;
  return flags;
}

PlanFlags grids(const Texts &grid) {
  PlanFlags flags;
  flags.grid = grid;
  return flags;
}
} // namespace

TEST(PlanTest, WithoutFlagsThereIsOneRun) {
  FitOptions options = apply({});
  EXPECT_EQ(options.runs, 1);
  EXPECT_TRUE(options.hypers.empty());
  EXPECT_TRUE(options.seeds.empty());
  EXPECT_TRUE(options.programs.empty());
}

TEST(PlanTest, SetZipsItsValues) {
  FitOptions options = apply(sets({"lr=0.1,0.2,0.3", "beta1=linear:0..0.5"}));
  EXPECT_EQ(options.runs, 3);
  EXPECT_EQ(options.hypers["lr"], (Numbers{0.1, 0.2, 0.3}));
  EXPECT_EQ(options.hypers["beta1"], (Numbers{0, 0.25, 0.5}));
  EXPECT_EQ(apply(sets({"lr=0.1"}, 4)).hypers["lr"], Numbers{0.1});
  EXPECT_EQ(apply(sets({"lr=log:1e-2..1/3"})).runs, 3);
}

TEST(PlanTest, SetTakesColumnsThatAreNoHyperParameters) {
  PlanFlags flags = sets({"seed=5,7", "order_seed=1", "init=a.safetensors",
                          "optimizer=adam,sgd", "batch_size=8,16"});
  flags.maxSteps = "10,20";
  flags.patience = "3";
  FitOptions options = apply(flags);
  EXPECT_EQ(options.runs, 2);
  EXPECT_EQ(options.seeds, (Integers{5, 7}));
  EXPECT_EQ(options.orderSeeds, (Integers{1}));
  EXPECT_EQ(options.maxSteps, (Integers{10, 20}));
  EXPECT_EQ(options.patience, (Integers{3}));
  EXPECT_EQ(options.initialStates, (Texts{"a.safetensors"}));
  EXPECT_EQ(options.programs, (Integers{0, 1}));
  EXPECT_TRUE(options.hypers.empty());
}

TEST(PlanTest, TablesShowWhatNoOptionSays) {
  FitOptions options =
      apply(sets({"data=all,bootstrap", "batch_size=8,16", "patience=3"}));
  ASSERT_EQ(options.columns.size(), 2u);
  EXPECT_EQ(options.columns[0].name, "batch_size");
  EXPECT_EQ(options.columns[0].numbers, (std::vector<double>{8, 16}));
  EXPECT_EQ(options.columns[1].name, "data");
  EXPECT_EQ(options.columns[1].texts,
            (std::vector<std::string>{"all", "bootstrap"}));
}

TEST(PlanTest, TheLastGridVariesFastest) {
  FitOptions options = apply(grids({"lr=0.1,0.2", "momentum=0,0.5,0.9"}));
  EXPECT_EQ(options.runs, 6);
  EXPECT_EQ(options.hypers["lr"], (Numbers{0.1, 0.1, 0.1, 0.2, 0.2, 0.2}));
  EXPECT_EQ(options.hypers["momentum"], (Numbers{0, 0.5, 0.9, 0, 0.5, 0.9}));
  PlanFlags both = grids({"lr=log:0.1..10/3", "seed=0..1"});
  both.set = {"beta=1,2"};
  options = apply(both);
  EXPECT_EQ(options.runs, 12);
  EXPECT_EQ(options.hypers["beta"][5], 1);
  EXPECT_EQ(options.hypers["beta"][6], 2);
  EXPECT_EQ(options.seeds[1], 1);
  EXPECT_EQ(options.seeds[2], 0);
}

TEST(PlanTest, SamplesDependOnSeedColumnAndRowAlone) {
  PlanFlags flags;
  flags.runs = 4;
  flags.sample = {"lr=log:1e-4..1e-1", "beta=uniform:0..1", "k=integers:1..3",
                  "c=choice:5,7"};
  FitOptions few = apply(flags);
  flags.runs = 100;
  std::reverse(flags.sample.begin(), flags.sample.end());
  FitOptions many = apply(flags);
  for (const char *name : {"lr", "beta", "k", "c"}) {
    Numbers first(many.hypers[name].begin(), many.hypers[name].begin() + 4);
    EXPECT_EQ(few.hypers[name], first) << name;
  }
  for (double lr : many.hypers["lr"])
    EXPECT_TRUE(lr >= 1e-4 && lr <= 1e-1);
  for (double k : many.hypers["k"])
    EXPECT_TRUE(k == 1 || k == 2 || k == 3);
  for (double c : many.hypers["c"])
    EXPECT_TRUE(c == 5 || c == 7);
  flags.seed = 1;
  EXPECT_NE(apply(flags).hypers["lr"], many.hypers["lr"]);
  // Half of what is log-uniform lies below the geometric mean.
  auto below = std::count_if(many.hypers["lr"].begin(), many.hypers["lr"].end(),
                             [](double lr) { return lr < std::sqrt(1e-5); });
  EXPECT_GT(below, 30);
  EXPECT_LT(below, 70);
}

TEST(PlanTest, StartsAreRowsOrMultiplyThem) {
  PlanFlags flags = sets({"lr=log:1e-2..1"}, 8);
  flags.starts = 100;
  FitOptions options = apply(flags);
  EXPECT_EQ(options.runs, 100);
  EXPECT_EQ(options.inFlight, 8);
  EXPECT_EQ(options.hypers["lr"].size(), 100u);
  flags = grids({"lr=1,2"});
  flags.starts = 3;
  options = apply(flags);
  EXPECT_EQ(options.runs, 6);
  EXPECT_EQ(options.inFlight, 0);
  EXPECT_EQ(options.hypers["lr"], (Numbers{1, 2, 1, 2, 1, 2}));
}

TEST(PlanTest, FoldsShareTheSeedOfTheirRow) {
  PlanFlags flags = sets({"lr=1,2"});
  flags.folds = 3;
  flags.seed = 40;
  FitOptions options = apply(flags);
  EXPECT_EQ(options.runs, 6);
  EXPECT_EQ(options.hypers["lr"], (Numbers{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(options.seeds, (Integers{40, 40, 40, 41, 41, 41}));
  ASSERT_EQ(options.rowChoices.size(), 6u);
  EXPECT_EQ(options.rowChoices[4].kind, RowChoice::Fold);
  EXPECT_EQ(options.rowChoices[4].fold, 1);
  EXPECT_EQ(options.rowChoices[4].folds, 3);
  Expected<Plan> plan = Plan::build(flags);
  ASSERT_EQ(plan->programs().size(), 1u);
  EXPECT_EQ(plan->programs()[0].trainingRows(100), 67);
  EXPECT_EQ(plan->programs()[0].heldOutRows(100), 33);
}

TEST(PlanTest, BootstrapIsAChoiceOfData) {
  PlanFlags flags;
  flags.runs = 2;
  flags.bootstrap = true;
  FitOptions options = apply(flags);
  ASSERT_EQ(options.rowChoices.size(), 2u);
  EXPECT_EQ(options.rowChoices[1].kind, RowChoice::Bootstrap);
}

TEST(PlanTest, RowsOfOneKeyFormOneProgram) {
  Expected<Plan> plan = Plan::build(
      grids({"optimizer=adam,sgd", "model=a.mlir,b.mlir", "lr=1,2"}));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->programOfRow(), (Integers{0, 0, 1, 1, 2, 2, 3, 3}));
  ASSERT_EQ(plan->programs().size(), 4u);
  EXPECT_EQ(plan->programs()[2].optimizer, "sgd");
  EXPECT_EQ(plan->programs()[2].model, "a.mlir");
  plan = Plan::build(sets({"data=all,fold:0/2,fold:1/2,bootstrap"}));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->programOfRow(), (Integers{0, 1, 1, 0}));
  CompileOptions options;
  options.rows = 11;
  plan->programs()[0].configure(options);
  EXPECT_EQ(options.ownRows->training, 11);
  EXPECT_EQ(options.ownRows->validation, 0);
  plan->programs()[1].configure(options);
  EXPECT_EQ(options.ownRows->training, 6);
  EXPECT_EQ(options.ownRows->validation, 5);
}

TEST(PlanTest, KeysSayHowProgramsAreCompiled) {
  Expected<Plan> plan =
      Plan::build(sets({"optimizer=sgd", "batch_size=8", "lr=1,2"}));
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->programs().size(), 1u);
  CompileOptions options;
  plan->programs()[0].configure(options);
  EXPECT_EQ(options.optimizer, "sgd");
  EXPECT_EQ(options.batchSize, 8);
  EXPECT_FALSE(options.ownRows);
}

TEST(PlanTest, HyperParametersMustBeThoseOfThePrograms) {
  Expected<Plan> plan = Plan::build(sets({"lrr=1"}));
  EXPECT_EQ(plan->checkHypers({{"lr", "beta1"}}).error().message(),
            "--set lrr: the program has no hyper-parameter 'lrr'; did you mean "
            "'lr'? (it has lr, beta1)");
  plan = Plan::build(sets({"batchsize=8"}));
  EXPECT_EQ(plan->checkHypers({{"lr"}}).error().message(),
            "--set batchsize: the program has no hyper-parameter 'batchsize'; "
            "did you mean 'batch_size'?");
  plan = Plan::build(sets({"lr=1", "optimizer=adam,sgd", "beta1=0.9"}));
  EXPECT_TRUE(plan->checkHypers({{"lr", "beta1"}, {"lr", "beta1"}}));
  EXPECT_EQ(plan->checkHypers({{"lr", "beta1"}, {"lr"}}).error().message(),
            "--set beta1: row 1: the program of this row has no such "
            "hyper-parameter; leave the cell empty");
  plan = Plan::parseJson(R"([{"lr": 1}, {"lr": null}])", "rows", 0);
  EXPECT_EQ(plan->checkHypers({{"lr"}}).error().message(),
            "rows: row 1, column 'lr': the cell is empty, but the program of "
            "this row has the hyper-parameter; give its value, or leave out "
            "the column");
  EXPECT_TRUE(plan->checkHypers({{"lr"}}, /*mayLeaveOut=*/true));
}

TEST(PlanTest, ContradictionsAreErrors) {
  PlanFlags flags = sets({"lr=1,2"}, 3);
  EXPECT_EQ(errorOf(flags),
            "--set lr=1,2 gives 2 values for 3 runs; give one for each run, or "
            "a single one for all");
  EXPECT_EQ(errorOf(sets({"lr=1", "lr=2"})), "--set lr is given twice");
  EXPECT_EQ(errorOf(sets({"lr=1,1"})), "no error");
  EXPECT_EQ(errorOf(sets({"lr=1,1", "seed=3,3"})),
            "--set seed: rows 0 and 1 are equal and have the same seed, so "
            "both would be the same run; leave out the seeds, or give each its "
            "own");
  EXPECT_EQ(errorOf(sets({"lr=1,1,2", "seed=3,4,3"})), "no error");
  EXPECT_EQ(errorOf(sets({"lr=log:1..2"})),
            "--set lr=log:1..2 gives no number of runs; say it by --runs, or "
            "behind a slash, as in log:1..2/5");
  EXPECT_EQ(errorOf(grids({"lr=linear:1..2"})),
            "--grid lr=linear:1..2 gives no number of values; say it behind a "
            "slash, as in linear:1..2/5");
  EXPECT_EQ(errorOf(grids({"lr=1,2,1"})),
            "--grid lr=1,2,1 has 1 twice; for several runs of each "
            "combination, add --grid seed=0..4");
  flags = grids({"lr=1,2"});
  flags.set = {"lr=3"};
  EXPECT_EQ(errorOf(flags), "'lr' is given by --set lr and by --grid lr");
  flags = grids({"lr=1,2"});
  flags.runs = 5;
  EXPECT_EQ(errorOf(flags),
            "--runs=5, but the grid gives 2 rows; leave out --runs, or for "
            "several runs of each row add --grid seed=0..4");
  flags = sets({"seed=1"});
  flags.starts = 5;
  EXPECT_EQ(errorOf(flags), "--starts gives each start a seed of its own; "
                            "leave out --set seed");
  flags = {};
  flags.starts = 4;
  flags.sample = {"seed=integers:1..1"};
  EXPECT_EQ(errorOf(flags), "--starts gives each start a seed of its own; "
                            "leave out --sample seed");
  flags = sets({"data=all"});
  flags.folds = 5;
  EXPECT_EQ(errorOf(flags), "'data' is given by --set data and by --folds");
  flags.bootstrap = true;
  EXPECT_EQ(errorOf(flags), "--bootstrap and --folds exclude each other");
  flags = {};
  flags.folds = 1;
  EXPECT_EQ(errorOf(flags), "--folds must be at least 2, got 1");
}

TEST(PlanTest, MalformedValuesAreErrors) {
  EXPECT_EQ(errorOf(sets({"lr"})),
            "--set lr: expected NAME=VALUES, as in --set lr=0.1");
  EXPECT_EQ(errorOf(sets({"seed=1.5"})), "--set seed: 1.5 is no seed");
  EXPECT_EQ(errorOf(sets({"batch_size=0"})),
            "--set batch_size: 0 is no batch size");
  PlanFlags flags;
  flags.maxSteps = "1.5";
  EXPECT_EQ(errorOf(flags), "--max-steps: 1.5 is no number of steps");
  EXPECT_EQ(errorOf(sets({"optimizer=adam,,sgd"})),
            "--set optimizer=adam,,sgd: a value is empty");
  EXPECT_EQ(errorOf(sets({"data=fold:3/3"})),
            "--set data: expected fold:k/K with k from 0 to K - 1 and K of at "
            "least 2, found 'fold:3/3'");
  EXPECT_EQ(errorOf(sets({"data=half"})),
            "--set data: expected all, bootstrap, fold:k/K or a .npy file of "
            "row numbers, found 'half'");
  flags = {};
  flags.sample = {"lr=normal:0..1"};
  EXPECT_EQ(errorOf(flags),
            "--sample lr=normal:0..1: expected 'uniform:', 'log:', "
            "'integers:' or 'choice:', found 'normal:0..1' at character 1 of "
            "'normal:0..1'");
}

TEST(PlanTest, TooManyRowsAreRefusedBeforeTheyTakeMemory) {
  EXPECT_EQ(errorOf(sets({}, int64_t(4000000000000))),
            "--runs makes more than 1000000 rows; split the plan");
  EXPECT_EQ(errorOf(sets({"seed=0..9007199254740992"})),
            "--set seed=0..9007199254740992 makes more than 1000000 rows; split the plan");
  EXPECT_EQ(errorOf(grids({"a=1..1000", "b=1..1000", "c=1..2"})),
            "--grid c makes more than 1000000 rows; split the plan");
}
