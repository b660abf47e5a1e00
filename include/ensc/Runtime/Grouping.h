//===- Grouping.h - Which runs share a group --------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_GROUPING_H
#define ENSC_RUNTIME_GROUPING_H

#include "ensc/Runtime/Manifest.h"

#include <cstdint>

namespace ensc {

/// How groups of runs are advanced.
enum class RunSchedule {
  Auto,  ///< What costs least, see chooseGrouping.
  Solo,  ///< One run at a time, vectors inside it.
  Lanes, ///< A vector lane per run.
};

/// What runs may be grouped into, and what that costs. It follows from the
/// program, the CPU and the options alone, never from a clock, so that the same
/// command takes the same time again.
struct GroupRules {
  int64_t width = 0;  ///< Runs of a full group in lanes; 0: there are no lanes.
  bool single = true; ///< Whether a run may be advanced alone.
  double singleCost = 1.0; ///< Of a step of a run alone, in any unit.
  double groupCost = 1.0;  ///< Of a step of a group in lanes, full or not.
  int threads = 1;         ///< That advance groups at the same time.

  /// Whether `runs` runs, at most `width`, cost less as a group in lanes than
  /// one after the other.
  bool prefersLanes(int64_t runs) const {
    return width && (!single || groupCost <= singleCost * runs);
  }
};

/// Fails where an entry of a compiled program has no instance for a schedule.
/// The interpreter evaluates runs one by one, whatever the schedule.
Status checkInstance(const Manifest &manifest, const ManifestEntry &entry,
                     RunSchedule schedule);

/// The rules for `runs` runs of an entry under a schedule, without lanes where
/// they would cost more than single runs. A schedule that the entry has no
/// instance for is ignored: see checkInstance. `threads` of 0 are as many as
/// there are cores.
GroupRules rulesOf(const ManifestEntry &entry, RunSchedule schedule,
                   int64_t runs, int threads);

/// Runs as groups in lanes, the last of which may lack runs, and single ones.
struct Grouping {
  int64_t groups = 0;
  int64_t single = 0;
};

/// The grouping of `runs` runs whose steps end first on all threads.
Grouping chooseGrouping(const GroupRules &rules, int64_t runs);

/// Whether some of `runs` runs of an entry are advanced in lanes.
bool usesLanes(const ManifestEntry &entry, RunSchedule schedule, int64_t runs,
               int threads);

} // namespace ensc

#endif // ENSC_RUNTIME_GROUPING_H
