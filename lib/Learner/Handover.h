//===- Handover.h - What a fit tells others ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_HANDOVER_H
#define ENSC_LIB_LEARNER_HANDOVER_H

#include "FitState.h"

namespace ensc {

/// Gives what a part of training has brought to the sink of a fit, or where
/// there is none to the reports, and to the callers of the fit.
class Handover {
public:
  /// `sink` may be null.
  Handover(FitState &state, FitSink *sink) : state(state), sink(sink) {}

  /// Hands over new records, then runs that have ended.
  Status handOver();

  /// Says what happened at the sync point `tick`.
  Status tell(const FitEvent &event);

  /// The state of a run that has a place.
  Expected<std::vector<NamedTensor>> readState(int64_t run);

private:
  Status giveRecords();
  void keepRecords();
  Status giveEnds();
  Status giveEnds(const std::vector<RunReport> &reports);

  FitState &state;
  FitSink *sink;
  RecordBatch batch;
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_HANDOVER_H
