//===- PlanFile.cpp - Rows of a plan in a file ----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanFile.h"

#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/InputFile.h"

#include <set>
#include <string_view>

using namespace ensc;

Status ensc::checkPlanSize(int64_t rows, int64_t columns) {
  if (rows > mostPlanRows)
    return Error(ErrorKind::InvalidData, "more than " +
                                             std::to_string(mostPlanRows) +
                                             " rows; split the plan");
  if (columns > 0 && rows > mostPlanCells / columns)
    return Error(ErrorKind::InvalidData, "more than " +
                                             std::to_string(mostPlanCells) +
                                             " cells; split the plan");
  return Status::success();
}

/// Counts lines and fields without storing any.
static Status checkCsvSize(std::string_view text) {
  bool isQuoted = false, inHeader = true;
  int64_t lines = 0, columns = 1;
  for (char c : text) {
    if (c == '"')
      isQuoted = !isQuoted;
    if (isQuoted)
      continue;
    columns += inHeader && c == ',';
    if (c != '\n')
      continue;
    inHeader = false;
    // The header is one of them.
    if (Status status = checkPlanSize(lines++, columns); !status)
      return status;
  }
  return checkPlanSize(lines, columns);
}

static Expected<PlanTable> parsePlanCsv(std::string_view text) {
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
  if (text.substr(0, byteOrderMark.size()) == byteOrderMark)
    text.remove_prefix(byteOrderMark.size());
  if (Status status = checkCsvSize(text); !status)
    return status.error();
  Expected<CsvTable> csv = parseCsv(text);
  if (!csv)
    return csv.error();
  PlanTable table;
  table.rows = static_cast<int64_t>(csv->rows.size());
  std::set<std::string> names;
  for (size_t i = 0; i < csv->columns.size(); ++i) {
    if (!names.insert(csv->columns[i]).second)
      return Error(ErrorKind::InvalidData,
                   "two columns are called '" + csv->columns[i] + "'");
    TextColumn column{csv->columns[i], {}};
    column.cells.reserve(csv->rows.size());
    for (std::vector<std::string> &row : csv->rows) {
      bool isMissing = row[i].empty();
      column.cells.push_back({std::move(row[i]), isMissing, false});
    }
    table.columns.push_back(std::move(column));
  }
  return table;
}

static bool endsWith(const std::string &text, std::string_view end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

Expected<PlanTable> ensc::readPlanFile(const std::string &path) {
  constexpr uint64_t mostBytes = uint64_t(1) << 28;
  bool isCsv = endsWith(path, ".csv");
  if (!isCsv && !endsWith(path, ".json"))
    return Error(ErrorKind::InvalidArgument,
                 path + ": a plan is a .csv or a .json file");
  Expected<std::string> text = readTextFile(path, mostBytes);
  if (!text)
    return text.error();
  Expected<PlanTable> table =
      isCsv ? parsePlanCsv(*text) : parsePlanJson(*text);
  if (!table)
    return table.error().inContext(path);
  return table;
}
