//===- PlanFile.h - Rows of a plan in a file --------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_PLAN_PLANFILE_H
#define ENSC_LIB_PLAN_PLANFILE_H

#include "Columns.h"

namespace ensc {

/// The rows in a file, column by column.
struct PlanTable {
  int64_t rows = 0;
  std::vector<TextColumn> columns;
};

/// Files are hostile: tables of more cells are refused before they take memory.
inline constexpr int64_t mostPlanCells = 10000000;

/// Reads a .csv or .json file. Errors name it.
Expected<PlanTable> readPlanFile(const std::string &path);

/// The rows in JSON text: an array of objects, or an object of arrays. Errors
/// name no file.
Expected<PlanTable> parsePlanJson(const std::string &text);

/// The error about a table that is too large, or success.
Status checkPlanSize(int64_t rows, int64_t columns);

} // namespace ensc

#endif // ENSC_LIB_PLAN_PLANFILE_H
