//===- Train.cpp - ensc train ---------------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AskTell.h"
#include "Commands.h"
#include "Interrupt.h"
#include "MakeLearner.h"
#include "TrainFlags.h"
#include "TrainSummary.h"
#include "TrainingOutput.h"
#include "TrainingView.h"

#include "ensc/Experiment/Reader.h"
#include "ensc/Runtime/Threads.h"

#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <nlohmann/json.hpp>

using namespace ensc;
namespace cl = llvm::cl;

static tool::SwitchFlag
    jsonOutput("json", cl::desc("Print one JSON object instead of a table"),
               cl::cat(tool::category), cl::sub(tool::trainCommand));
static tool::SwitchFlag
    askTell("ask-tell",
            cl::desc("Train what a program asks for on standard input, and "
                     "tell it the results on standard output, as JSON lines"),
            cl::cat(tool::category), cl::sub(tool::trainCommand));
static tool::IntegerFlag
    tellEvery("tell-every", tool::atLeast(1),
              cl::desc("Records between two reports of --ask-tell (default: "
                       "1)"),
              cl::init(1), cl::value_desc("records"), cl::cat(tool::category),
              cl::sub(tool::trainCommand));

/// An error that ended training, with what becomes of what was done.
static Error withOutlook(const Error &error, const std::string &path) {
  if (error.kind() != ErrorKind::Io)
    return error;
  Expected<ExperimentReader> experiment = ExperimentReader::open(path);
  if (!experiment)
    return error;
  std::vector<std::string> names = experiment->checkpoints();
  return Error(error.kind(),
               error.message() + "; once that is mended, the same command " +
                   (names.empty()
                        ? "starts over"
                        : "goes on from checkpoint " + names.front()));
}

/// Trains the rows of a plan as one learner.
static Status trainPlan(const Plan &plan, FitOptions options,
                        tool::LearnerMaker &maker) {
  Expected<Learner> learner = maker.make(plan);
  if (!learner)
    return learner.error();
  tool::warnOfDataSeed(*learner);
  plan.apply(options);
  options.mappedBytes = maker.mappedBytes();
  bool hasBegun = false;
  options.onPlan = [&](const MemoryPlan &memory) {
    hasBegun = true;
    tool::printMemoryPlan(memory);
  };
  Expected<FitReport> report = [&] {
    tool::TrainingView view(
        tool::TrainingView::watch(*learner, options.experiment.path));
    return learner->fit(options);
  }();
  if (!report)
    return hasBegun ? withOutlook(report.error(), options.experiment.path)
                    : report.error();
  const std::string &path = options.experiment.path;
  Expected<ExperimentReader> experiment = ExperimentReader::open(path);
  if (!experiment)
    return experiment.error();
  Expected<CsvTable> table = experiment->readTable();
  if (!table)
    return table.error();
  tool::TrainSummary summary = {*learner,         *report,
                                *table,           path,
                                options.goal,     maker.compilations(),
                                maker.cacheHits()};
  if (jsonOutput)
    llvm::outs() << summary.asJson().dump() << "\n";
  else
    summary.print();
  return Status::success();
}

static Status serve(const FitOptions &options, tool::LearnerMaker &maker) {
  AskTellOptions service;
  service.directory = options.experiment.path;
  service.every = tellEvery;
  service.fit = options;
  service.makeLearner = [&](const Plan &plan) {
    return maker.make(plan, /*mayLeaveOut=*/true);
  };
  tool::StandardChannel channel(options.interrupt);
  Expected<AskTellSummary> summary = serveAskTell(service, channel);
  return summary ? Status::success() : summary.error();
}

static Status train() {
  // Everything that can be wrong is found out before hours of work.
  Expected<Plan> plan = tool::planOfFlags();
  if (!plan)
    return plan.error();
  Expected<FitOptions> options = tool::fitOptionsOfFlags();
  if (!options)
    return options.error();
  if (!askTell)
    if (Status status = tool::checkUseOfFlags(*plan); !status)
      return status;
  if (tellEvery.getNumOccurrences() && !askTell)
    return Error(ErrorKind::InvalidArgument, "--tell-every needs --ask-tell");
  if (askTell && jsonOutput)
    return Error(ErrorKind::InvalidArgument,
                 "--ask-tell prints JSON lines of its own; leave out --json");
  if (askTell && (plan->rows() != 1 || !plan->columns().empty()))
    return Error(ErrorKind::InvalidArgument,
                 "with --ask-tell it is the peer that says what runs there "
                 "are; leave out --runs, --set and the like");
  Expected<DataSet> data = DataSet::open(tool::dataOfFlags());
  if (!data)
    return data.error();
  if (data->validationRows(tool::compileOptions().perRun) == 0)
    return Error(ErrorKind::InvalidData,
                 "the data for validation have no rows; leave them out to "
                 "train without validation");
  tool::LearnerMaker maker(std::move(*data));
  tool::InterruptHandler interrupts;
  options->interrupt = &interrupts.flag();
  return askTell ? serve(*options, maker) : trainPlan(*plan, *options, maker);
}

int tool::trainMain() {
  // Whoever stops reading does not end hours of training.
  std::signal(SIGPIPE, SIG_IGN);
  Status status = train();
  if (status)
    return 0;
  int code = fail(status.error());
  return status.error().kind() == ErrorKind::Interrupted ? interruptedCode
                                                         : code;
}
