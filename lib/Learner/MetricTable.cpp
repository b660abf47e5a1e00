//===- MetricTable.cpp - What runs measured -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MetricTable.h"

using namespace ensc;

MetricTable::MetricTable(const std::vector<int64_t> &rows, size_t metrics)
    : metrics(metrics), counts(rows.size()) {
  int64_t total = 0;
  for (int64_t count : rows) {
    begins.push_back(total);
    total += count;
  }
  cells.resize(total * (metrics + 1));
}

double *MetricTable::addRow(int64_t slot, int64_t step) {
  double *row = &cells[(begins[slot] + counts[slot]++) * (metrics + 1)];
  // Steps are below 2^53.
  row[0] = static_cast<double>(step);
  return row + 1;
}

std::vector<EpochRecord> MetricTable::recordsOf(int64_t slot,
                                                int64_t stepsPerEpoch) const {
  std::vector<EpochRecord> records(counts[slot]);
  for (int64_t i = 0; i < counts[slot]; ++i) {
    const double *row = &cells[(begins[slot] + i) * (metrics + 1)];
    records[i].step = static_cast<int64_t>(row[0]);
    records[i].epoch = (records[i].step - 1) / stepsPerEpoch;
    records[i].validated = metrics > 1;
    records[i].values.assign(row + 1, row + 1 + metrics);
  }
  return records;
}
