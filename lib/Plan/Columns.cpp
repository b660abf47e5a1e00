//===- Columns.cpp - What the columns of a plan hold ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

#include "ensc/Artifact/Csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

using namespace ensc;

namespace {
enum class ColumnType { Number, Integer, Text };

/// A column that is no hyper-parameter.
struct PlannedColumn {
  const char *name;
  ColumnType type;
  const char *noun; ///< What a cell of it is.
  int64_t least;    ///< Of integers.
  bool optional;    ///< Whether a row may have none.
};

constexpr int64_t anyInteger = std::numeric_limits<int64_t>::min() + 1;
constexpr PlannedColumn plannedTable[] = {
    {"model", ColumnType::Text, "file", 0, true},
    {"optimizer", ColumnType::Text, "optimizer", 0, true},
    {"batch_size", ColumnType::Integer, "batch size", 1, true},
    {"seed", ColumnType::Integer, "seed", anyInteger, false},
    {"order_seed", ColumnType::Integer, "seed", anyInteger, false},
    {"init", ColumnType::Text, "file", 0, true},
    {"data", ColumnType::Text, "data", 0, true},
    {"patience", ColumnType::Integer, "number of records", 0, true},
    {"max_steps", ColumnType::Integer, "number of steps", 0, true}};

/// Hyper-parameters may be missing where another program has them.
constexpr PlannedColumn hyperColumn = {"", ColumnType::Number, "number", 0,
                                       true};

const PlannedColumn &describe(const std::string &name) {
  for (const PlannedColumn &column : plannedTable)
    if (name == column.name)
      return column;
  return hyperColumn;
}

Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

std::string quoted(const TextCell &cell) {
  return cell.isString ? "the text '" + cell.text + "'" : "'" + cell.text + "'";
}

constexpr double mostExactInteger = 9007199254740992.0; // 2^53

/// An integer of 64 bits, or one as a float, which is how tables with empty
/// cells are often written.
std::optional<int64_t> parseInteger(const std::string &text) {
  int64_t value = 0;
  const char *last = text.data() + text.size();
  auto [stop, code] = std::from_chars(text.data(), last, value);
  if (code == std::errc() && stop == last)
    return value;
  std::optional<double> number = parseNumber(text);
  if (number && *number == std::floor(*number) &&
      std::fabs(*number) <= mostExactInteger)
    return static_cast<int64_t>(*number);
  return std::nullopt;
}

/// Walks over the cells of a column of a file.
class CellReader {
public:
  CellReader(const TextColumn &column, const std::string &file)
      : column(column), file(file), kind(describe(column.name)) {}

  Expected<double> number(size_t row) const {
    const TextCell &cell = column.cells[row];
    if (cell.missing)
      return std::nan("");
    std::optional<double> value = parseNumber(cell.text);
    if (cell.isString || !value || !std::isfinite(*value))
      return failure(row, std::string("expected a finite number, found ") +
                              quoted(cell));
    return *value;
  }

  Expected<int64_t> integer(size_t row) const {
    const TextCell &cell = column.cells[row];
    if (cell.missing && kind.optional)
      return noInteger;
    std::optional<int64_t> value = parseInteger(cell.text);
    if (cell.missing)
      return failure(row, "the cell is empty");
    if (cell.isString || !value || *value < kind.least)
      return failure(row, quoted(cell) + " is no " + kind.noun);
    return *value;
  }

  Expected<std::string> text(size_t row) const {
    const TextCell &cell = column.cells[row];
    if (!cell.missing && !cell.isString && parseNumber(cell.text))
      return failure(row, "expected text, found the number " + cell.text);
    return cell.missing ? "" : cell.text;
  }

  template <typename T>
  Expected<PlanColumn> readAll(Expected<T> (CellReader::*read)(size_t)
                                   const) const {
    std::vector<T> values(column.cells.size());
    for (size_t row = 0; row < values.size(); ++row) {
      Expected<T> value = (this->*read)(row);
      if (!value)
        return value.error();
      values[row] = std::move(*value);
    }
    return PlanColumn{column.name, file + ": column '" + column.name + "'",
                      std::move(values), /*isOfFile=*/true};
  }

  const PlannedColumn &type() const { return kind; }

private:
  Error failure(size_t row, const std::string &what) const {
    return Error(ErrorKind::InvalidData,
                 placeOfCell(file, static_cast<int64_t>(row), column.name) +
                     ": " + what);
  }

  const TextColumn &column;
  const std::string &file;
  const PlannedColumn &kind;
};

/// Numbers of an option that must be integers.
Expected<std::vector<int64_t>> toIntegers(const std::string &option,
                                          const PlannedColumn &kind,
                                          const std::vector<double> &numbers) {
  std::vector<int64_t> integers;
  for (double number : numbers) {
    if (number != std::floor(number) || std::fabs(number) > mostExactInteger ||
        number < static_cast<double>(kind.least))
      return invalid(option + ": " + formatNumber(number) + " is no " +
                     kind.noun);
    integers.push_back(static_cast<int64_t>(number));
  }
  return integers;
}

Expected<PlanColumn> makeNumbers(const std::string &option,
                                 const std::string &name,
                                 std::vector<double> numbers) {
  const PlannedColumn &kind = describe(name);
  if (kind.type == ColumnType::Number)
    return PlanColumn{name, option, std::move(numbers)};
  Expected<std::vector<int64_t>> integers = toIntegers(option, kind, numbers);
  if (!integers)
    return integers.error();
  return PlanColumn{name, option, std::move(*integers)};
}

std::vector<std::string> splitAtCommas(const std::string &text) {
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma - begin));
    if (comma == std::string::npos)
      return parts;
    begin = comma + 1;
  }
}

Expected<std::vector<std::string>> parseTexts(const std::string &option,
                                              const std::string &text) {
  std::vector<std::string> texts = splitAtCommas(text);
  for (const std::string &part : texts)
    if (part.empty())
      return invalid(option + "=" + text + ": a value is empty");
  return texts;
}
} // namespace

std::vector<std::string> ensc::plannedColumns() {
  std::vector<std::string> names;
  for (const PlannedColumn &column : plannedTable)
    names.push_back(column.name);
  return names;
}

std::string ensc::placeOfRow(const std::string &file, int64_t row) {
  return file + ": row " + std::to_string(row);
}

std::string ensc::placeOfCell(const std::string &file, int64_t row,
                              const std::string &column) {
  return placeOfRow(file, row) + ", column '" + column + "'";
}

Expected<PlanColumn> ensc::readColumn(const TextColumn &column,
                                      const std::string &file) {
  CellReader reader(column, file);
  switch (reader.type().type) {
  case ColumnType::Number:
    return reader.readAll(&CellReader::number);
  case ColumnType::Integer:
    return reader.readAll(&CellReader::integer);
  case ColumnType::Text:
    break;
  }
  return reader.readAll(&CellReader::text);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

Expected<ColumnValues> ColumnValues::parse(const std::string &option,
                                           const std::string &name,
                                           const std::string &text) {
  ColumnValues result;
  result.option_ = option;
  result.name_ = name;
  result.text_ = text;
  if (describe(name).type == ColumnType::Text) {
    Expected<std::vector<std::string>> texts = parseTexts(option, text);
    if (!texts)
      return texts.error();
    result.texts_ = std::move(*texts);
    return result;
  }
  Expected<Values> numbers = Values::parse(option, text);
  if (!numbers)
    return numbers.error();
  result.numbers_ = std::move(*numbers);
  return result;
}

std::optional<int64_t> ColumnValues::count() const {
  if (numbers_)
    return numbers_->count();
  if (texts_.size() == 1)
    return std::nullopt;
  return static_cast<int64_t>(texts_.size());
}

bool ColumnValues::isUncounted() const {
  return numbers_ && numbers_->isUncounted();
}

Expected<PlanColumn> ColumnValues::expand(int64_t rows) const {
  if (numbers_) {
    Expected<std::vector<double>> numbers = numbers_->expand(rows);
    if (!numbers)
      return numbers.error();
    return makeNumbers(option_, name_, std::move(*numbers));
  }
  if (std::optional<int64_t> given = count(); given && *given != rows)
    return invalid(option_ + "=" + text_ + " gives " + std::to_string(*given) +
                   " values for " + std::to_string(rows) +
                   (rows == 1 ? " run" : " runs") +
                   "; give one for each run, or a single one for all");
  return PlanColumn{name_, option_,
                    texts_.size() > 1
                        ? texts_
                        : std::vector<std::string>(rows, texts_.front())};
}

Expected<PlanColumn> ensc::sampleColumn(const std::string &option,
                                        const std::string &name,
                                        const std::string &text, int64_t seed,
                                        int64_t rows) {
  if (describe(name).type == ColumnType::Text) {
    constexpr const char *choice = "choice:";
    if (text.rfind(choice, 0) != 0)
      return invalid(option + "=" + text +
                     ": expected 'choice:' before the values");
    Expected<std::vector<std::string>> texts =
        parseTexts(option, text.substr(std::string(choice).size()));
    if (!texts)
      return texts.error();
    std::vector<std::string> drawn;
    for (int64_t row = 0; row < rows; ++row)
      drawn.push_back(
          (*texts)[choose(drawBits(seed, name, row), texts->size())]);
    return PlanColumn{name, option, std::move(drawn)};
  }
  Expected<Distribution> distribution = Distribution::parse(option, text);
  if (!distribution)
    return distribution.error();
  std::vector<double> drawn;
  for (int64_t row = 0; row < rows; ++row)
    drawn.push_back(distribution->draw(drawBits(seed, name, row)));
  return makeNumbers(option, name, std::move(drawn));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

PlanColumn ensc::gather(const PlanColumn &column,
                        const std::vector<size_t> &rows) {
  PlanColumn result{column.name, column.source, {}, column.isOfFile};
  std::visit(
      [&](const auto &cells) {
        std::decay_t<decltype(cells)> gathered;
        gathered.reserve(rows.size());
        for (size_t row : rows)
          gathered.push_back(cells[row]);
        result.cells = std::move(gathered);
      },
      column.cells);
  return result;
}

std::string ensc::spellCell(const PlanColumn &column, size_t row) {
  if (const auto *numbers = std::get_if<std::vector<double>>(&column.cells))
    return formatNumber((*numbers)[row]);
  if (const auto *integers = std::get_if<std::vector<int64_t>>(&column.cells))
    return std::to_string((*integers)[row]);
  return std::get<std::vector<std::string>>(column.cells)[row];
}
