//===- Snapshots.h - State to go on from ------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_SNAPSHOTS_H
#define ENSC_LIB_LEARNER_SNAPSHOTS_H

#include "FitState.h"

namespace ensc {

/// A copy of all that a fit needs to go on. `search` may have a state.
/// Fails where memory is short.
Expected<Snapshot> makeSnapshot(FitState &state);

/// The places that the runs of each program need which a snapshot has in
/// flight. Fails on runs that the plan does not have.
Expected<std::vector<int64_t>> countSlots(const FitState &state,
                                          const Snapshot &snapshot);

/// Brings a fit that has started nothing to where a snapshot was made. Runs
/// that had ended are live again where the plan has more steps for them now.
/// Fails on a snapshot that does not fit the plan.
Status restoreSnapshot(FitState &state, const Snapshot &snapshot);

} // namespace ensc

#endif // ENSC_LIB_LEARNER_SNAPSHOTS_H
