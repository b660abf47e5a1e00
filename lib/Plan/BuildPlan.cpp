//===- BuildPlan.cpp - From flags to the rows of a plan -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanFile.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

using namespace ensc;

namespace ensc {
/// Builds the rows: those of a file or of zipped values, times the grid, times
/// the starts, times the folds.
class PlanBuilder {
public:
  explicit PlanBuilder(const PlanFlags &flags) : flags(flags) {}

  Expected<Plan> build();

  /// The rows of a table alone.
  Expected<Plan> build(const PlanTable &table, const std::string &name);

private:
  Status parseFlags();
  Status addTable(const PlanTable &table, const std::string &name);
  std::optional<std::pair<int64_t, int64_t>> findEqualRows() const;
  Status checkRepetition() const;
  Status checkSeeds() const;
  struct Count {
    int64_t rows;
    std::string source; ///< The flag that gives it.
  };
  Expected<Count> countZipped() const;
  Status addZipped();
  Status addGrid();
  Status checkRuns() const;
  Status addStarts();
  Status addSamples();
  Status checkStarts() const;
  Status addData();
  Status multiply(int64_t factor, const std::string &what);
  Status add(PlanColumn column);

  /// Row i of the result is row `rows[i]` of now.
  void select(const std::vector<size_t> &rows);

  const PlanFlags &flags;
  std::vector<ColumnValues> zipped, grid;
  std::map<std::string, std::string> optionOf; ///< What gives a column.
  Plan plan;
};
} // namespace ensc

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

static std::string plural(int64_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

static Expected<ColumnValues> parseAssignment(const std::string &option,
                                              const std::string &text) {
  Expected<std::pair<std::string, std::string>> sides =
      splitAssignment(option, text);
  if (!sides)
    return sides.error();
  return ColumnValues::parse(option + " " + sides->first, sides->first,
                             sides->second);
}

Status PlanBuilder::add(PlanColumn column) {
  auto [found, isNew] = optionOf.try_emplace(column.name, column.source);
  if (!isNew)
    return invalid(found->second == column.source
                       ? column.source + " is given twice"
                       : "'" + column.name + "' is given by " + found->second +
                             " and by " + column.source);
  plan.columns_.push_back(std::move(column));
  return Status::success();
}

void PlanBuilder::select(const std::vector<size_t> &rows) {
  for (PlanColumn &column : plan.columns_)
    column = gather(column, rows);
  if (plan.fileRows_) {
    std::vector<int64_t> ofFile;
    for (size_t row : rows)
      ofFile.push_back((*plan.fileRows_)[row]);
    plan.fileRows_ =
        std::make_shared<const std::vector<int64_t>>(std::move(ofFile));
  }
  plan.rows_ = static_cast<int64_t>(rows.size());
}

Status PlanBuilder::multiply(int64_t factor, const std::string &what) {
  if (factor < 1)
    return invalid(what + " must be at least 1, got " + std::to_string(factor));
  if (factor > mostPlanRows / std::max<int64_t>(plan.rows_, 1))
    return invalid(what + " makes more than " + std::to_string(mostPlanRows) +
                   " rows; split the plan");
  return Status::success();
}

Status PlanBuilder::parseFlags() {
  for (const std::string &text : flags.set) {
    Expected<ColumnValues> values = parseAssignment("--set", text);
    if (!values)
      return values.error();
    zipped.push_back(std::move(*values));
  }
  const std::pair<const char *, const std::string *> others[] = {
      {"max_steps", &flags.maxSteps},
      {"patience", &flags.patience},
      {"init", &flags.init}};
  for (auto [name, text] : others) {
    if (text->empty())
      continue;
    std::string option = "--" + std::string(name);
    std::replace(option.begin(), option.end(), '_', '-');
    Expected<ColumnValues> values = ColumnValues::parse(option, name, *text);
    if (!values)
      return values.error();
    zipped.push_back(std::move(*values));
  }
  for (const std::string &text : flags.grid) {
    Expected<ColumnValues> values = parseAssignment("--grid", text);
    if (!values)
      return values.error();
    if (values->isUncounted())
      return invalid(values->option() + "=" + values->text() +
                     " gives no number of values; say it behind a slash, as "
                     "in " +
                     values->text() + "/5");
    grid.push_back(std::move(*values));
  }
  return Status::success();
}

Status PlanBuilder::addTable(const PlanTable &table, const std::string &name) {
  if (table.rows == 0)
    return Error(ErrorKind::InvalidData, name + ": the plan has no rows");
  plan.rows_ = table.rows;
  std::vector<int64_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0);
  plan.file_ = name;
  plan.fileRows_ =
      std::make_shared<const std::vector<int64_t>>(std::move(rows));
  for (const TextColumn &text : table.columns) {
    Expected<PlanColumn> column = readColumn(text, name);
    if (!column)
      return column.error();
    if (Status status = add(std::move(*column)); !status)
      return status;
  }
  return Status::success();
}

std::optional<std::pair<int64_t, int64_t>> PlanBuilder::findEqualRows() const {
  std::unordered_map<std::string, int64_t> known;
  for (int64_t row = 0; row < plan.rows_; ++row) {
    std::string text;
    for (const PlanColumn &column : plan.columns_)
      text += spellCell(column, row) + '\0';
    auto [found, isNew] = known.try_emplace(std::move(text), row);
    if (!isNew)
      return std::pair(found->second, row);
  }
  return std::nullopt;
}

static std::string nameRows(const std::pair<int64_t, int64_t> &rows) {
  return "rows " + std::to_string(rows.first) + " and " +
         std::to_string(rows.second);
}

/// Two rows of a file that are equal are more likely a slip than meant.
Status PlanBuilder::checkRepetition() const {
  if (flags.file.empty())
    return Status::success();
  if (auto rows = findEqualRows())
    return Error(ErrorKind::InvalidData,
                 flags.file + ": " + nameRows(*rows) +
                     " are equal; drop one, or give them different values in a "
                     "column 'seed'");
  return Status::success();
}

/// Rows that are equal differ in the seeds that runs have by themselves, but
/// not in those that are given. What is drawn may repeat.
Status PlanBuilder::checkSeeds() const {
  auto seeds = optionOf.find("seed");
  if (seeds == optionOf.end() || seeds->second.rfind("--sample", 0) == 0)
    return Status::success();
  if (auto rows = findEqualRows())
    return invalid(seeds->second + ": " + nameRows(*rows) +
                   " are equal and have the same seed, so both would be the "
                   "same run; leave out the seeds, or give each its own");
  return Status::success();
}

/// The number of rows where no file gives it.
Expected<PlanBuilder::Count> PlanBuilder::countZipped() const {
  if (grid.empty() && flags.starts > 0)
    return Count{flags.starts, "--starts"};
  if (grid.empty() && flags.runs)
    return Count{*flags.runs, "--runs"};
  for (const ColumnValues &values : zipped)
    if (std::optional<int64_t> count = values.count())
      return Count{*count, values.option() + "=" + values.text()};
  for (const ColumnValues &values : zipped)
    if (values.isUncounted())
      return invalid(values.option() + "=" + values.text() +
                     " gives no number of runs; say it by --runs, or behind a "
                     "slash, as in " +
                     values.text() + "/5");
  return Count{1, ""};
}

Status PlanBuilder::addZipped() {
  if (flags.file.empty()) {
    Expected<Count> count = countZipped();
    if (!count)
      return count.error();
    if (Status status = multiply(count->rows, count->source); !status)
      return status;
    plan.rows_ = count->rows;
  }
  for (const ColumnValues &values : zipped) {
    Expected<PlanColumn> column = values.expand(plan.rows_);
    if (!column)
      return column.error();
    if (Status status = add(std::move(*column)); !status)
      return status;
  }
  return Status::success();
}

Status PlanBuilder::addGrid() {
  for (const ColumnValues &values : grid) {
    int64_t count = values.count().value_or(1);
    if (Status status = multiply(count, values.option()); !status)
      return status;
    Expected<PlanColumn> column = values.expand(count);
    if (!column)
      return column.error();
    std::map<std::string, int64_t> known;
    for (int64_t i = 0; i < count; ++i)
      if (!known.try_emplace(spellCell(*column, i), i).second)
        return invalid(values.option() + "=" + values.text() + " has " +
                       spellCell(*column, i) +
                       " twice; for several runs of each combination, add "
                       "--grid seed=0..4");
    std::vector<size_t> rows, places;
    for (int64_t row = 0; row < plan.rows_; ++row)
      for (int64_t i = 0; i < count; ++i) {
        rows.push_back(row);
        places.push_back(i);
      }
    select(rows);
    if (Status status = add(gather(*column, places)); !status)
      return status;
  }
  return Status::success();
}

/// A number of runs that contradicts the rows is refused, unless it says how
/// many of the starts train at the same time.
Status PlanBuilder::checkRuns() const {
  if (flags.starts > 0 || !flags.runs || *flags.runs == plan.rows_)
    return Status::success();
  return invalid("--runs=" + std::to_string(*flags.runs) + ", but " +
                 (flags.file.empty() ? "the grid" : flags.file) + " gives " +
                 plural(plan.rows_, "row") +
                 "; leave out --runs, or for several runs of each row add "
                 "--grid seed=0..4");
}

Status PlanBuilder::addStarts() {
  if (flags.starts < 0)
    return invalid("--starts must be at least 1, got " +
                   std::to_string(flags.starts));
  if (flags.starts == 0)
    return Status::success();
  plan.inFlight_ = flags.runs.value_or(0);
  if (flags.runs && *flags.runs < 1)
    return invalid("--runs must be at least 1, got " +
                   std::to_string(*flags.runs));
  // Without a table the starts are the rows.
  if (flags.file.empty() && grid.empty())
    return Status::success();
  if (Status status = multiply(flags.starts, "--starts"); !status)
    return status;
  std::vector<size_t> rows;
  for (int64_t start = 0; start < flags.starts; ++start)
    for (int64_t row = 0; row < plan.rows_; ++row)
      rows.push_back(row);
  select(rows);
  return Status::success();
}

Status PlanBuilder::addSamples() {
  for (const std::string &text : flags.sample) {
    Expected<std::pair<std::string, std::string>> sides =
        splitAssignment("--sample", text);
    if (!sides)
      return sides.error();
    Expected<PlanColumn> column =
        sampleColumn("--sample " + sides->first, sides->first, sides->second,
                     flags.seed, plan.rows_);
    if (!column)
      return column.error();
    if (Status status = add(std::move(*column)); !status)
      return status;
  }
  return Status::success();
}

/// Starts that differ in nothing but their seeds must have seeds that differ.
Status PlanBuilder::checkStarts() const {
  auto seeds = optionOf.find("seed");
  if (flags.starts == 0 || seeds == optionOf.end())
    return Status::success();
  return invalid("--starts gives each start a seed of its own; leave out " +
                 seeds->second);
}

/// Bootstrap samples and folds.
Status PlanBuilder::addData() {
  if (flags.bootstrap &&
      !flags.folds) // Folds are a choice of data of their own.
    return add({"data", "--bootstrap",
                std::vector<std::string>(plan.rows_, "bootstrap")});
  if (flags.folds == 0)
    return Status::success();
  if (flags.bootstrap)
    return invalid("--bootstrap and --folds exclude each other");
  if (flags.folds < 2)
    return invalid("--folds must be at least 2, got " +
                   std::to_string(flags.folds));
  if (Status status = multiply(flags.folds, "--folds"); !status)
    return status;
  std::vector<size_t> rows;
  std::vector<std::string> data;
  for (int64_t row = 0; row < plan.rows_; ++row)
    for (int64_t fold = 0; fold < flags.folds; ++fold) {
      rows.push_back(row);
      data.push_back("fold:" + std::to_string(fold) + "/" +
                     std::to_string(flags.folds));
    }
  select(rows);
  plan.rowsPerSeed_ = flags.folds;
  return add({"data", "--folds", std::move(data)});
}

Expected<Plan> PlanBuilder::build() {
  if (Status status = parseFlags(); !status)
    return status.error();
  if (!flags.file.empty()) {
    Expected<PlanTable> table = readPlanFile(flags.file);
    if (!table)
      return table.error();
    if (Status status = addTable(*table, flags.file); !status)
      return status.error();
  }
  if (Status status = addZipped(); !status)
    return status.error();
  if (Status status = checkRepetition(); !status)
    return status.error();
  if (Status status = addGrid(); !status)
    return status.error();
  if (Status status = checkRuns(); !status)
    return status.error();
  for (Status (PlanBuilder::*part)() :
       {&PlanBuilder::addStarts, &PlanBuilder::addSamples,
        &PlanBuilder::addData})
    if (Status status = (this->*part)(); !status)
      return status.error();
  if (Status status = checkStarts(); !status)
    return status.error();
  if (Status status = checkSeeds(); !status)
    return status.error();
  plan.seed_ = flags.seed;
  if (Status status = plan.finish(); !status)
    return status.error();
  return std::move(plan);
}

Expected<Plan> PlanBuilder::build(const PlanTable &table,
                                  const std::string &name) {
  plan.seed_ = flags.seed;
  if (Status status = addTable(table, name); !status)
    return status.error();
  if (Status status = plan.finish(); !status)
    return status.error();
  return std::move(plan);
}

Expected<Plan> Plan::build(const PlanFlags &flags) {
  return PlanBuilder(flags).build();
}

Expected<Plan> Plan::parseJson(const std::string &text, const std::string &name,
                               int64_t seed) {
  Expected<PlanTable> table = parsePlanJson(text);
  if (!table)
    return table.error().inContext(name);
  PlanFlags flags;
  flags.seed = seed;
  return PlanBuilder(flags).build(*table, name);
}
