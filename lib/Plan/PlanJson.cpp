//===- PlanJson.cpp - Rows of a plan as JSON ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanFile.h"

#include "ensc/Artifact/JsonLines.h"

#include <map>
#include <nlohmann/json.hpp>

using namespace ensc;

namespace {
/// Fills a table while the text is read: so there is no second copy of it, and
/// too large a table is refused where it becomes one.
class TableBuilder : public nlohmann::json_sax<Json> {
public:
  bool null() override { return add({"", true, false}); }
  bool boolean(bool value) override {
    return fail(std::string("expected a number or text, found ") +
                (value ? "true" : "false"));
  }
  bool number_integer(number_integer_t value) override {
    return add({std::to_string(value), false, false});
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add({std::to_string(value), false, false});
  }
  bool number_float(number_float_t, const string_t &text) override {
    return add({text, false, false});
  }
  bool string(string_t &text) override {
    return add({std::move(text), false, true});
  }
  bool binary(binary_t &) override { return fail("expected text"); }

  bool start_object(std::size_t) override {
    ++depth;
    if (depth == 1)
      byColumns = true;
    else if (depth > 2 || byColumns)
      return fail("expected a number or text, found an object");
    return true;
  }
  bool end_object() override {
    if (depth-- == 2 && !byColumns)
      ++row;
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth;
    if (depth == 1)
      return true;
    if (depth > 2 || !byColumns)
      return fail(depth == 2 ? "expected an object for each row, found an array"
                             : "expected a number or text, found an array");
    row = 0;
    return true;
  }
  bool end_array() override {
    --depth;
    return true;
  }

  bool key(string_t &name) override {
    auto [found, isNew] = columnOf.try_emplace(name, table.columns.size());
    if (isNew)
      table.columns.push_back({name, {}});
    else if (byColumns)
      return fail("two columns are called '" + name + "'");
    column = found->second;
    return true;
  }

  bool parse_error(std::size_t position, const std::string &,
                   const nlohmann::detail::exception &problem) override {
    constexpr int outOfRange = 406;
    if (problem.id == outOfRange)
      return fail("the number that ends at byte " + std::to_string(position) +
                  " is beyond f64");
    return fail("not JSON, or torn, at byte " + std::to_string(position));
  }

  Expected<PlanTable> finish() {
    if (error)
      return *error;
    table.rows = byColumns ? mostRows : row;
    if (Status status = checkPlanSize(
            table.rows, static_cast<int64_t>(table.columns.size()));
        !status)
      return status.error();
    for (TextColumn &column : table.columns) {
      int64_t cells = static_cast<int64_t>(column.cells.size());
      if (byColumns && cells != table.rows)
        return Error(ErrorKind::InvalidData,
                     "column '" + column.name + "' has " +
                         std::to_string(cells) + " values, but another has " +
                         std::to_string(table.rows));
      column.cells.resize(table.rows, {"", true, false});
    }
    return std::move(table);
  }

private:
  bool fail(const std::string &what) {
    error = Error(ErrorKind::InvalidData,
                  depth == 2 && !byColumns
                      ? "row " + std::to_string(row) + ": " + what
                      : what);
    return false;
  }

  bool add(TextCell cell) {
    if (depth != 2)
      return fail("expected an array of objects, or an object of arrays");
    if (Status status =
            checkPlanSize(row + 1, static_cast<int64_t>(table.columns.size()));
        !status) {
      error = status.error();
      return false;
    }
    std::vector<TextCell> &cells = table.columns[column].cells;
    if (static_cast<int64_t>(cells.size()) > row)
      return fail("'" + table.columns[column].name + "' is given twice");
    // Earlier rows without this column.
    cells.resize(row, {"", true, false});
    cells.push_back(std::move(cell));
    if (byColumns)
      mostRows = std::max(mostRows, ++row);
    return true;
  }

  PlanTable table;
  std::map<std::string, size_t> columnOf;
  std::optional<Error> error;
  bool byColumns = false;
  int depth = 0;
  int64_t row = 0, mostRows = 0;
  size_t column = 0;
};
} // namespace

Expected<PlanTable> ensc::parsePlanJson(const std::string &text) {
  TableBuilder builder;
  Json::sax_parse(text, &builder);
  return builder.finish();
}
