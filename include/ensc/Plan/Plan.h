//===- Plan.h - What each run of a training is ------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is a table with a row for each run. Its columns are hyper-parameters
// of the program, and those of plannedColumns(): what a run is otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_PLAN_PLAN_H
#define ENSC_PLAN_PLAN_H

#include "ensc/API/Learner.h"
#include "ensc/API/Options.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ensc {

/// What flags and files say of a plan.
struct PlanFlags {
  std::vector<std::string> set;    ///< NAME=VALUES: one value a row.
  std::vector<std::string> grid;   ///< NAME=VALUES: a row for each combination;
                                   ///< the last one varies fastest.
  std::vector<std::string> sample; ///< NAME=DISTRIBUTION: drawn for each row.
  /// Values of the columns max_steps, patience and init by flags of their own;
  /// empty: none.
  std::string maxSteps, patience, init;
  std::string file; ///< Rows in a .csv or .json file; empty: none.
  std::optional<int64_t> runs;
  int64_t starts = 0;     ///< More than 0: so many starts of each row.
  int64_t folds = 0;      ///< More than 0: so many folds of each row.
  bool bootstrap = false; ///< Each run trains on a bootstrap sample.
  int64_t seed = 0;       ///< Of the first run, and of what is drawn.
};

/// What decides which program a run executes. Runs of equal keys form one
/// ensemble.
struct ProgramKey {
  std::string model;     ///< A file; empty: that of the command.
  std::string optimizer; ///< Its name; empty: that of the model.
  int64_t batchSize = 0; ///< 0: that of the model.
  int64_t folds = 0;     ///< More than 0: one in so many rows is left out.
  std::optional<int64_t> subsetRows; ///< Of data that is a subset.

  /// Whether some of its runs do not train on all rows. No part of the
  /// comparison: those that do can do so in the same program.
  bool hasOwnRows = false;

  bool operator==(const ProgramKey &other) const;

  /// Adds to `options`, which say how many rows there are, what the program is
  /// compiled with.
  void configure(CompileOptions &options) const;

  /// Training rows of such a run where there are `rows` of them, and those that
  /// its fold leaves out.
  int64_t trainingRows(int64_t rows) const;
  int64_t heldOutRows(int64_t rows) const;
};

/// A column of a plan, with a value for each row.
struct PlanColumn {
  /// Hyper-parameters are numbers, NaN where a row has none.
  using Cells = std::variant<std::vector<double>, std::vector<int64_t>,
                             std::vector<std::string>>;
  std::string name;
  std::string source; ///< What errors call it: "--set lr".
  Cells cells;
  bool isOfFile = false; ///< Whether its cells are those of a file.
};

/// Where a row has no number in a column of integers.
inline constexpr int64_t noInteger = INT64_MIN;

/// The names of the columns that are no hyper-parameters: model, optimizer,
/// batch_size, seed, order_seed, init, data, patience and max_steps.
std::vector<std::string> plannedColumns();

/// More rows are refused.
inline constexpr int64_t mostPlanRows = 1000000;

/// The rows of a training.
class Plan {
public:
  /// What flags say; reads the files that they name. Errors name flag, file,
  /// row (counted from 0, as runs are) and column.
  static Expected<Plan> build(const PlanFlags &flags);

  /// The rows in the text of a JSON file: an array of objects, or an object of
  /// arrays. `name` is what errors call it.
  static Expected<Plan> parseJson(const std::string &text,
                                  const std::string &name, int64_t seed);

  int64_t rows() const { return rows_; }
  const std::vector<PlanColumn> &columns() const { return columns_; }

  /// How many of the rows train at the same time; 0: as many as fit.
  int64_t inFlight() const { return inFlight_; }

  /// The keys of its programs in the order of their first rows, and the
  /// position of each row's key.
  const std::vector<ProgramKey> &programs() const { return programs_; }
  const std::vector<int64_t> &programOfRow() const { return programOfRow_; }

  /// Checks that hyper-parameters are those of the programs, whose names are
  /// given in the order of programs(), and that each row has a value for those
  /// of its program, or none has; with `mayLeaveOut` some rows may have none,
  /// which stands for the default.
  Status checkHypers(const std::vector<std::vector<std::string>> &hypers,
                     bool mayLeaveOut = false) const;

  /// Where the file of the plan has a cell of a row: "rows.csv: row 3, column
  /// 'lr'"; "" for a column that is of no file.
  std::string placeOf(int64_t row, const std::string &column) const;

  /// Where it has what makes programs()[program] another one than that of the
  /// command; "" where it has nothing.
  std::string placeOfProgram(int64_t program) const;

  /// Says in `options` what the runs are.
  void apply(FitOptions &options) const;

  /// The columns as one JSON object of arrays; parseJson reads it back.
  std::string columnsAsJson() const;

private:
  friend class PlanBuilder;
  Status finish();
  const PlanColumn *find(const std::string &name) const;

  /// The file of the columns of files, and the row there of each row.
  std::string file_;
  std::shared_ptr<const std::vector<int64_t>> fileRows_;
  int64_t rows_ = 1, inFlight_ = 0, seed_ = 0;
  /// Rows with consecutive seeds: several in a row share one if they are folds.
  int64_t rowsPerSeed_ = 1;
  std::vector<PlanColumn> columns_;
  std::vector<ProgramKey> programs_;
  std::vector<int64_t> programOfRow_;
  std::vector<RowChoice> rowChoices_;
};

} // namespace ensc

#endif // ENSC_PLAN_PLAN_H
