//===- TrainFlags.cpp - Programs, rows and data by flags ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainFlags.h"

#include "Commands.h"

using namespace ensc;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

static cl::list<std::string> dataSources(
    "data",
    cl::desc("Arrays by the names of the program's data arguments: FILE.npz, "
             "FILE.safetensors, FILE.csv or NAME=FILE.npy; repeat the flag for "
             "several files. Arrays of validation end in _val"),
    cl::value_desc("source"), cl::cat(tool::category),
    cl::sub(tool::trainCommand));
static cl::list<std::string> validationSources(
    "validation", cl::desc("The same for validation, by names without _val"),
    cl::value_desc("source"), cl::cat(tool::category),
    cl::sub(tool::trainCommand));
static tool::SwitchFlag
    roundData("round-data",
              cl::desc("Round numbers of the data to the program's types where "
                       "these cannot hold them"),
              cl::cat(tool::category), cl::sub(tool::trainCommand));
static cl::opt<std::string>
    shuffle("shuffle",
            cl::desc("Order of the rows: per_run (the default), shared or "
                     "none"),
            cl::value_desc("order"), cl::cat(tool::category),
            cl::sub(tool::trainCommand));
static cl::opt<std::string>
    learnerName("learner", cl::desc("The learner, if the program has several"),
                cl::value_desc("name"), cl::cat(tool::category),
                cl::sub(tool::trainCommand));

DataOptions tool::dataOfFlags() {
  DataOptions options;
  options.training.assign(dataSources.begin(), dataSources.end());
  options.validation.assign(validationSources.begin(), validationSources.end());
  options.mayRound = roundData;
  return options;
}

std::string tool::learnerOfFlags() { return learnerName; }

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static tool::IntegerFlag
    runs("runs", tool::atLeast(1),
         cl::desc("How many runs; with --starts, how many at the same time "
                  "(default: 1, or what the values say)"),
         cl::value_desc("n"), cl::cat(tool::category),
         cl::sub(tool::trainCommand));
static cl::list<std::string>
    setFlags("set",
             cl::desc("Values of a hyper-parameter: one for all runs, or one "
                      "for each as 0.1,0.2,... or A..B or linear:A..B or "
                      "log:A..B. Repeat the flag for each hyper-parameter"),
             cl::value_desc("name=values"), cl::cat(tool::category),
             cl::sub(tool::trainCommand));
static cl::list<std::string>
    gridFlags("grid",
              cl::desc("Values of a hyper-parameter; several flags give a run "
                       "for each combination"),
              cl::value_desc("name=values"), cl::cat(tool::category),
              cl::sub(tool::trainCommand));
static cl::list<std::string>
    sampleFlags("sample",
                cl::desc("Draw a hyper-parameter for each run: uniform:A..B, "
                         "log:A..B, integers:A..B or choice:A,B,C"),
                cl::value_desc("name=distribution"), cl::cat(tool::category),
                cl::sub(tool::trainCommand));
static cl::opt<std::string>
    planFile("plan", cl::desc("A table with a row for each run"),
             cl::value_desc("rows.csv|rows.json"), cl::cat(tool::category),
             cl::sub(tool::trainCommand));
static cl::opt<std::string>
    initialState("init",
                 cl::desc("Begin with these parameters instead of drawn ones; "
                          "one file, or one for each run"),
                 cl::value_desc("file.safetensors,..."),
                 cl::cat(tool::category), cl::sub(tool::trainCommand));
static tool::SwitchFlag
    bootstrap("bootstrap",
              cl::desc("Each run trains on a sample of the rows, drawn with "
                       "replacement by its seed"),
              cl::cat(tool::category), cl::sub(tool::trainCommand));
static tool::IntegerFlag
    folds("folds", tool::atLeast(2),
          cl::desc("Cross-validation: k runs for each row of the plan, each of "
                   "which leaves out one of k folds, on which it is validated"),
          cl::value_desc("k"), cl::cat(tool::category),
          cl::sub(tool::trainCommand));
static tool::IntegerFlag
    starts("starts", tool::atLeast(1),
           cl::desc("Start m runs with seeds of their own, --runs of them at "
                    "a time; as runs end, the next ones take their places"),
           cl::value_desc("m"), cl::cat(tool::category),
           cl::sub(tool::trainCommand));
static cl::opt<std::string>
    maxSteps("max-steps",
             cl::desc("Last step of all runs, or of each, as for --set"),
             cl::value_desc("values"), cl::cat(tool::category),
             cl::sub(tool::trainCommand));
static cl::opt<std::string>
    patience("patience",
             cl::desc("A run stops when so many records in a row did not "
                      "improve what is monitored; for all runs, or for each, "
                      "as for --set"),
             cl::value_desc("values"), cl::cat(tool::category),
             cl::sub(tool::trainCommand));

Expected<Plan> tool::planOfFlags() {
  PlanFlags flags;
  flags.set.assign(setFlags.begin(), setFlags.end());
  flags.grid.assign(gridFlags.begin(), gridFlags.end());
  flags.sample.assign(sampleFlags.begin(), sampleFlags.end());
  flags.maxSteps = maxSteps;
  flags.patience = patience;
  flags.init = initialState;
  flags.file = planFile;
  if (runs.getNumOccurrences())
    flags.runs = runs;
  flags.starts = starts;
  flags.folds = folds;
  flags.bootstrap = bootstrap;
  flags.seed = tool::seed();
  return Plan::build(flags);
}

CompileOptions tool::compileOptionsOf(const ProgramKey &program, bool ownOrders,
                                      const DataSet &data) {
  CompileOptions options = tool::compileOptions();
  options.rows = data.rows(options.perRun);
  options.validationRows = data.validationRows(options.perRun);
  if (shuffle.getNumOccurrences())
    options.shuffle = shuffle;
  // The order that runs share becomes an input of each of them.
  if (ownOrders) {
    options.shuffle = "shared";
    options.perRun.push_back("order_seed");
  }
  program.configure(options);
  return options;
}
