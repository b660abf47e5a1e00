//===- Bands.h - What many runs do together ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REPORT_BANDS_H
#define ENSC_REPORT_BANDS_H

#include "ensc/Report/RunHistory.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ensc {

/// Median and quartiles of a metric, step by step, over the runs that have a
/// finite value there.
struct Band {
  std::vector<int64_t> steps; ///< Ascending.
  std::vector<double> low, median, high;
  std::vector<int64_t> counts; ///< Of runs.
};

/// The quantile `fraction` of sorted values, linear between neighbours.
double quantileOf(const std::vector<double> &sorted, double fraction);

/// The band of the runs of one program.
Band makeBand(const RunHistory &history, size_t metric, size_t program);

/// The finite values as a row of at most `width` bars, each the mean of a part
/// of them; "" without any.
std::string sparkline(std::vector<double> values, size_t width);

/// The kept values of a metric of a run.
std::vector<double> curveOf(const RunHistory &history, int64_t run,
                            size_t metric);

} // namespace ensc

#endif // ENSC_REPORT_BANDS_H
