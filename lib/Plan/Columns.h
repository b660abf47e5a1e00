//===- Columns.h - What the columns of a plan hold --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_PLAN_COLUMNS_H
#define ENSC_LIB_PLAN_COLUMNS_H

#include "ensc/Learner/Distribution.h"
#include "ensc/Plan/Plan.h"

namespace ensc {

/// A cell as a file spells it.
struct TextCell {
  std::string text;
  bool missing = false;  ///< There is none.
  bool isString = false; ///< JSON says that it is no number.
};

/// A column of a file.
struct TextColumn {
  std::string name;
  std::vector<TextCell> cells;
};

/// What errors call a row of a file, and a cell of it.
std::string placeOfRow(const std::string &file, int64_t row);
std::string placeOfCell(const std::string &file, int64_t row,
                        const std::string &column);

/// The cells of a file by the type of the column. `file` is what errors begin
/// with.
Expected<PlanColumn> readColumn(const TextColumn &column,
                                const std::string &file);

/// What an option says of a column, still to be expanded to rows.
class ColumnValues {
public:
  /// `option` is what errors call it, as in "--set lr".
  static Expected<ColumnValues> parse(const std::string &option,
                                      const std::string &name,
                                      const std::string &text);

  const std::string &name() const { return name_; }
  const std::string &option() const { return option_; }
  const std::string &text() const { return text_; }

  /// As those of Values.
  std::optional<int64_t> count() const;
  bool isUncounted() const;
  Expected<PlanColumn> expand(int64_t rows) const;

private:
  std::string option_, name_, text_;
  std::optional<Values> numbers_; ///< Unless it is a column of text.
  std::vector<std::string> texts_;
};

/// A column drawn from what an option says, row by row.
Expected<PlanColumn> sampleColumn(const std::string &option,
                                  const std::string &name,
                                  const std::string &text, int64_t seed,
                                  int64_t rows);

/// The rows of the column with these numbers.
PlanColumn gather(const PlanColumn &column, const std::vector<size_t> &rows);

/// Whether two rows of a column are equal, and a text that tells rows apart.
std::string spellCell(const PlanColumn &column, size_t row);

/// What a cell of the column `data` says. `place` is what errors begin with.
Expected<RowChoice> parseData(const std::string &text,
                              const std::string &place);

} // namespace ensc

#endif // ENSC_LIB_PLAN_COLUMNS_H
