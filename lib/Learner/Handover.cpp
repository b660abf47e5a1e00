//===- Handover.cpp - What a fit tells others -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handover.h"
#include "UserCode.h"

#include <algorithm>

using namespace ensc;

Status Handover::handOver() {
  if (Status status = giveRecords(); !status)
    return status;
  return giveEnds();
}

Status Handover::tell(const FitEvent &event) {
  return sink ? sink->event(event) : Status::success();
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

Status Handover::giveRecords() {
  if (!sink) {
    keepRecords();
    return Status::success();
  }
  batch.clear();
  for (const std::unique_ptr<Ensemble> &ensemble : state.ensembles)
    for (int64_t slot = 0; slot < ensemble->slotCount(); ++slot)
      for (int64_t i = 0; i < ensemble->table.rowCount(slot); ++i) {
        MetricRow row = ensemble->table.row(slot, i);
        batch.push_back({ensemble->slots[slot].run, row.step,
                         (row.step - 1) / ensemble->stepsPerEpoch,
                         row.validated, row.values});
      }
  std::sort(batch.begin(), batch.end(),
            [](const RecordRow &a, const RecordRow &b) {
              return std::pair(a.run, a.step) < std::pair(b.run, b.step);
            });
  if (!batch.empty())
    if (Status status = sink->records(batch); !status)
      return status;
  for (const std::unique_ptr<Ensemble> &ensemble : state.ensembles)
    ensemble->table.clear();
  return Status::success();
}

/// Appends the records to the reports.
void Handover::keepRecords() {
  size_t metrics = state.plan.metrics.size();
  for (const std::unique_ptr<Ensemble> &ensemble : state.ensembles) {
    for (int64_t slot = 0; slot < ensemble->slotCount(); ++slot) {
      int64_t count = ensemble->table.rowCount(slot);
      if (!count)
        continue;
      std::vector<EpochRecord> &records =
          state.reportOf(ensemble->slots[slot].run).epochs;
      if (state.layout.isWhole)
        records.reserve(count);
      for (int64_t i = 0; i < count; ++i) {
        MetricRow row = ensemble->table.row(slot, i);
        records.push_back({(row.step - 1) / ensemble->stepsPerEpoch,
                           row.step,
                           row.validated,
                           {row.values, row.values + metrics}});
      }
    }
    ensemble->table.clear();
  }
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

Status Handover::giveEnds() {
  std::vector<int64_t> runs;
  for (const std::unique_ptr<Ensemble> &ensemble : state.ensembles)
    for (Slot &slot : ensemble->slots)
      if (slot.run >= 0 && !slot.isLive() && !slot.handedOver) {
        slot.handedOver = true;
        state.updateReport(slot.run);
        runs.push_back(slot.run);
      }
  if (runs.empty() || !(sink || state.options.onRunsEnded))
    return Status::success();
  std::sort(runs.begin(), runs.end());
  // Lent, since there may be many records in them.
  std::vector<RunReport> reports;
  reports.reserve(runs.size());
  for (int64_t run : runs)
    reports.push_back(std::move(state.reportOf(run)));
  Status status = giveEnds(reports);
  for (RunReport &report : reports) {
    int64_t run = report.run;
    state.reportOf(run) = std::move(report);
  }
  return status;
}

Status Handover::giveEnds(const std::vector<RunReport> &reports) {
  if (sink)
    if (Status status = sink->ended(
            reports, [this](int64_t run) { return readState(run); });
        !status)
      return status;
  if (!state.options.onRunsEnded)
    return Status::success();
  return callUserCode("onRunsEnded",
                      [&] { return state.options.onRunsEnded(reports); });
}

Expected<std::vector<NamedTensor>> Handover::readState(int64_t run) {
  if (!state.findSlot(run))
    return Error(ErrorKind::InvalidArgument,
                 "run " + std::to_string(run) + " has no state in memory");
  Place place = state.placeOf(run);
  const Records &records = state.ensembles[place.ensemble]->records;
  std::vector<NamedTensor> tensors;
  for (const Leaf &leaf : records.leaves())
    tensors.push_back({leaf.name, records.view(place.slot, leaf)});
  return tensors;
}
