//===- MetricTable.h - What runs measured -----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_METRICTABLE_H
#define ENSC_LIB_LEARNER_METRICTABLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ensc {

/// A record of a run. The metrics belong to the table.
struct MetricRow {
  int64_t step = 0;
  bool validated = false;
  const double *values = nullptr;
};

/// The records of runs in a part of training. All memory is there before the
/// first step. Different slots may be written by different threads.
class MetricTable {
public:
  MetricTable() = default;

  /// Room for `rows[slot]` rows of `metrics` numbers.
  MetricTable(const std::vector<int64_t> &rows, size_t metrics);

  /// The metrics of a new row of a slot, to be filled in.
  double *addRow(int64_t slot, int64_t step, bool validated);

  int64_t rowCount(int64_t slot) const { return counts[slot]; }
  MetricRow row(int64_t slot, int64_t position) const;

  /// Forgets all rows.
  void clear();

  /// The bytes of a row.
  static int64_t rowBytes(size_t metrics) {
    return static_cast<int64_t>((metrics + leading) * sizeof(double));
  }

private:
  /// Each row leads with its step and whether it was validated.
  static constexpr size_t leading = 2;

  size_t metrics = 0;
  std::vector<int64_t> begins, counts; ///< Rows, one of each per slot.
  std::vector<double> cells;
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_METRICTABLE_H
