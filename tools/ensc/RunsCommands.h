//===- RunsCommands.h - What the actions of ensc runs share --- -*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_RUNSCOMMANDS_H
#define ENSC_TOOLS_ENSC_RUNSCOMMANDS_H

#include "ensc/API/Error.h"
#include "ensc/Artifact/Csv.h"
#include "ensc/Experiment/Reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ensc::tool {

/// What the command line of `ensc runs` says.
struct RunsRequest {
  std::string experiment;
  std::vector<std::string> runs; ///< Numbers, or "best" or "all".
  std::string metric;            ///< Empty: the monitored one.
  std::string sort;
  std::vector<std::string> statuses; ///< Empty: all.
  std::optional<size_t> limit;       ///< Also how many "best" are.
  std::string to;                    ///< A format of export, or empty.
  std::string output;
  bool json = false;
};

/// An experiment, and its table as of now.
struct RunsTable {
  ExperimentReader experiment;
  CsvTable table;
  std::string metric; ///< That decides which run is best.

  static Expected<RunsTable> open(const RunsRequest &request);

  /// Rows from best to worst, without the runs that have no number or have
  /// diverged.
  Expected<std::vector<size_t>> rankMeasured() const;
};

/// The numbers of the runs that the request names, in its order.
Expected<std::vector<int64_t>> chosenRuns(const RunsRequest &request,
                                          const RunsTable &runs);

/// Each prints what it found.
Status listRuns(const RunsRequest &request);
Status compareRuns(const RunsRequest &request);
Status showBestRuns(const RunsRequest &request);
Status showRuns(const RunsRequest &request);
Status exportRuns(const RunsRequest &request);

/// Prints rows as a table, or as a JSON object each.
void printRows(const RunsRequest &request, const RunsTable &runs,
               const std::vector<size_t> &rows);

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_RUNSCOMMANDS_H
