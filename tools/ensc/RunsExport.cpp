//===- RunsExport.cpp - ensc runs export ----------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "RunsCommands.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/Npz.h"
#include "ensc/Report/RunTables.h"
#include "ensc/Report/StackStates.h"
#include "ensc/Runtime/Memory.h"
#include "ensc/Runtime/Suggest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace ensc;

static const std::vector<std::string> formats = {"safetensors", "npz", "csv"};

static Expected<std::string> formatOf(const tool::RunsRequest &request) {
  std::string format = request.to;
  if (format.empty())
    format = llvm::StringRef(request.output).rsplit('.').second.str();
  if (format.empty())
    return Error(ErrorKind::InvalidArgument,
                 "--to says in which format: safetensors, npz or csv");
  if (!llvm::is_contained(formats, format))
    return Error(ErrorKind::InvalidArgument, "runs are not exported as '" +
                                                 format + "'" +
                                                 suggest(format, formats));
  if (request.output.empty() && format != "csv")
    return Error(ErrorKind::InvalidArgument,
                 "-o must say where to write " + format);
  return format;
}

/// The record of each chosen run, with its row of the plan in front: a table
/// that needs no other one to be understood.
static Status writeRecords(const tool::RunsRequest &request,
                           const tool::RunsTable &runs,
                           const std::vector<int64_t> &numbers) {
  tool::warnOfLostRecords(runs.experiment);
  Expected<std::vector<std::vector<RunRecord>>> records =
      runs.experiment.readRecordsOf(numbers);
  if (!records)
    return records.error();
  const CsvTable &plan = runs.experiment.rows();
  CsvTable table;
  table.columns = {"run"};
  llvm::append_range(table.columns, plan.columns);
  table.columns.insert(table.columns.end(), {"step", "epoch"});
  for (const ExperimentMetric &metric : runs.experiment.metrics())
    table.columns.push_back(metric.name);
  for (size_t i = 0; i < numbers.size(); ++i)
    for (const RunRecord &record : (*records)[i]) {
      std::vector<std::string> row = {std::to_string(numbers[i])};
      llvm::append_range(row, plan.rows[numbers[i]]);
      row.push_back(std::to_string(record.step));
      row.push_back(std::to_string(record.epoch));
      // Of a run that has not diverged, a NaN means that nothing was computed.
      bool diverged = std::isnan(record.values.front());
      for (double value : record.values)
        row.push_back(std::isnan(value) && !diverged ? ""
                                                     : formatNumber(value));
      table.rows.push_back(std::move(row));
    }
  if (!request.output.empty())
    return writeCsv(request.output, table);
  llvm::outs() << formatCsv(table);
  return Status::success();
}

/// The state of one run as it is, those of several stacked.
static Expected<Safetensors>
collectStates(const tool::RunsRequest &request, const tool::RunsTable &runs,
              const std::vector<int64_t> &numbers) {
  bool one = numbers.size() == 1 && request.runs.size() == 1 &&
             request.runs.front() != "all";
  if (one)
    return runs.experiment.readState(numbers.front());
  Expected<std::vector<Safetensors>> states =
      runs.experiment.readStates(numbers);
  if (!states)
    return states.error();
  int64_t bytes = 0;
  for (const NamedTensor &tensor : states->front().tensors)
    bytes += static_cast<int64_t>(tensor.tensor.sizeInBytes());
  if (Status fits =
          checkFits("the state", static_cast<int64_t>(numbers.size()), bytes);
      !fits)
    return fits.error();
  return stackStates(*states, numbers);
}

Status tool::exportRuns(const RunsRequest &request) {
  Expected<std::string> format = formatOf(request);
  if (!format)
    return format.error();
  Expected<RunsTable> runs = RunsTable::open(request);
  if (!runs)
    return runs.error();
  if (runs->experiment.owns(request.output))
    return Error(ErrorKind::InvalidArgument,
                 "-o " + request.output +
                     ": this is a file of the experiment itself; name "
                     "another one");
  Expected<std::vector<int64_t>> numbers = chosenRuns(request, *runs);
  if (!numbers)
    return numbers.error();
  if (*format == "csv")
    return writeRecords(request, *runs, *numbers);
  Expected<Safetensors> state = collectStates(request, *runs, *numbers);
  if (!state)
    return state.error();
  return *format == "npz" ? writeNpz(request.output, state->tensors)
                          : writeSafetensors(request.output, *state);
}
