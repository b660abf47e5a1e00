//===- HtmlReport.h - An experiment as one page -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REPORT_HTMLREPORT_H
#define ENSC_REPORT_HTMLREPORT_H

#include "ensc/Report/RunHistory.h"

#include <string>
#include <string_view>

namespace ensc {

/// Runs whose rows and curves a page holds; of more, the best ones by half, and
/// a sample of the others. Bands and counts are always those of all runs.
constexpr size_t reportRuns = 2000;

/// Values per curve for which a page of so many runs and metrics stays within
/// some megabytes.
size_t reportPointsPerRun(size_t runs, size_t metrics);

/// The page: HTML without a reference to anything outside it. Names and other
/// text of the experiment are shown as they are and never executed. The
/// history must have been refreshed.
std::string makeHtmlReport(const RunHistory &history, std::string_view title);

} // namespace ensc

#endif // ENSC_REPORT_HTMLREPORT_H
