//===- RecordLog.h - All of metrics.csv at once -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// metrics.csv grows in the order of time and may be larger than the memory.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_RECORDLOG_H
#define ENSC_LIB_EXPERIMENT_RECORDLOG_H

#include "ensc/Experiment/Reader.h"

#include <functional>
#include <vector>

namespace ensc {

/// Drops the records of steps that a run has not done: `steps` has one number
/// per run, -1 for runs that have not begun. Gives how many are left. A missing
/// file becomes one without records; lines that are no records are dropped.
Expected<int64_t> dropRecordsAfter(const std::string &path,
                                   const std::vector<ExperimentMetric> &metrics,
                                   const std::vector<int64_t> &steps);

/// How many records dropRecordsAfter() would leave.
Expected<int64_t>
countRecordsUntil(const std::string &path,
                  const std::vector<ExperimentMetric> &metrics,
                  const std::vector<int64_t> &steps);

/// Sorts the records by run; those of a run stay in their order. Takes little
/// memory. The file is replaced in one step, by one of equal size.
Status sortRecords(const std::string &path,
                   const std::vector<ExperimentMetric> &metrics, int64_t runs);

/// Makes `path` anew, sorted, from the files of its runs: `runs` in ascending
/// order, each with the path of its own records. Returns whether these have
/// `count` records in all; otherwise nothing is changed.
Expected<bool> gatherRecords(
    const std::string &path, const std::vector<ExperimentMetric> &metrics,
    const std::vector<std::pair<int64_t, std::string>> &runs, int64_t count);

/// Calls `use` for each run of a sorted file with its lines: whole lines from
/// the field step on.
Status forEachRun(
    const std::string &path,
    const std::function<Status(int64_t run,
                               const std::vector<std::string> &lines)> &use);

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_RECORDLOG_H
