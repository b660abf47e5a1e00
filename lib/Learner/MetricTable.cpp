//===- MetricTable.cpp - What runs measured -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MetricTable.h"

#include <algorithm>

using namespace ensc;

MetricTable::MetricTable(const std::vector<int64_t> &rows, size_t metrics)
    : metrics(metrics), counts(rows.size()) {
  int64_t total = 0;
  for (int64_t count : rows) {
    begins.push_back(total);
    total += count;
  }
  cells.resize(total * (metrics + leading));
}

double *MetricTable::addRow(int64_t slot, int64_t step, bool validated) {
  double *row = &cells[(begins[slot] + counts[slot]++) * (metrics + leading)];
  // Steps are below 2^53.
  row[0] = static_cast<double>(step);
  row[1] = validated;
  return row + leading;
}

MetricRow MetricTable::row(int64_t slot, int64_t position) const {
  const double *row = &cells[(begins[slot] + position) * (metrics + leading)];
  return {static_cast<int64_t>(row[0]), row[1] != 0.0, row + leading};
}

void MetricTable::clear() { std::fill(counts.begin(), counts.end(), 0); }
