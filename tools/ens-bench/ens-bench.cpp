//===- ens-bench.cpp - How fast ensc trains -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FatalErrors.h"
#include "Commands.h"
#include "Flags.h"
#include "Program.h"

#include "ensc/Runtime/Memory.h"
#include "ensc/Runtime/Threads.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>

using namespace ensc;
using namespace ensc::bench;

namespace {
/// What is measured: of one model, or of many.
struct Command {
  const char *name, *help;
  Expected<Json> (*measure)(const Settings &);
  int64_t runs; ///< Without --runs.
  bool takesModel;
  /// Flags that would change nothing, which are refused, separated by spaces.
  const char *refused;
};
} // namespace

static constexpr Command measureOne = {"", "", measureModel, 64, true, ""};
static constexpr Command commands[] = {
    {"scaling", "all threads against one", measureScaling, 64, true,
     "steps-before calls print-program"},
    {"counts", "N runs at once against N calls of one run, N = 1, 2, ...",
     measureCounts, 64, true, "steps-before calls print-program threads"},
    {"stopping", "90 % of the runs stop after 10 % of the steps",
     measureStopping, 1024, true, "steps-before calls print-program steps"},
    {"experiment", "keeping a fit with a record every 20 steps in a directory",
     measureExperiment, 1000, true, "steps-before calls print-program"},
    {"schedules", "the choice of schedule over 72 models (minutes)",
     compareSchedules, 64, false,
     "steps-before calls print-program batch optimizer schedule"},
};

static constexpr const char *usage =
    "usage: ens-bench [COMMAND] MODEL [flags]\n"
    "\n"
    "Trains many runs of a small model at once and prints how fast that is.\n"
    "MODEL names the sizes of dense layers, as in mlp-64-32-10: relu and\n"
    "softmax cross entropy, or tanh and the squared error with one output.\n"
    "\n"
    "Without a command: the speed and its share of the CPU's peak.\n";

static const std::vector<Flag> &knownFlags() {
  static const std::vector<Flag> flags = {
      {"batch", "B", "examples per step (32)"},
      {"optimizer", "sgd|adam", "how parameters are updated (adam)"},
      {"runs", "N",
       "runs that are trained at once (64; stopping: 1024, experiment: 1000)"},
      {"threads", "T", "threads, at most 1024; 0: one per core (0)"},
      {"schedule", "auto|solo|lanes", "how runs are advanced (auto)"},
      {"lanes", "8|16", "runs per group in lanes (as the CPU's vectors hold)"},
      {"cpu", "NAME", "the CPU to compile for (native)"},
      {"steps", "S", "steps of one call (some 20 ms of work), of a fit (2000)"},
      {"steps-before", "S", "steps to train before timing (0)"},
      {"calls", "C", "calls to time (as many as take 0.6 s)"},
      {"no-cache", "", "compile, even if the program is kept on disk"},
      {"print-program", "", "print the program, and stop"},
      {"json", "", "print one JSON object"},
      {"help", "", "print this"},
  };
  return flags;
}

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

static bool takes(const Command &command, const std::string &flag) {
  std::istringstream refused(command.refused);
  for (std::string name; refused >> name;)
    if (name == flag)
      return false;
  return true;
}

/// Fails on a flag that a command does not take, and says which ones do.
static Status checkFlags(const Flags &flags, const Command &command) {
  for (const Flag &flag : knownFlags()) {
    if (!flags.has(flag.name) || takes(command, flag.name))
      continue;
    std::string others = "a measurement without a command";
    for (const Command &other : commands)
      if (takes(other, flag.name))
        others += std::string(", ") + other.name;
    return invalid(std::string(command.name) + " takes no --" + flag.name +
                   "; these do: " + others);
  }
  return Status::success();
}

/// The choice that a flag names, the first one without it.
template <typename T>
static Expected<T>
choose(const Flags &flags, const std::string &name,
       const std::vector<std::pair<std::string, T>> &choices) {
  std::string given = flags.text(name, choices.front().first), list;
  for (const auto &[text, value] : choices) {
    if (text == given)
      return value;
    list += (list.empty() ? "" : " or ") + text;
  }
  return invalid("--" + name + " must be " + list + ", got '" + given + "'");
}

/// Fails if the data take more than there is, before something else does.
static Status checkData(const Model &model) {
  double bytes = 4.0 * batchCount * static_cast<double>(model.batch) *
                 static_cast<double>(model.sizes.front() + 1);
  int64_t memory = machineBytes();
  if (bytes <= static_cast<double>(memory))
    return Status::success();
  return invalid("the data, " + std::to_string(batchCount) +
                 " batches of --batch=" + std::to_string(model.batch) +
                 " examples, do not fit into " + formatBytes(memory) +
                 " of memory; use a smaller batch");
}

/// The numbers among the flags.
static Status readNumbers(const Flags &flags, Settings &settings) {
  int64_t threads = 0;
  struct Number {
    const char *name;
    int64_t *value;
    int64_t least, most = INT64_MAX;
  };
  for (Number number : {Number{"batch", &settings.model.batch, 1},
                        {"runs", &settings.runs, 1},
                        {"threads", &threads, 0, mostThreads},
                        {"steps", &settings.steps, 1},
                        {"steps-before", &settings.stepsBefore, 0},
                        {"calls", &settings.calls, 1}}) {
    Expected<int64_t> value =
        flags.integer(number.name, *number.value, number.least, number.most);
    if (!value)
      return value.error();
    *number.value = *value;
  }
  settings.threads = static_cast<int>(threads);
  return Status::success();
}

static Expected<Settings> readSettings(const Flags &flags,
                                       const Command &command) {
  Settings settings;
  settings.runs = command.runs;
  size_t words = command.takesModel + (*command.name != 0);
  if (flags.positional().size() != words)
    return invalid(command.takesModel
                       ? "expected one model, as in 'ens-bench mlp-64-32-10'"
                       : std::string(command.name) + " takes no model");
  if (command.takesModel) {
    Expected<Model> model = Model::parse(flags.positional().back());
    if (!model)
      return model.error();
    settings.model = *model;
  }
  if (Status status = readNumbers(flags, settings); !status)
    return status.error();
  if (command.takesModel)
    if (Status status = checkData(settings.model); !status)
      return status.error();
  Expected<int64_t> lanes =
      choose<int64_t>(flags, "lanes", {{"8", 8}, {"16", 16}});
  if (!lanes)
    return lanes.error();
  if (flags.has("lanes"))
    settings.compile.lanes = *lanes;
  settings.compile.cache = !flags.has("no-cache");
  settings.compile.cpu = flags.text("cpu", "native");

  Expected<Optimizer> optimizer = choose<Optimizer>(
      flags, "optimizer", {{"adam", Optimizer::Adam}, {"sgd", Optimizer::Sgd}});
  if (!optimizer)
    return optimizer.error();
  settings.model.optimizer = *optimizer;
  Expected<RunSchedule> schedule =
      choose<RunSchedule>(flags, "schedule",
                          {{"auto", RunSchedule::Auto},
                           {"solo", RunSchedule::Solo},
                           {"lanes", RunSchedule::Lanes}});
  if (!schedule)
    return schedule.error();
  settings.schedule = *schedule;
  return settings;
}

static std::string textOf(const Json &value) {
  if (value.is_number_float()) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.4g", value.get<double>());
    return text;
  }
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// A row per object, its values under their keys.
static void printTable(const Json &rows) {
  std::vector<std::vector<std::string>> lines(1);
  for (const auto &[key, value] : rows.front().items())
    lines.front().push_back(key);
  for (const Json &row : rows) {
    lines.emplace_back();
    for (const auto &[key, value] : row.items())
      lines.back().push_back(textOf(value));
  }
  std::vector<size_t> widths(lines.front().size());
  for (const auto &line : lines)
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  for (const auto &line : lines) {
    for (size_t i = 0; i < line.size(); ++i)
      std::printf("%s%*s", i ? "  " : "", static_cast<int>(widths[i]),
                  line[i].c_str());
    std::printf("\n");
  }
}

/// A line per field, tables first.
static void print(const Json &report) {
  for (const auto &[key, value] : report.items())
    if (value.is_array())
      printTable(value);
  for (const auto &[key, value] : report.items())
    if (!value.is_array())
      std::printf("%-28s%s\n", key.c_str(), textOf(value).c_str());
}

static void printHelp() {
  std::printf("%s", usage);
  for (const Command &command : commands)
    std::printf("  %-26s%s\n", command.name, command.help);
  std::printf("\n%s", describe(knownFlags()).c_str());
}

static const Command &findCommand(const Flags &flags) {
  for (const Command &command : commands)
    if (!flags.positional().empty() &&
        flags.positional().front() == command.name)
      return command;
  return measureOne;
}

static Status run(const std::vector<std::string> &arguments) {
  Expected<Flags> flags = Flags::parse(arguments, knownFlags());
  if (!flags)
    return flags.error();
  if (flags->has("help") || arguments.empty()) {
    printHelp();
    return Status::success();
  }
  const Command &command = findCommand(*flags);
  if (Status status = checkFlags(*flags, command); !status)
    return status;
  Expected<Settings> settings = readSettings(*flags, command);
  if (!settings)
    return settings.error();
  if (flags->has("print-program")) {
    std::printf(
        "%s",
        trainingProgram(settings->model, settings->stepsOfCall()).c_str());
    return Status::success();
  }
  Expected<Json> report = command.measure(*settings);
  if (!report)
    return report.error();
  if (flags->has("json"))
    std::printf("%s\n", report->dump().c_str());
  else
    print(*report);
  return Status::success();
}

/// Whether standard output took everything: a disk may be full.
static Status flushOutput() {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return Status::success();
  return Error(ErrorKind::Io, std::string("cannot write to standard output: ") +
                                  std::strerror(errno));
}

int main(int argc, char **argv) {
  tool::handleFatalErrors("ens-bench");
  std::set_new_handler([] {
    std::fputs(
        "ens-bench: error: out of memory; use fewer runs or a smaller batch\n",
        stderr);
    std::_Exit(1);
  });
  Status status = run({argv + 1, argv + argc});
  if (status)
    status = flushOutput();
  if (!status)
    std::fprintf(stderr, "ens-bench: error: %s\n",
                 status.error().message().c_str());
  return status ? 0 : 1;
}
