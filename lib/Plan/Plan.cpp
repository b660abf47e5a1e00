//===- Plan.cpp - What each run of a training is --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Plan/Plan.h"

#include "Columns.h"

#include "ensc/Artifact/JsonLines.h"
#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

using namespace ensc;

using Numbers = std::vector<double>;
using Integers = std::vector<int64_t>;
using Texts = std::vector<std::string>;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static auto asTuple(const ProgramKey &key) {
  return std::tie(key.model, key.optimizer, key.batchSize, key.folds,
                  key.subsetRows);
}

bool ProgramKey::operator==(const ProgramKey &other) const {
  return asTuple(*this) == asTuple(other);
}

int64_t ProgramKey::trainingRows(int64_t rows) const {
  return subsetRows.value_or(rows - heldOutRows(rows));
}

int64_t ProgramKey::heldOutRows(int64_t rows) const {
  return folds > 0 ? rows / folds : 0;
}

void ProgramKey::configure(CompileOptions &options) const {
  if (!optimizer.empty())
    options.optimizer = optimizer;
  if (batchSize > 0)
    options.batchSize = batchSize;
  if (hasOwnRows)
    options.ownRows = OwnRows{trainingRows(options.rows.value_or(0)),
                              heldOutRows(options.rows.value_or(0))};
}

const PlanColumn *Plan::find(const std::string &name) const {
  for (const PlanColumn &column : columns_)
    if (column.name == name)
      return &column;
  return nullptr;
}

/// The cells of a column, or null where the plan has no such column.
template <typename T> static const T *cellsOf(const PlanColumn *column) {
  return column ? &std::get<T>(column->cells) : nullptr;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

std::string Plan::placeOf(int64_t row, const std::string &column) const {
  const PlanColumn *found = find(column);
  if (!found || !found->isOfFile)
    return "";
  return placeOfCell(file_, (*fileRows_)[row], column);
}

std::string Plan::placeOfProgram(int64_t program) const {
  int64_t row = std::find(programOfRow_.begin(), programOfRow_.end(), program) -
                programOfRow_.begin();
  std::vector<std::string> names;
  for (const char *name : {"model", "optimizer", "batch_size", "data"}) {
    const PlanColumn *column = find(name);
    if (!column || !column->isOfFile)
      continue;
    const Texts *texts = std::get_if<Texts>(&column->cells);
    bool isEmpty = texts ? (*texts)[row].empty()
                         : std::get<Integers>(column->cells)[row] == noInteger;
    if (!isEmpty)
      names.push_back("'" + std::string(name) + "'");
  }
  if (names.empty())
    return "";
  std::string text = placeOfRow(file_, (*fileRows_)[row]) +
                     (names.size() == 1 ? ", column " : ", columns ");
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return text;
}

/// Finds what each row trains on, and the program of each.
Status Plan::finish() {
  if (const PlanColumn *data = find("data")) {
    std::map<std::string, RowChoice> known; // Files are read once.
    int64_t row = -1;
    for (const std::string &text : std::get<Texts>(data->cells)) {
      ++row;
      auto found = known.find(text);
      if (found == known.end()) {
        std::string place = placeOf(row, "data");
        Expected<RowChoice> choice =
            parseData(text, place.empty() ? data->source : place);
        if (!choice)
          return choice.error();
        found = known.emplace(text, std::move(*choice)).first;
      }
      rowChoices_.push_back(found->second);
    }
  }
  const Texts *models = cellsOf<Texts>(find("model"));
  const Texts *optimizers = cellsOf<Texts>(find("optimizer"));
  const Integers *batches = cellsOf<Integers>(find("batch_size"));
  auto isLess = [](const ProgramKey &a, const ProgramKey &b) {
    return asTuple(a) < asTuple(b);
  };
  std::map<ProgramKey, int64_t, decltype(isLess)> positions(isLess);
  programOfRow_.resize(rows_);
  for (int64_t row = 0; row < rows_; ++row) {
    ProgramKey key;
    if (models)
      key.model = (*models)[row];
    if (optimizers)
      key.optimizer = (*optimizers)[row];
    if (batches && (*batches)[row] != noInteger)
      key.batchSize = (*batches)[row];
    if (!rowChoices_.empty()) {
      const RowChoice &choice = rowChoices_[row];
      if (choice.kind == RowChoice::Fold)
        key.folds = choice.folds;
      if (choice.kind == RowChoice::Subset)
        key.subsetRows = static_cast<int64_t>(choice.rows.size());
    }
    auto [found, isNew] =
        positions.try_emplace(key, static_cast<int64_t>(programs_.size()));
    if (isNew)
      programs_.push_back(key);
    programOfRow_[row] = found->second;
    if (!rowChoices_.empty() && rowChoices_[row].kind != RowChoice::All)
      programs_[found->second].hasOwnRows = true;
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Hyper-parameters
//===----------------------------------------------------------------------===//

static bool contains(const std::vector<std::string> &names,
                     const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The error about a column that is no hyper-parameter of any program.
static Error
unknownColumn(const PlanColumn &column,
              const std::vector<std::vector<std::string>> &hypers) {
  std::vector<std::string> names;
  for (const std::vector<std::string> &ofProgram : hypers)
    for (const std::string &name : ofProgram)
      if (!contains(names, name))
        names.push_back(name);
  std::string hint = suggest(column.name, names);
  std::string planned = suggest(column.name, plannedColumns());
  constexpr const char *near = "did you mean";
  if (hint.find(near) == std::string::npos &&
      planned.find(near) != std::string::npos)
    hint = planned.substr(0, planned.find(" (it has"));
  return Error(ErrorKind::InvalidArgument,
               column.source + ": the program has no hyper-parameter '" +
                   column.name + "'" + hint);
}

Status Plan::checkHypers(const std::vector<std::vector<std::string>> &hypers,
                         bool mayLeaveOut) const {
  for (const PlanColumn &column : columns_) {
    const Numbers *values = std::get_if<Numbers>(&column.cells);
    if (!values)
      continue;
    if (std::none_of(hypers.begin(), hypers.end(), [&](const auto &names) {
          return contains(names, column.name);
        }))
      return unknownColumn(column, hypers);
    std::vector<bool> has;
    for (const std::vector<std::string> &names : hypers)
      has.push_back(contains(names, column.name));
    for (int64_t row = 0; row < rows_; ++row) {
      bool isGiven = !std::isnan((*values)[row]);
      bool isLeftOut = !isGiven && mayLeaveOut;
      if (isGiven != has[programOfRow_[row]] && !isLeftOut)
        return Error(ErrorKind::InvalidArgument,
                     (column.isOfFile ? placeOf(row, column.name)
                                      : placeOfRow(column.source, row)) +
                         (isGiven ? ": the program of this row has no such "
                                    "hyper-parameter; leave the cell empty"
                                  : ": the cell is empty, but the program of "
                                    "this row has the hyper-parameter; give "
                                    "its value, or leave out the column"));
    }
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Options of a fit
//===----------------------------------------------------------------------===//

/// One value if all are equal.
template <typename T> static std::vector<T> shortened(std::vector<T> values) {
  if (std::all_of(values.begin(), values.end(),
                  [&](const T &value) { return value == values.front(); }))
    values.resize(1);
  return values;
}

/// The integers of a column, with another number where there is none.
static Integers integersOf(const PlanColumn *column, int64_t missing) {
  const Integers *cells = cellsOf<Integers>(column);
  if (!cells)
    return {};
  Integers result = *cells;
  std::replace(result.begin(), result.end(), noInteger, missing);
  return shortened(std::move(result));
}

/// A column for those who read tables.
static RunColumn describeColumn(const PlanColumn &column) {
  RunColumn result;
  result.name = column.name;
  if (const Texts *texts = std::get_if<Texts>(&column.cells))
    result.texts = *texts;
  else
    for (int64_t integer : std::get<Integers>(column.cells))
      result.numbers.push_back(
          integer == noInteger ? NAN : static_cast<double>(integer));
  return result;
}

void Plan::apply(FitOptions &options) const {
  options.runs = rows_;
  options.seed = seed_;
  if (const Integers *seeds = cellsOf<Integers>(find("seed")))
    options.seeds = *seeds;
  else if (rowsPerSeed_ > 1)
    for (int64_t row = 0; row < rows_; ++row)
      // Seeds wrap, as those of runs do.
      options.seeds.push_back(
          static_cast<int64_t>(static_cast<uint64_t>(seed_) +
                               static_cast<uint64_t>(row / rowsPerSeed_)));
  if (programs_.size() > 1)
    options.programs = programOfRow_;
  options.orderSeeds = integersOf(find("order_seed"), 0);
  options.patience = integersOf(find("patience"), 0);
  options.maxSteps = integersOf(find("max_steps"), INT64_MAX);
  if (const Texts *files = cellsOf<Texts>(find("init")))
    options.initialStates = shortened(*files);
  options.rowChoices = rowChoices_;
  options.inFlight = inFlight_;
  std::set<std::string> ofFile;
  for (const PlanColumn &column : columns_)
    if (column.isOfFile)
      ofFile.insert(column.name);
  options.placeOf = [ofFile = std::move(ofFile), file = file_,
                     rows = fileRows_](int64_t run, const std::string &column) {
    return ofFile.count(column) ? placeOfCell(file, (*rows)[run], column) : "";
  };
  options.columns.clear();
  // The other columns are options of their own.
  for (const char *name : {"model", "optimizer", "batch_size", "data"})
    if (const PlanColumn *column = find(name))
      options.columns.push_back(describeColumn(*column));
  for (const PlanColumn &column : columns_)
    if (const Numbers *values = std::get_if<Numbers>(&column.cells))
      options.hypers[column.name] = shortened(*values);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

std::string Plan::columnsAsJson() const {
  Json result = Json::object();
  for (const PlanColumn &column : columns_) {
    Json &cells = result[column.name] = Json::array();
    if (const Numbers *numbers = std::get_if<Numbers>(&column.cells))
      for (double number : *numbers)
        cells.push_back(std::isnan(number) ? Json() : Json(number));
    else if (const Integers *integers = std::get_if<Integers>(&column.cells))
      for (int64_t integer : *integers)
        cells.push_back(integer == noInteger ? Json() : Json(integer));
    else
      for (const std::string &text : std::get<Texts>(column.cells))
        cells.push_back(text);
  }
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}
