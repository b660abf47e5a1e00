//===- LoadModels.cpp - The runs of an experiment as models ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadModels.h"

#include "Commands.h"

#include "ensc/Experiment/ProgramOptions.h"
#include "ensc/Report/RunTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <map>

using namespace ensc;

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

static bool hasStatus(const CsvTable &table, size_t row,
                      llvm::ArrayRef<llvm::StringRef> statuses) {
  std::optional<size_t> column = table.column("status");
  return column && llvm::is_contained(statuses, table.rows[row][*column]);
}

/// Whether a run has ended without files: only the best ones may be kept.
static bool isDropped(const ExperimentReader &experiment, const CsvTable &table,
                      size_t row, int64_t run) {
  return !hasStatus(table, row, {"pending", "running"}) &&
         !experiment.hasFinalState(run);
}

static Expected<std::vector<int64_t>>
bestRuns(const ExperimentReader &experiment, const CsvTable &table,
         size_t count) {
  const ExperimentMetric &monitor = experiment.metrics()[experiment.monitor()];
  std::optional<size_t> column = table.column("final_" + monitor.name);
  if (!column)
    return invalid(experiment.path() + " has no '" + monitor.name +
                   "' by which runs could be compared");
  std::vector<int64_t> runs;
  for (size_t row : rankRows(table, *column, monitor.maximize))
    if (int64_t run = runOf(table, row);
        run >= 0 && runs.size() < count && table.number(row, *column) &&
        !hasStatus(table, row, {"diverged", "pending"}) &&
        !isDropped(experiment, table, row, run))
      runs.push_back(run);
  if (runs.size() < count)
    return invalid("only " + std::to_string(runs.size()) +
                   " runs can be compared, fewer than the best " +
                   std::to_string(count));
  return runs;
}

Expected<std::vector<int64_t>>
tool::chooseRuns(const ExperimentReader &experiment,
                 const std::string &choice) {
  Expected<CsvTable> table = experiment.readTable();
  if (!table)
    return table.error();
  llvm::StringRef text(choice);
  size_t count = 1;
  if (text == "best" ||
      (text.consume_front("best:") && !text.getAsInteger(10, count) && count))
    return bestRuns(experiment, *table, count);
  std::vector<int64_t> runs;
  if (choice == "all") {
    for (size_t row = 0; row < table->rows.size(); ++row)
      if (int64_t run = runOf(*table, row);
          run >= 0 && !hasStatus(*table, row, {"diverged", "pending"}) &&
          !isDropped(experiment, *table, row, run))
        runs.push_back(run);
    if (runs.empty())
      return invalid(experiment.path() + " has no run that could be used");
    return runs;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(choice).split(parts, ',');
  for (llvm::StringRef part : parts) {
    int64_t run = 0;
    if (part.getAsInteger(10, run))
      return invalid("--runs=" + choice +
                     " should be all, best, best:K or numbers of runs, as in "
                     "0,3,7");
    if (llvm::is_contained(runs, run))
      return invalid("--runs=" + choice + " names run " + std::to_string(run) +
                     " twice; each model counts once");
    runs.push_back(run);
  }
  return runs;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// The options that a program was trained with, for one entry.
static Expected<CompileOptions> optionsFor(const ExperimentReader &experiment,
                                           size_t program,
                                           const std::string &entry,
                                           std::optional<int64_t> rows) {
  // The reader has checked that these are objects.
  const Json &json = experiment.plan()["programs"][program];
  Expected<CompileOptions> options = compileOptionsFromJson(
      json.contains("options") ? json["options"] : Json::object());
  if (!options)
    return options;
  // All models see the same data, whatever each was trained on.
  options->perRun.clear();
  options->ownRows.reset();
  options->entries = {entry};
  if (rows)
    options->validationRows = rows;
  else
    options->batchEntries = {entry};
  CompileOptions flags = tool::compileOptions();
  options->lanes = flags.lanes;
  options->cpu = flags.cpu;
  options->backend = flags.backend;
  options->cache = flags.cache;
  return options;
}

static Expected<Executable> compile(const ExperimentReader &experiment,
                                    size_t program, const std::string &entry,
                                    std::optional<int64_t> rows) {
  Expected<CompileOptions> options =
      optionsFor(experiment, program, entry, rows);
  if (!options)
    return options.error();
  const ExperimentProgram &source = experiment.programs()[program];
  if (source.path.empty())
    return Error(ErrorKind::Unsupported,
                 "'" + experiment.path() +
                     "' was trained from a library, so the text of its "
                     "program is not known and cannot be compiled");
  Expected<std::string> text = readText(source.path);
  if (!text)
    return text.error();
  Compiler compiler(*options);
  Expected<Executable> compiled = compiler.compile(*text, source.path);
  tool::warnOfCache(compiler);
  return compiled;
}

/// A number of a run in a table, by row; nothing if there is none.
static std::optional<double> numberOf(const CsvTable &table, int64_t run,
                                      const std::string &column) {
  std::optional<size_t> place = table.column(column);
  if (!place || run < 0 || static_cast<size_t>(run) >= table.rows.size())
    return std::nullopt;
  return table.number(static_cast<size_t>(run), *place);
}

static int64_t integerOf(const CsvTable &table, int64_t run,
                         const std::string &column) {
  std::optional<size_t> place = table.column(column);
  int64_t value = 0;
  if (place && run >= 0 && static_cast<size_t>(run) < table.rows.size() &&
      !llvm::StringRef(table.rows[run][*place]).getAsInteger(10, value))
    return value;
  return 0;
}

static Model makeModel(const ExperimentReader &experiment,
                       const CsvTable &table,
                       const std::map<std::string, double> *changed,
                       int64_t run, Safetensors state) {
  Model model;
  model.run = run;
  model.seed = integerOf(experiment.rows(), run, "seed");
  for (size_t row = 0; row < table.rows.size(); ++row)
    if (runOf(table, row) == run)
      model.step = integerOf(table, static_cast<int64_t>(row), "steps");
  for (const std::string &name : experiment.hypers())
    if (std::optional<double> value = numberOf(experiment.rows(), run, name))
      model.hypers[name] = *value;
  if (changed)
    for (const auto &[name, value] : *changed)
      model.hypers[name] = value;
  model.state = std::move(state.tensors);
  return model;
}

Expected<std::vector<tool::ModelGroup>> tool::loadModels(
    const ExperimentReader &experiment, const std::vector<int64_t> &runs,
    const ModelFunction &function, std::optional<int64_t> validationRows) {
  Expected<CsvTable> table = experiment.readTable();
  if (!table)
    return table.error();
  Expected<std::vector<Safetensors>> states = experiment.readStates(runs);
  if (!states)
    return states.error();
  auto changed = experiment.readChangedHypers();
  if (!changed)
    return changed.error();
  std::map<size_t, std::vector<size_t>> placesOf;
  for (size_t place = 0; place < runs.size(); ++place)
    placesOf[static_cast<size_t>(
                 integerOf(experiment.rows(), runs[place], "program"))]
        .push_back(place);
  std::vector<ModelGroup> groups;
  for (auto &[program, places] : placesOf) {
    if (program >= experiment.programs().size())
      return Error(ErrorKind::InvalidData, experiment.path() +
                                               " has no program " +
                                               std::to_string(program));
    std::string entry = function.in(experiment.programs()[program]);
    Expected<Executable> compiled =
        compile(experiment, program, entry, validationRows);
    if (!compiled)
      return compiled.error();
    std::vector<Model> members;
    for (size_t place : places) {
      auto own = changed->find(runs[place]);
      members.push_back(makeModel(
          experiment, *table, own == changed->end() ? nullptr : &own->second,
          runs[place], std::move((*states)[place])));
    }
    Expected<Models> models = Models::create(
        *compiled, entry, members, {tool::threads(), tool::schedule()});
    if (!models)
      return models.error();
    groups.push_back({std::move(*models), std::move(places)});
  }
  return groups;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

Expected<std::vector<Tensor>> tool::readModelData(const Models &models,
                                                  const DataSet &data) {
  std::vector<Tensor> arrays;
  std::string first;
  for (ManifestValue argument : models.data()) {
    llvm::StringRef name(argument.name);
    if (name.consume_back("_val"))
      argument.name = name.str();
    Expected<Tensor> array = data.readRows(argument);
    if (!array)
      return array.error();
    if (!arrays.empty() && array->shape()[0] != arrays[0].shape()[0])
      return Error(ErrorKind::InvalidData,
                   "the data '" + argument.name + "' has " +
                       std::to_string(array->shape()[0]) + " rows, but '" +
                       first + "' has " + std::to_string(arrays[0].shape()[0]));
    if (arrays.empty())
      first = argument.name;
    arrays.push_back(*array);
  }
  return arrays;
}
