//===- Session.h - Memory and plan of one fit -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_SESSION_H
#define ENSC_LIB_LEARNER_SESSION_H

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

/// Everything that one fit needs, laid out before the first step: which runs,
/// their seeds, hyper-parameters and records, and where metrics go. Runs are
/// addressed by their slot, the position among the runs that are executed.
class Session {
public:
  static Expected<Session> create(const LearnerEntries &entries,
                                  const std::map<std::string, Tensor> &data,
                                  const FitOptions &options);

  int64_t slots() const { return static_cast<int64_t>(ids.size()); }

  /// Where the slots keep the arguments and the results of an entry.
  Expected<std::vector<RunMemory>> bindArguments(const ManifestEntry &entry);
  std::vector<RunMemory> bindResults(const ManifestEntry &entry);

  /// The value that slot's result `name` (no leaf of the state) has, as f64.
  double readScalar(const std::string &name, int64_t slot) const;

  /// Starts the sum of losses of an epoch anew.
  void clearLossSum(int64_t slot);

  std::vector<int64_t> ids;      ///< Global number of each slot.
  std::vector<int64_t> lastStep; ///< Where each slot stops.
  Tensor seeds;                  ///< One i64 per slot.
  Tensor steps;                  ///< Steps done, one i64 per slot.
  Records records;

private:
  Session() = default;
  Status layOutHypers(const LearnerEntries &entries, const FitOptions &options);
  Expected<RunMemory> bindData(const ManifestValue &argument) const;

  int64_t totalRuns = 0;
  Tensor dataSeed;
  std::map<std::string, Tensor> hypers; ///< One value per slot.
  std::map<std::string, Tensor> data;
  std::map<std::string, Tensor> scalars; ///< Results that are no state.
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_SESSION_H
