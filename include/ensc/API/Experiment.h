//===- Experiment.h - Where a fit keeps what it does ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_API_EXPERIMENT_H
#define ENSC_API_EXPERIMENT_H

#include <cstdint>
#include <functional>
#include <string>

namespace ensc {

/// The directory of an experiment, from which an interrupted fit goes on. See
/// docs/Experiment.md.
struct ExperimentOptions {
  std::string path; ///< Empty: nothing is kept on disk.
  /// Moves what is at the path aside and starts over.
  bool fresh = false;
  /// A checkpoint is due after so many steps of the runs that train at the same
  /// time, 0: as time says; and after so many seconds, or as many more as lets
  /// checkpoints take at most a fiftieth of the time, 0: as steps say.
  int64_t checkpointSteps = 0;
  double checkpointSeconds = 30;
  int64_t keepCheckpoints = 2; ///< The newest ones, beside the best.
  int64_t keepBest = 0;        ///< Runs whose files stay; 0: all.
  /// Called with what a user should know but what does not end the fit, such as
  /// that a damaged checkpoint was passed over.
  std::function<void(const std::string &text)> onWarning;
  /// Called where the fit goes on, with what from, and where it writes files
  /// again that were missing, with their names.
  std::function<void(const std::string &text)> onResume;
};

} // namespace ensc

#endif // ENSC_API_EXPERIMENT_H
