//===- FitFlags.cpp - How to train by flags -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Terminal.h"
#include "TrainFlags.h"

#include "ensc/Artifact/Csv.h"
#include "ensc/Runtime/Memory.h"
#include "ensc/Search/ParseSearch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace ensc;
namespace cl = llvm::cl;

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

//===----------------------------------------------------------------------===//
// How long, and what is measured
//===----------------------------------------------------------------------===//

static tool::IntegerFlag epochs("epochs", tool::atLeast(0),
                                cl::desc("Epochs (default: 10)"), cl::init(10),
                                cl::value_desc("n"), cl::cat(tool::category),
                                cl::sub(tool::trainCommand));
static tool::IntegerFlag
    dataSeed("data-seed",
             cl::desc("Seed of the order of the rows where runs share it"),
             cl::init(0), cl::cat(tool::category), cl::sub(tool::trainCommand));
static tool::IntegerFlag
    onlyRun("only-run", tool::atLeast(0),
            cl::desc("Train this one of the runs alone, counted from 0; its "
                     "result has the same bits"),
            cl::value_desc("i"), cl::cat(tool::category),
            cl::sub(tool::trainCommand));
static cl::opt<std::string>
    metrics("metrics",
            cl::desc("What is recorded: all (the default), or none but at the "
                     "end of a run"),
            cl::init("all"), cl::value_desc("all|none"),
            cl::cat(tool::category), cl::sub(tool::trainCommand));
static tool::IntegerFlag recordEvery(
    "record-every", tool::atLeast(1),
    cl::desc("Steps between records of metrics (default: an epoch)"),
    cl::value_desc("steps"), cl::cat(tool::category),
    cl::sub(tool::trainCommand));
static tool::IntegerFlag
    validateEvery("validate-every", tool::atLeast(1),
                  cl::desc("Records from one with validation to the next "
                           "(default: 1)"),
                  cl::init(1), cl::value_desc("records"),
                  cl::cat(tool::category), cl::sub(tool::trainCommand));
static cl::opt<std::string>
    maxMemory("max-memory",
              cl::desc("Bytes that training may take, as in 512M or 2G "
                       "(default: the memory of this machine); runs that do "
                       "not fit wait for a place"),
              cl::value_desc("bytes"), cl::cat(tool::category),
              cl::sub(tool::trainCommand));

//===----------------------------------------------------------------------===//
// Stopping and search
//===----------------------------------------------------------------------===//

static tool::NumberFlag
    minDelta("min-delta",
             cl::desc("What --patience takes for an improvement must be "
                      "greater (default: 0)"),
             cl::init(0.0), cl::value_desc("number"), cl::cat(tool::category),
             cl::sub(tool::trainCommand));
static cl::opt<std::string>
    goal("goal",
         cl::desc("A run that gets there ends, and with it all others, as in "
                  "'val_loss<1e-3' or 'val_accuracy>0.99'"),
         cl::value_desc("metric<number"), cl::cat(tool::category),
         cl::sub(tool::trainCommand));
static tool::IntegerFlag
    goalCount("goal-count", tool::atLeast(1),
              cl::desc("Runs that must reach the goal before all end "
                       "(default: 1)"),
              cl::init(1), cl::value_desc("k"), cl::cat(tool::category),
              cl::sub(tool::trainCommand));
static tool::IntegerFlag
    syncEvery("sync-every", tool::atLeast(1),
              cl::desc("Records between the points at which all runs meet for "
                       "--goal (default: 32 of them in a run)"),
              cl::value_desc("records"), cl::cat(tool::category),
              cl::sub(tool::trainCommand));
static cl::opt<std::string>
    halving("halving",
            cl::desc("Successive halving: at records k, k*eta, ... one in eta "
                     "runs goes on"),
            cl::value_desc("eta[,first=k]"), cl::cat(tool::category),
            cl::sub(tool::trainCommand));
static cl::opt<std::string> population(
    "population",
    cl::desc("Population-based training: every k records the worst runs take "
             "over the state of the best, with changed hyper-parameters"),
    cl::value_desc("every=k[,fraction=f],perturb=name:low..high,..."),
    cl::cat(tool::category), cl::sub(tool::trainCommand));

//===----------------------------------------------------------------------===//
// The experiment
//===----------------------------------------------------------------------===//

static cl::opt<std::string>
    output("o",
           cl::desc("Directory of the experiment. Where the same command was "
                    "interrupted there, it goes on"),
           cl::value_desc("directory"), cl::cat(tool::category),
           cl::sub(tool::trainCommand));
static tool::SwitchFlag
    fresh("fresh",
          cl::desc("Start over; what is in the directory is moved aside"),
          cl::cat(tool::category), cl::sub(tool::trainCommand));
static cl::opt<std::string>
    checkpointEvery("checkpoint-every",
                    cl::desc("Steps of a run, or seconds as in 30s (the "
                             "default)"),
                    cl::value_desc("steps|seconds"), cl::cat(tool::category),
                    cl::sub(tool::trainCommand));
static tool::IntegerFlag
    keepBest("keep-best", tool::atLeast(1),
             cl::desc("Keep the files of the k runs with the best final values "
                      "(default: of all)"),
             cl::value_desc("k"), cl::cat(tool::category),
             cl::sub(tool::trainCommand));

//===----------------------------------------------------------------------===//
// What they say
//===----------------------------------------------------------------------===//

static Expected<Goal> parseGoal(llvm::StringRef text) {
  Goal result;
  size_t at = text.find_first_of("<>");
  std::optional<double> value;
  if (at != llvm::StringRef::npos)
    value = parseNumber(text.substr(at + 1).trim().str());
  if (at == 0 || !value || std::isnan(*value))
    return invalid("--goal: expected METRIC<NUMBER or METRIC>NUMBER, got '" +
                   text.str() + "'");
  result.metric = text.substr(0, at).trim().str();
  result.below = text[at] == '<';
  result.value = *value;
  result.count = goalCount;
  return result;
}

static Status parseCheckpoints(ExperimentOptions &options) {
  llvm::StringRef text(checkpointEvery);
  if (!checkpointEvery.getNumOccurrences())
    return Status::success();
  bool isTime = text.consume_back("s");
  std::optional<double> number = parseNumber(text.str());
  if (!number || !(*number > 0) || *number > 1e15 ||
      (!isTime && *number != std::floor(*number)))
    return invalid("--checkpoint-every: expected steps or seconds, as 500 or "
                   "30s, got '" +
                   checkpointEvery + "'");
  options.checkpointSeconds = isTime ? *number : 0.0;
  options.checkpointSteps = isTime ? 0 : static_cast<int64_t>(*number);
  return Status::success();
}

static Status parseSearches(FitOptions &options) {
  if (goal.getNumOccurrences()) {
    Expected<Goal> parsed = parseGoal(goal);
    if (!parsed)
      return parsed.error();
    options.goal = *parsed;
  } else if (goalCount.getNumOccurrences()) {
    return invalid("--goal-count needs --goal");
  }
  if (halving.getNumOccurrences() && population.getNumOccurrences())
    return invalid("--halving and --population cannot be combined");
  if (!halving.getNumOccurrences() && !population.getNumOccurrences())
    return Status::success();
  Expected<ParsedSearch> search =
      halving.getNumOccurrences() ? parseHalving(halving)
                                  : parsePopulation(population, tool::seed());
  if (!search)
    return search.error();
  if (!search->note.empty())
    llvm::errs() << "ensc: note: " << search->note << "\n";
  options.search = search->search;
  return Status::success();
}

static Status parseRecords(FitOptions &options) {
  if (metrics != "all" && metrics != "none")
    return invalid("--metrics: expected all or none, got '" + metrics + "'");
  options.metrics = metrics == "all";
  options.recordEvery = recordEvery;
  options.validateEvery = validateEvery;
  options.syncEvery = syncEvery;
  return Status::success();
}

Status tool::checkUseOfFlags(const Plan &plan) {
  bool hasPatience = llvm::any_of(plan.columns(), [](const PlanColumn &column) {
    return column.name == "patience";
  });
  if (minDelta.getNumOccurrences() && !hasPatience)
    return invalid("--min-delta needs --patience");
  // Nothing else meets there: searches decide at records of their own, with all
  // runs in flight.
  if (syncEvery.getNumOccurrences() && !goal.getNumOccurrences())
    return invalid("--sync-every needs --goal");
  return Status::success();
}

void tool::warnOfDataSeed(const Learner &learner) {
  if (!dataSeed.getNumOccurrences())
    return;
  for (int64_t program = 0; program < learner.programs(); ++program)
    if (learner.info(program).shuffle == "shared")
      return;
  tool::printMessage("ensc: warning: --data-seed does nothing, since the order "
                     "of rows is '" +
                     learner.info(0).shuffle + "'; it is for --shuffle=shared");
}

Expected<FitOptions> tool::fitOptionsOfFlags() {
  if (output.empty())
    return invalid("name a directory for the experiment, as in -o EXP");
  FitOptions options;
  options.seed = tool::seed();
  options.dataSeed = dataSeed;
  options.epochs = epochs;
  options.threads = tool::threads();
  options.schedule = tool::schedule();
  if (onlyRun.getNumOccurrences())
    options.onlyRun = onlyRun;
  Expected<int64_t> bytes = maxMemory.getNumOccurrences()
                                ? parseBytes("--max-memory", maxMemory)
                                : machineBytes();
  if (!bytes)
    return bytes.error();
  options.maxMemory = *bytes;
  options.minDelta = minDelta;
  options.experiment.path = output;
  options.experiment.fresh = fresh;
  options.experiment.keepBest = keepBest;
  options.experiment.onWarning = [](const std::string &text) {
    tool::printMessage("ensc: warning: " + text);
  };
  options.experiment.onResume = tool::printMessage;
  if (Status status = parseRecords(options); !status)
    return status.error();
  if (Status status = parseSearches(options); !status)
    return status.error();
  if (Status status = parseCheckpoints(options.experiment); !status)
    return status.error();
  return options;
}
