//===- PageData.h - What a page knows of an experiment ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_REPORT_PAGEDATA_H
#define ENSC_LIB_REPORT_PAGEDATA_H

#include "ensc/Report/RunHistory.h"

#include <string>
#include <string_view>

namespace ensc {

/// The object that page/data.js reads, as JSON without a '<', so that it may
/// stand inside a script element.
std::string makePageData(const RunHistory &history, std::string_view title);

} // namespace ensc

#endif // ENSC_LIB_REPORT_PAGEDATA_H
