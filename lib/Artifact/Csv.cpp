//===- Csv.cpp - Tables as comma-separated values -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/Csv.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/InputFile.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

using namespace ensc;

namespace {
template <typename T> std::string format(T value) {
  // Not every NaN may keep its sign in text.
  if (std::isnan(value))
    return "nan";
  char buffer[64];
  auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return std::string(buffer, end);
}

std::string quoted(const std::string &field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos)
    return field;
  std::string text = "\"";
  for (char c : field) {
    if (c == '"')
      text += '"';
    text += c;
  }
  return text + '"';
}

std::string formatRecord(const std::vector<std::string> &fields) {
  // A lone empty field would be a blank line.
  if (fields.size() == 1 && fields.front().empty())
    return "\"\"\n";
  std::string text;
  for (size_t i = 0; i < fields.size(); ++i)
    text += (i ? "," : "") + quoted(fields[i]);
  return text + '\n';
}

/// Walks over the text, record by record.
class CsvParser {
public:
  explicit CsvParser(std::string_view text) : text_(text) {}

  bool atEnd() const { return next_ == text_.size(); }
  /// The line on which the next record starts, from 1.
  size_t line() const { return line_; }

  Expected<std::vector<std::string>> parseRecord() {
    std::vector<std::string> fields;
    while (true) {
      Expected<std::string> field = parseField();
      if (!field)
        return field.error();
      fields.push_back(std::move(*field));
      if (consume(','))
        continue;
      consume('\r');
      if (consume('\n'))
        ++line_;
      else if (!atEnd())
        return failure("expected ',' or the end of the line after a field");
      return fields;
    }
  }

private:
  bool consume(char wanted) {
    if (atEnd() || text_[next_] != wanted)
      return false;
    ++next_;
    return true;
  }

  Error failure(const std::string &what) const {
    return Error(ErrorKind::InvalidData,
                 "line " + std::to_string(line_) + ": " + what);
  }

  Expected<std::string> parseField() {
    if (consume('"'))
      return parseQuoted();
    size_t end = std::min(text_.find_first_of(",\r\n", next_), text_.size());
    std::string field(text_.substr(next_, end - next_));
    if (field.find('"') != std::string::npos)
      return failure("a quote inside a field without quotes");
    next_ = end;
    return field;
  }

  Expected<std::string> parseQuoted() {
    std::string field;
    while (!atEnd()) {
      char c = text_[next_++];
      if (c == '"' && !consume('"'))
        return field;
      if (c == '\n')
        ++line_;
      field += c;
    }
    return failure("a quoted field does not end");
  }

  std::string_view text_;
  size_t next_ = 0;
  size_t line_ = 1;
};
} // namespace

std::string ensc::formatNumber(double value) { return format(value); }
std::string ensc::formatNumber(float value) { return format(value); }

std::optional<double> ensc::parseNumber(std::string_view text) {
  double value = 0;
  const char *last = text.data() + text.size();
  auto [stop, code] = std::from_chars(text.data(), last, value);
  if (code != std::errc() || stop != last)
    return std::nullopt;
  return value;
}

std::optional<size_t> CsvTable::column(const std::string &name) const {
  auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end())
    return std::nullopt;
  return static_cast<size_t>(found - columns.begin());
}

std::vector<size_t> CsvTable::rank(size_t column, bool largestFirst) const {
  std::vector<double> keys(rows.size());
  for (size_t row = 0; row < rows.size(); ++row) {
    std::optional<double> value = number(row, column);
    double worst = largestFirst ? -INFINITY : INFINITY;
    keys[row] = value && !std::isnan(*value) ? *value : worst;
  }
  auto isRanked = [&](size_t row) {
    std::optional<double> value = number(row, column);
    return value && !std::isnan(*value);
  };
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t lhs, size_t rhs) {
    if (keys[lhs] != keys[rhs])
      return largestFirst ? keys[lhs] > keys[rhs] : keys[lhs] < keys[rhs];
    if (isRanked(lhs) != isRanked(rhs))
      return isRanked(lhs);
    return lhs < rhs;
  });
  return order;
}

std::string ensc::formatCsv(const CsvTable &table) {
  std::string text = formatRecord(table.columns);
  for (const std::vector<std::string> &row : table.rows)
    text += formatRecord(row);
  return text;
}

Expected<CsvTable> ensc::parseCsv(std::string_view text) {
  CsvParser parser(text);
  if (parser.atEnd())
    return Error(ErrorKind::InvalidData, "line 1: the header is missing");
  CsvTable table;
  Expected<std::vector<std::string>> columns = parser.parseRecord();
  if (!columns)
    return columns.error();
  table.columns = std::move(*columns);
  while (!parser.atEnd()) {
    size_t line = parser.line();
    Expected<std::vector<std::string>> row = parser.parseRecord();
    if (!row)
      return row.error();
    if (row->size() != table.columns.size())
      return Error(ErrorKind::InvalidData,
                   "line " + std::to_string(line) + ": " +
                       std::to_string(row->size()) + " fields, but " +
                       std::to_string(table.columns.size()) + " columns");
    table.rows.push_back(std::move(*row));
  }
  return table;
}

Expected<CsvTable> ensc::readCsv(const std::string &path) {
  Expected<std::string> text = readTextFile(path);
  if (!text)
    return text.error();
  Expected<CsvTable> table = parseCsv(*text);
  if (!table)
    return table.error().inContext(path);
  return table;
}

Status ensc::writeCsv(const std::string &path, const CsvTable &table) {
  return writeFileAtomically(path, formatCsv(table));
}
