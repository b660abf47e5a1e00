//===- RecordText.h - Lines of metrics.csv ----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   run,step,epoch,loss,val_loss,val_accuracy
//   0,20,0,0.69,,
//   0,40,1,0.65,0.7,0.625
//
// Where a metric was not computed there is nothing between the commas; "nan" is
// a result.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_RECORDTEXT_H
#define ENSC_LIB_EXPERIMENT_RECORDTEXT_H

#include "ensc/Experiment/Reader.h"

#include <string>
#include <string_view>

namespace ensc {

/// The first line of metrics.csv, with its end.
std::string formatRecordHeader(const std::vector<ExperimentMetric> &metrics);

/// Appends `value` as formatNumber writes it.
void appendNumber(std::string &text, double value);
void appendNumber(std::string &text, int64_t value);

/// Appends a line, with its end. A value where `isComputed` is false is left
/// out.
void appendRecord(std::string &text, int64_t run, int64_t step, int64_t epoch,
                  const double *values, const std::vector<bool> &isComputed);

/// Reads a line without its end. `record.values` has the number of metrics.
/// False for what appendRecord() does not write.
bool parseRecord(std::string_view line, RunRecord &record);

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_RECORDTEXT_H
