//===- RecordText.cpp - Lines of metrics.csv ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordText.h"

#include <charconv>
#include <cmath>

using namespace ensc;

std::string
ensc::formatRecordHeader(const std::vector<ExperimentMetric> &metrics) {
  CsvTable header;
  header.columns = {"run", "step", "epoch"};
  for (const ExperimentMetric &metric : metrics)
    header.columns.push_back(metric.name);
  return formatCsv(header);
}

void ensc::appendNumber(std::string &text, int64_t value) {
  char buffer[24];
  auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  text.append(buffer, end);
}

void ensc::appendNumber(std::string &text, double value) {
  // Not every NaN may keep its sign in text.
  if (std::isnan(value)) {
    text += "nan";
    return;
  }
  char buffer[64];
  auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  text.append(buffer, end);
}

void ensc::appendRecord(std::string &text, int64_t run, int64_t step,
                        int64_t epoch, const double *values,
                        const std::vector<bool> &isComputed) {
  appendNumber(text, run);
  text += ',';
  appendNumber(text, step);
  text += ',';
  appendNumber(text, epoch);
  for (size_t i = 0; i < isComputed.size(); ++i) {
    text += ',';
    if (isComputed[i])
      appendNumber(text, values[i]);
  }
  text += '\n';
}

/// Reads a number and moves `next` behind it.
template <typename T>
static bool parseField(const char *&next, const char *end, T &value) {
  auto [stop, code] = std::from_chars(next, end, value);
  if (code != std::errc())
    return false;
  next = stop;
  return true;
}

static bool parseComma(const char *&next, const char *end) {
  return next != end && *next++ == ',';
}

bool ensc::parseRecord(std::string_view line, RunRecord &record) {
  const char *next = line.data(), *end = next + line.size();
  if (!parseField(next, end, record.run) || !parseComma(next, end) ||
      !parseField(next, end, record.step) || !parseComma(next, end) ||
      !parseField(next, end, record.epoch))
    return false;
  for (double &value : record.values) {
    if (!parseComma(next, end))
      return false;
    if (next == end || *next == ',')
      value = std::nan("");
    else if (!parseField(next, end, value))
      return false;
  }
  return next == end;
}
