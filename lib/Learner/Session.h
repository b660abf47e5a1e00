//===- Session.h - Memory and plan of one fit -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_SESSION_H
#define ENSC_LIB_LEARNER_SESSION_H

#include "MetricTable.h"

#include "ensc/API/Learner.h"
#include "ensc/Learner/Records.h"

#include <map>
#include <string>
#include <vector>

namespace ensc {

/// The entries that Expand makes of a learner.
struct LearnerEntries {
  const ManifestEntry *init = nullptr, *fit = nullptr, *evaluate = nullptr;
};

/// Consecutive runs of a plan.
struct RunRange {
  int64_t first = 0, count = 0;
};

/// A result of an entry that is one number per slot.
struct ScalarColumn {
  DType dtype = DType::F32;
  void *data = nullptr;

  double read(int64_t slot) const;
  void clear(int64_t slot) const;
};

/// Fails on options that do not fit the entries.
Status checkFitOptions(const LearnerEntries &entries,
                       const FitOptions &options);

/// Where a run stops at the latest.
int64_t lastStepOf(const FitOptions &options, int64_t run,
                   int64_t stepsPerEpoch);

/// Everything that some runs of a fit need, laid out before the first step:
/// which runs, their seeds, hyper-parameters, state and metrics. Runs are
/// addressed by their slot, the position among those runs.
class Session {
public:
  /// The options have been checked. `metrics` numbers are kept per epoch.
  /// Fails where memory is short.
  static Expected<Session> create(const LearnerEntries &entries,
                                  const std::map<std::string, Tensor> &data,
                                  const FitOptions &options, RunRange range,
                                  int64_t stepsPerEpoch, size_t metrics);

  int64_t slots() const { return static_cast<int64_t>(ids.size()); }

  /// Where the slots keep the arguments and the results of an entry.
  Expected<std::vector<RunMemory>> bindArguments(const ManifestEntry &entry);
  Expected<std::vector<RunMemory>> bindResults(const ManifestEntry &entry);

  /// A bound result that is no leaf of the state.
  ScalarColumn column(const std::string &name) const;

  std::vector<int64_t> ids;      ///< Global number of each slot.
  std::vector<int64_t> lastStep; ///< Where each slot stops.
  Tensor seeds;                  ///< One i64 per slot.
  Tensor steps;                  ///< Steps done, one i64 per slot.
  Records records;
  MetricTable table;

private:
  Status layOutHypers(const LearnerEntries &entries, const FitOptions &options);
  /// Zeros, one per slot.
  Expected<Tensor> makeColumn(DType dtype) const;
  Expected<RunMemory> bindData(const ManifestValue &argument) const;

  int64_t totalRuns = 0;
  Tensor dataSeed;
  std::map<std::string, Tensor> hypers; ///< One value per slot.
  std::map<std::string, Tensor> data;
  std::map<std::string, Tensor> scalars; ///< Results that are no state.
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_SESSION_H
