//===- ens-bench.cpp - How fast ensc trains -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Flags.h"
#include "Program.h"

#include <cstdio>

using namespace ensc;
using namespace ensc::bench;

static constexpr const char *usage =
    "usage: ens-bench MODEL [flags]\n"
    "\n"
    "Trains many runs of a small model at once and prints how fast that is.\n"
    "MODEL names the sizes of dense layers, as in mlp-64-32-10: relu and\n"
    "softmax cross entropy, or tanh and the squared error with one output.\n"
    "\n";

static const std::vector<Flag> &knownFlags() {
  static const std::vector<Flag> flags = {
      {"batch", "B", "examples per step (32)"},
      {"optimizer", "sgd|adam", "how parameters are updated (adam)"},
      {"runs", "N", "runs that are trained at once (64)"},
      {"threads", "T", "threads (one per core)"},
      {"schedule", "auto|solo|lanes", "how runs are advanced (auto)"},
      {"lanes", "8|16", "runs per group in lanes (16)"},
      {"cpu", "NAME", "the CPU to compile for (native)"},
      {"steps", "S", "steps of one call (some 20 ms of work)"},
      {"steps-before", "S", "steps to train before timing (0)"},
      {"print-program", "", "print the program, and stop"},
      {"json", "", "print one JSON object"},
      {"help", "", "print this"},
  };
  return flags;
}

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
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

static Expected<Settings> readSettings(const Flags &flags) {
  if (flags.positional().size() != 1)
    return invalid("expected one model, as in 'ens-bench mlp-64-32-10'");
  Expected<Model> model = Model::parse(flags.positional().front());
  if (!model)
    return model.error();
  Settings settings;
  settings.model = *model;

  int64_t threads = 0;
  struct Number {
    const char *name;
    int64_t *value;
    int64_t least;
  };
  for (Number number : {Number{"batch", &settings.model.batch, 1},
                        {"runs", &settings.runs, 1},
                        {"threads", &threads, 1},
                        {"lanes", &settings.compile.lanes, 8},
                        {"steps", &settings.steps, 1},
                        {"steps-before", &settings.stepsBefore, 0}}) {
    Expected<int64_t> value =
        flags.integer(number.name, *number.value, number.least);
    if (!value)
      return value.error();
    *number.value = *value;
  }
  settings.threads = static_cast<int>(threads);
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

/// One line per field.
static void printFields(const Json &report) {
  for (const auto &[key, value] : report.items()) {
    std::string text =
        value.is_string() ? value.get<std::string>() : value.dump();
    std::printf("%-24s%s\n", key.c_str(), text.c_str());
  }
}

static Status run(const std::vector<std::string> &arguments) {
  Expected<Flags> flags = Flags::parse(arguments, knownFlags());
  if (!flags)
    return flags.error();
  if (flags->has("help") || arguments.empty()) {
    std::printf("%s%s", usage, describe(knownFlags()).c_str());
    return Status::success();
  }
  Expected<Settings> settings = readSettings(*flags);
  if (!settings)
    return settings.error();
  if (flags->has("print-program")) {
    std::printf(
        "%s",
        trainingProgram(settings->model, settings->stepsOfCall()).c_str());
    return Status::success();
  }
  Expected<Json> report = measureModel(*settings);
  if (!report)
    return report.error();
  if (flags->has("json"))
    std::printf("%s\n", report->dump().c_str());
  else
    printFields(*report);
  return Status::success();
}

int main(int argc, char **argv) {
  Status status = run({argv + 1, argv + argc});
  if (!status)
    std::fprintf(stderr, "ens-bench: error: %s\n",
                 status.error().message().c_str());
  return status ? 0 : 1;
}
