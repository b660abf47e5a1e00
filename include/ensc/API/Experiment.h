//===- Experiment.h - Where a fit keeps what it does ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_API_EXPERIMENT_H
#define ENSC_API_EXPERIMENT_H

#include <cstdint>
#include <string>

namespace ensc {

/// The directory of an experiment, from which an interrupted fit goes on.
struct ExperimentOptions {
  std::string path; ///< Empty: nothing is kept on disk.
  /// Moves what is at the path aside and starts over.
  bool fresh = false;
  int64_t checkpointSteps = 0;   ///< Of a run; 0: as time says.
  double checkpointSeconds = 30; ///< 0: as steps say.
  int64_t keepCheckpoints = 2;   ///< The newest ones, beside the best.
  int64_t keepBest = 0;          ///< Runs whose files stay; 0: all.
};

} // namespace ensc

#endif // ENSC_API_EXPERIMENT_H
