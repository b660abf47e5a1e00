//===- RunFiles.h - The files of one run ------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_RUNFILES_H
#define ENSC_LIB_EXPERIMENT_RUNFILES_H

#include "Layout.h"
#include "RunColumns.h"

#include "ensc/Artifact/Csv.h"
#include "ensc/Learner/FitSink.h"

#include <string>
#include <vector>

namespace ensc {

/// Writes what is in EXP/runs. Files are safe from a crash of the machine only
/// when flushFileSystem() was called.
class RunFiles {
public:
  /// `created`: seconds since 1970 that event files bear.
  RunFiles(Layout layout, const FitPlan &plan, double created)
      : layout(std::move(layout)), plan(plan), columns(describeRuns(plan)),
        created(created) {}

  Status writeFinalState(int64_t run, std::vector<NamedTensor> tensors) const;

  /// What there is beside the final state.
  static constexpr const char *otherNames[] = {
      "hparams.yaml", "metrics.csv", "metrics.jsonl",
      "events.out.tfevents.0.ensc", "status.json"};

  /// Writes all but the final state, or what is missing of that. `lines` are
  /// those of forEachRun().
  Status writeOthers(const RunReport &report,
                     const std::vector<std::string> &lines,
                     bool onlyMissing = false) const;

  /// Removes the directory of a run.
  Status remove(int64_t run) const;

private:
  Status makeDirectory(int64_t run) const;
  Status write(int64_t run, const char *name, std::string_view text) const;
  Expected<std::string> format(const std::string &name, const RunReport &report,
                               const std::vector<std::string> &lines) const;
  std::string formatHypers(const RunReport &report) const;
  std::string formatStatus(const RunReport &report) const;
  std::string formatCsvLines(const std::vector<std::string> &lines) const;
  Expected<std::string>
  formatJsonLines(const std::vector<std::string> &lines) const;
  Expected<std::string> makeEvents(const RunReport &report,
                                   const std::vector<std::string> &lines) const;

  Layout layout;
  const FitPlan &plan;
  Json columns; ///< Of the plan, without hyper-parameters.
  double created;
};

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_RUNFILES_H
