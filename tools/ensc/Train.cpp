//===- Train.cpp - ensc train ---------------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Experiment.h"
#include "TrainingOutput.h"

#include "ensc/API/Learner.h"
#include "ensc/Artifact/Npz.h"
#include "ensc/Learner/Values.h"
#include "ensc/Runtime/Memory.h"
#include "ensc/Runtime/Peak.h"
#include "ensc/Runtime/Suggest.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

using namespace ensc;
namespace cl = llvm::cl;

static cl::opt<std::string>
    dataPath("data", cl::Required, cl::value_desc("data.npz"),
             cl::desc("Arrays by the names of the program's data arguments; "
                      "those of validation end in _val"),
             cl::cat(tool::category), cl::sub(tool::trainCommand));
static cl::opt<int64_t> runs("runs", cl::desc("How many runs (default: 1)"),
                             cl::init(1), cl::value_desc("n"),
                             cl::cat(tool::category),
                             cl::sub(tool::trainCommand));
static cl::list<std::string>
    setFlags("set",
             cl::desc("Values of a hyper-parameter: one for all runs, or one "
                      "for each as 0.1,0.2,... or A..B or linear:A..B or "
                      "log:A..B. Repeat the flag for each hyper-parameter"),
             cl::value_desc("name=values"), cl::cat(tool::category),
             cl::sub(tool::trainCommand));
static cl::opt<int64_t> epochs("epochs", cl::desc("Epochs (default: 10)"),
                               cl::init(10), cl::value_desc("n"),
                               cl::cat(tool::category),
                               cl::sub(tool::trainCommand));
static cl::opt<long long>
    dataSeed("data-seed",
             cl::desc("Seed of the order of the rows where runs share it"),
             cl::init(0), cl::cat(tool::category), cl::sub(tool::trainCommand));
static cl::opt<int64_t>
    onlyRun("only-run",
            cl::desc("Train this one of the runs alone, counted from 0; its "
                     "result has the same bits"),
            cl::value_desc("i"), cl::cat(tool::category),
            cl::sub(tool::trainCommand));
static cl::opt<std::string>
    maxSteps("max-steps",
             cl::desc("Last step of all runs, or of each, as for --set"),
             cl::value_desc("values"), cl::cat(tool::category),
             cl::sub(tool::trainCommand));
static cl::opt<std::string>
    maxMemory("max-memory",
              cl::desc("Bytes that training may take, as in 512M or 2G "
                       "(default: the memory of this machine); runs that do "
                       "not fit wait until others have ended"),
              cl::value_desc("bytes"), cl::cat(tool::category),
              cl::sub(tool::trainCommand));
static cl::opt<std::string> shuffle(
    "shuffle",
    cl::desc("Order of the rows: per_run (the default), shared or none"),
    cl::value_desc("order"), cl::cat(tool::category),
    cl::sub(tool::trainCommand));
static cl::opt<std::string>
    learnerName("learner", cl::desc("The learner, if the program has several"),
                cl::value_desc("name"), cl::cat(tool::category),
                cl::sub(tool::trainCommand));
static cl::opt<std::string> output("o", cl::Required,
                                   cl::desc("Directory of the experiment; it "
                                            "must not exist, or be empty"),
                                   cl::value_desc("directory"),
                                   cl::cat(tool::category),
                                   cl::sub(tool::trainCommand));
static cl::opt<bool>
    jsonOutput("json", cl::desc("Print one JSON object instead of a table"),
               cl::cat(tool::category), cl::sub(tool::trainCommand));

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static Expected<std::vector<tool::SetHyper>> parseHypers() {
  std::vector<tool::SetHyper> hypers;
  for (const std::string &flag : setFlags) {
    Expected<Assignment> assignment = Assignment::parse("--set", flag);
    if (!assignment)
      return assignment.error();
    Expected<std::vector<double>> values = assignment->values.expand(runs);
    if (!values)
      return values.error();
    for (const tool::SetHyper &earlier : hypers)
      if (earlier.name == assignment->name)
        return invalid("--set " + assignment->name + " is given twice");
    hypers.push_back({assignment->name, std::move(*values)});
  }
  return hypers;
}

static Expected<std::vector<int64_t>> parseMaxSteps() {
  std::vector<int64_t> steps;
  if (maxSteps.empty())
    return steps;
  Expected<Values> values = Values::parse("--max-steps", maxSteps);
  if (!values)
    return values.error();
  Expected<std::vector<double>> expanded = values->expand(runs);
  if (!expanded)
    return expanded.error();
  for (double value : *expanded) {
    constexpr double mostSteps = 9007199254740992.0; // 2^53
    if (value < 0 || value > mostSteps || value != std::floor(value))
      return invalid("--max-steps: " + formatNumber(value) +
                     " is no number of steps");
    steps.push_back(static_cast<int64_t>(value));
  }
  return steps;
}

static Expected<FitOptions>
makeFitOptions(const std::vector<tool::SetHyper> &hypers) {
  FitOptions options;
  options.runs = runs;
  options.seed = tool::seed();
  options.dataSeed = dataSeed;
  options.epochs = epochs;
  options.threads = tool::threads();
  options.schedule = tool::schedule();
  if (onlyRun.getNumOccurrences())
    options.onlyRun = onlyRun;
  Expected<std::vector<int64_t>> steps = parseMaxSteps();
  if (!steps)
    return steps.error();
  options.maxSteps = std::move(*steps);
  Expected<int64_t> bytes = maxMemory.getNumOccurrences()
                                ? parseBytes("--max-memory", maxMemory)
                                : machineBytes();
  if (!bytes)
    return bytes.error();
  options.maxMemory = *bytes;
  for (const tool::SetHyper &hyper : hypers)
    options.hypers[hyper.name] = hyper.values;
  return options;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

namespace {
/// The arrays of the data file.
struct DataFile {
  std::vector<NamedTensor> arrays;
  /// Those of a type that ensc has not: an error only if the program asks.
  std::map<std::string, Error> unreadable;
};

/// Finds the number that most arrays agree on; of several, the greatest.
class Votes {
public:
  void add(int64_t number) { ++votes[number]; }
  std::optional<int64_t> winner() const {
    std::optional<int64_t> best;
    for (const auto &[number, count] : votes)
      if (!best || count >= votes.at(*best))
        best = number;
    return best;
  }

private:
  std::map<int64_t, int> votes;
};
} // namespace

/// Reads the data file once: the same memory serves all runs.
static Expected<DataFile> readData() {
  Expected<NpzFile> archive = NpzFile::open(dataPath);
  if (!archive)
    return archive.error();
  DataFile data;
  for (const std::string &key : archive->keys()) {
    Expected<Tensor> tensor = archive->read(key);
    if (tensor)
      data.arrays.push_back({key, *tensor});
    else if (tensor.error().kind() == ErrorKind::Unsupported)
      data.unreadable.emplace(key, tensor.error());
    else
      return tensor.error();
  }
  return data;
}

/// How many rows there are decides what is compiled. The file may hold arrays
/// that the program does not ask for and that have no rows.
static void countRows(const DataFile &data, CompileOptions &options) {
  Votes rows, validationRows;
  for (const NamedTensor &array : data.arrays) {
    bool perRun = llvm::is_contained(options.perRun, array.name);
    int64_t rowDim = perRun ? 1 : 0;
    if (array.tensor.rank() > rowDim)
      (llvm::StringRef(array.name).ends_with("_val") ? validationRows : rows)
          .add(array.tensor.shape()[rowDim]);
  }
  options.rows = rows.winner();
  options.validationRows = validationRows.winner();
}

static Status giveData(Learner &learner, const DataFile &data) {
  std::vector<std::string> keys;
  for (const NamedTensor &array : data.arrays)
    keys.push_back(array.name);
  for (const std::string &name : learner.dataNames()) {
    auto unreadable = data.unreadable.find(name);
    if (unreadable != data.unreadable.end())
      return unreadable->second;
    auto found = llvm::find_if(data.arrays, [&](const NamedTensor &array) {
      return array.name == name;
    });
    if (found == data.arrays.end())
      return Error(ErrorKind::InvalidData,
                   dataPath + " has no array '" + name +
                       "', which the program trains on" + suggest(name, keys));
    if (Status status = learner.setData(name, found->tensor); !status)
      return status;
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Summary
//===----------------------------------------------------------------------===//

/// The row of the best run; nothing if no run has the metric.
static std::optional<size_t> bestRow(const CsvTable &table,
                                     const MetricInfo &monitor) {
  std::optional<size_t> column = table.column("best_" + monitor.name);
  if (!column || table.rows.empty())
    return std::nullopt;
  return table.rank(*column, monitor.maximize).front();
}

static Json memoryAsJson(const MemoryPlan &plan) {
  return {{"peak_bytes", plan.peakBytes},
          {"data_bytes", plan.dataBytes},
          {"bytes_per_run", plan.runBytes},
          {"bytes_per_worker", plan.workerBytes},
          {"report_bytes", plan.reportBytes},
          {"workers", plan.workers},
          {"runs_at_a_time", plan.inFlight}};
}

static Json summarize(const Learner &learner, const FitReport &report,
                      const CsvTable &table, const Compiler &compiler) {
  int usedThreads = tool::threads() > 0 ? tool::threads() : availableThreads();
  double peak = measurePeakFlops(usedThreads);
  double rate = report.seconds > 0 ? report.runSteps / report.seconds : 0.0;
  double flops = rate * static_cast<double>(report.flopsPerStep);
  Json summary = {{"compilations", compiler.compilations()},
                  {"cache_hits", compiler.cacheHits()},
                  {"run_steps", report.runSteps},
                  {"seconds", jsonNumber(report.seconds)},
                  {"run_steps_per_second", jsonNumber(rate)},
                  {"gflops", jsonNumber(flops / 1e9)},
                  {"peak_gflops", jsonNumber(peak / 1e9)},
                  {"fraction_of_peak", jsonNumber(flops / peak)},
                  {"threads", usedThreads},
                  {"schedule", report.lanes ? "lanes" : "solo"},
                  {"memory", memoryAsJson(report.memory)},
                  {"monitor", learner.metrics()[learner.monitor()].name}};
  Json best = nullptr;
  if (std::optional<size_t> row =
          bestRow(table, learner.metrics()[learner.monitor()]))
    best = tool::rowAsJson(table, *row);
  summary["best_run"] = best;
  return summary;
}

static void printSummary(const Learner &learner, const CsvTable &table,
                         const Json &summary) {
  const MetricInfo &monitor = learner.metrics()[learner.monitor()];
  constexpr size_t shownRuns = 10;
  llvm::outs() << tool::formatLeaderboard(table, monitor.name, monitor.maximize,
                                          shownRuns);
  if (table.rows.size() > shownRuns)
    llvm::outs() << "(" << shownRuns << " of " << table.rows.size()
                 << " runs; all of them: ensc runs compare " << output << ")\n";
  llvm::outs() << llvm::format(
      "%lld run-steps in %.2f s, %.0f run-steps/s, %.1f %% of the peak of this "
      "CPU, schedule %s\n",
      static_cast<long long>(summary["run_steps"].get<int64_t>()),
      summary["seconds"].get<double>(),
      summary["run_steps_per_second"].get<double>(),
      100 * summary["fraction_of_peak"].get<double>(),
      summary["schedule"].get<std::string>().c_str());
}

static Json describe(const Learner &learner,
                     const std::vector<tool::SetHyper> &hypers) {
  Json names = Json::array();
  for (const tool::SetHyper &hyper : hypers)
    names.push_back(hyper.name);
  const MetricInfo &monitor = learner.metrics()[learner.monitor()];
  return {{"learner", learner.info().name},
          {"model", tool::modelPath()},
          {"data", dataPath.getValue()},
          {"seed", tool::seed()},
          {"epochs", epochs.getValue()},
          {"set", names},
          {"monitor", monitor.name},
          {"direction", monitor.maximize ? "max" : "min"}};
}

//===----------------------------------------------------------------------===//
// Command
//===----------------------------------------------------------------------===//

static Status train() {
  if (Status status = tool::checkFlags(runs); !status)
    return status;
  // Everything that can be wrong is found out before hours of work.
  if (Status status = RunDirectory::checkVacant(output); !status)
    return status;
  Expected<std::vector<tool::SetHyper>> hypers = parseHypers();
  if (!hypers)
    return hypers.error();
  Expected<FitOptions> fitOptions = makeFitOptions(*hypers);
  if (!fitOptions)
    return fitOptions.error();
  CompileOptions options = tool::compileOptions();
  if (shuffle.getNumOccurrences())
    options.shuffle = shuffle;
  Expected<DataFile> data = readData();
  if (!data)
    return data.error();
  countRows(*data, options);
  Compiler compiler(options);
  Expected<Executable> program = tool::compileModel(compiler);
  if (!program)
    return program.error();
  Expected<Learner> learner = Learner::create(*program, learnerName);
  if (!learner)
    return learner.error();
  if (Status status = giveData(*learner, *data); !status)
    return status;

  tool::Experiment experiment(output, runs, describe(*learner, *hypers),
                              *learner);
  fitOptions->onPlan = tool::printMemoryPlan;
  fitOptions->onRunsEnded = [&](const std::vector<RunReport> &reports) {
    return experiment.writeRuns(reports);
  };
  Expected<FitReport> report = [&] {
    tool::ProgressLine progress(*learner);
    return learner->fit(*fitOptions);
  }();
  if (!report && report.error().kind() == ErrorKind::InvalidData)
    return report.error().inContext(dataPath);
  if (!report)
    return report.error();
  Expected<CsvTable> table = experiment.writeTable(*report, *hypers);
  if (!table)
    return table.error();
  Json summary = summarize(*learner, *report, *table, compiler);
  if (jsonOutput)
    llvm::outs() << summary.dump() << "\n";
  else
    printSummary(*learner, *table, summary);
  return Status::success();
}

int tool::trainMain() {
  Status status = train();
  return status ? 0 : fail(status.error());
}
