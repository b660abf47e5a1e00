//===- TrainingOutput.h - What ensc train leaves and shows ------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_TRAININGOUTPUT_H
#define ENSC_TOOLS_ENSC_TRAININGOUTPUT_H

#include "ensc/API/Learner.h"
#include "ensc/Artifact/JsonLines.h"
#include "ensc/Artifact/RunDirectory.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace ensc::tool {

/// A hyper-parameter that the user set, with one value per run of the plan.
struct SetHyper {
  std::string name;
  std::vector<double> values;
};

/// Writes the records and the final state of each run, then the table of all.
Status writeExperiment(const RunDirectory &directory, const Learner &learner,
                       const FitReport &report,
                       const std::vector<SetHyper> &hypers);

/// A row of a table as a JSON object: integers, numbers or text.
Json rowAsJson(const CsvTable &table, size_t row);

/// Runs from best to worst as lines for people, `limit` at most.
std::string formatLeaderboard(const CsvTable &table, const std::string &monitor,
                              bool maximize, size_t limit);

/// A line on standard error with the rate and the time left, renewed while it
/// lives; nothing where standard error is not a terminal.
class ProgressLine {
public:
  explicit ProgressLine(const Learner &learner);
  ~ProgressLine();

private:
  std::atomic<bool> done{false};
  std::thread printer;
};

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_TRAININGOUTPUT_H
