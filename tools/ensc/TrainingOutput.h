//===- TrainingOutput.h - What ensc train shows -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_TRAININGOUTPUT_H
#define ENSC_TOOLS_ENSC_TRAININGOUTPUT_H

#include "ensc/API/Learner.h"
#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/JsonLines.h"
#include "ensc/Report/Text.h"

#include <string>

namespace ensc::tool {

/// Says on standard error what training will take.
void printMemoryPlan(const MemoryPlan &plan);

/// A row of a table as a JSON object: integers, numbers or text.
Json rowAsJson(const CsvTable &table, size_t row);

/// Runs from best to worst as lines for people, `limit` at most.
std::string formatLeaderboard(const CsvTable &table, const std::string &monitor,
                              bool maximize, size_t limit);

/// The width of a table of runs, and the columns that stay in it.
TableStyle leaderboardStyle(const std::string &monitor);

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_TRAININGOUTPUT_H
