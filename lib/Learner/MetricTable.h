//===- MetricTable.h - What runs measured -----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_METRICTABLE_H
#define ENSC_LIB_LEARNER_METRICTABLE_H

#include "ensc/API/Learner.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ensc {

/// The metrics of all runs of a fit at the ends of their epochs. All memory is
/// there before the first step. Different runs may be written by different
/// threads.
class MetricTable {
public:
  MetricTable() = default;

  /// Room for `rows[slot]` rows of `metrics` numbers.
  MetricTable(const std::vector<int64_t> &rows, size_t metrics);

  /// The metrics of a new row of a run, to be filled in.
  double *addRow(int64_t slot, int64_t step);

  /// The first metric of the last row of a run.
  double lastLoss(int64_t slot) const {
    return cells[(begins[slot] + counts[slot] - 1) * (metrics + 1) + 1];
  }

  /// The rows of a run so far.
  std::vector<EpochRecord> recordsOf(int64_t slot, int64_t stepsPerEpoch) const;

  /// The bytes of a row.
  static int64_t rowBytes(size_t metrics) {
    return static_cast<int64_t>((metrics + 1) * sizeof(double));
  }

private:
  size_t metrics = 0;
  std::vector<int64_t> begins, counts; ///< Rows, one of each per run.
  std::vector<double> cells;           ///< Each row leads with the step.
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_METRICTABLE_H
