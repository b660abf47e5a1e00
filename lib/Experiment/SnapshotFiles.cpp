//===- SnapshotFiles.cpp - Snapshots as files -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SnapshotFiles.h"

#include "CheckpointFiles.h"

#include "ensc/Experiment/JsonFields.h"

#include <algorithm>
#include <map>

using namespace ensc;

static constexpr const char *reportsName = "reports.safetensors";

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

namespace {
/// The reports of runs as columns: compact, and exact for all numbers.
struct ReportColumns {
  Tensor run, seed, program, status, reason, steps, value, final, best;

  ReportColumns() = default;
  ReportColumns(int64_t count, int64_t metrics) {
    for (Tensor *column : {&run, &seed, &program, &status, &reason, &steps})
      *column = Tensor::zeros(DType::I64, {count});
    value = Tensor::zeros(DType::F64, {count});
    final = Tensor::zeros(DType::F64, {count, metrics});
    best = Tensor::zeros(DType::F64, {count, metrics});
  }

  std::vector<std::pair<const char *, Tensor *>> named() {
    return {{"run", &run},       {"seed", &seed},     {"program", &program},
            {"status", &status}, {"reason", &reason}, {"steps", &steps},
            {"value", &value},   {"final", &final},   {"best", &best}};
  }
};
} // namespace

static Safetensors packReports(const std::vector<RunReport> &reports,
                               Json &reasons) {
  int64_t count = static_cast<int64_t>(reports.size());
  int64_t metrics = reports.empty() ? 0 : reports.front().final.size();
  ReportColumns columns(count, metrics);
  std::map<std::string, int64_t> indices;
  for (int64_t i = 0; i < count; ++i) {
    const RunReport &report = reports[i];
    auto [index, isNew] = indices.emplace(report.reason, indices.size());
    if (isNew)
      reasons.push_back(report.reason);
    columns.run.data<int64_t>()[i] = report.run;
    columns.seed.data<int64_t>()[i] = report.seed;
    columns.program.data<int64_t>()[i] = report.program;
    columns.status.data<int64_t>()[i] = static_cast<int64_t>(report.status);
    columns.reason.data<int64_t>()[i] = index->second;
    columns.steps.data<int64_t>()[i] = report.steps;
    columns.value.data<double>()[i] = report.value;
    std::copy(report.final.begin(), report.final.end(),
              columns.final.data<double>() + i * metrics);
    std::copy(report.best.begin(), report.best.end(),
              columns.best.data<double>() + i * metrics);
  }
  Safetensors content;
  for (auto [name, tensor] : columns.named())
    content.tensors.push_back({name, *tensor});
  return content;
}

static Error damaged(const std::string &why) {
  return Error(ErrorKind::InvalidData, "its reports are damaged: " + why);
}

/// Finds the columns, and checks that they have one row per run.
static Expected<ReportColumns> findColumns(const Safetensors &content,
                                           int64_t metrics) {
  const Tensor *run = content.find("run");
  if (!run || run->rank() != 1)
    return damaged("they have no runs");
  int64_t count = run->size();
  ReportColumns expected(count, count ? metrics : 0), columns;
  auto wanted = expected.named();
  auto found = columns.named();
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Tensor *tensor = content.find(wanted[i].first);
    if (!tensor || tensor->dtype() != wanted[i].second->dtype() ||
        tensor->shape() != wanted[i].second->shape())
      return damaged(std::string(wanted[i].first) + " does not fit");
    *found[i].second = *tensor;
  }
  return columns;
}

static Expected<std::vector<RunReport>>
unpackReports(const Safetensors &content, const Json &reasons,
              const SnapshotLimits &limits) {
  int64_t metrics = static_cast<int64_t>(limits.metrics);
  Expected<ReportColumns> columns = findColumns(content, metrics);
  if (!columns)
    return columns.error();
  std::vector<RunReport> reports(columns->run.size());
  for (size_t i = 0; i < reports.size(); ++i) {
    RunReport &report = reports[i];
    report.run = columns->run.data<int64_t>()[i];
    report.seed = columns->seed.data<int64_t>()[i];
    report.program = columns->program.data<int64_t>()[i];
    report.steps = columns->steps.data<int64_t>()[i];
    report.value = columns->value.data<double>()[i];
    int64_t status = columns->status.data<int64_t>()[i];
    int64_t reason = columns->reason.data<int64_t>()[i];
    bool hasReason =
        reason >= 0 && reason < static_cast<int64_t>(reasons.size());
    if (report.run < 0 || report.run >= limits.runs || report.program < 0 ||
        report.program >= limits.programs || status < 0 ||
        status > static_cast<int64_t>(RunStatus::Diverged) || !hasReason)
      return damaged("a number is out of range");
    report.status = static_cast<RunStatus>(status);
    report.reason = textOf(&reasons[reason]).value_or("");
    const double *final = columns->final.data<double>() + i * metrics;
    const double *best = columns->best.data<double>() + i * metrics;
    report.final.assign(final, final + metrics);
    report.best.assign(best, best + metrics);
  }
  return reports;
}

//===----------------------------------------------------------------------===//
// Snapshots
//===----------------------------------------------------------------------===//

Status ensc::writeSnapshot(const std::string &path, const Snapshot &snapshot,
                           Json fields) {
  std::vector<CheckpointFile> files;
  for (const Snapshot::Ensemble &ensemble : snapshot.ensembles) {
    Expected<CheckpointFile> file = writeCheckpointFile(
        path, std::to_string(ensemble.program) + ".safetensors",
        {ensemble.tensors, {}});
    if (!file)
      return file.error();
    file->program = ensemble.program;
    files.push_back(*file);
  }
  Json reasons = Json::array();
  Expected<CheckpointFile> reports = writeCheckpointFile(
      path, reportsName, packReports(snapshot.reports, reasons));
  if (!reports)
    return reports.error();
  files.push_back(*reports);
  fields["tick"] = snapshot.tick;
  fields["over"] = snapshot.over;
  fields["search"] = snapshot.search;
  fields["reasons"] = std::move(reasons);
  return writeCheckpointState(path, std::move(fields), files);
}

Expected<StoredSnapshot> ensc::readSnapshot(const std::string &path,
                                            const SnapshotLimits &limits) {
  Expected<CheckpointState> state = readCheckpointState(path);
  if (!state)
    return state.error();
  StoredSnapshot stored;
  stored.fields = state->fields;
  Snapshot &snapshot = stored.snapshot;
  std::optional<int64_t> tick = integerOf(findField(*state->fields, "tick"));
  const Json *over = findField(*state->fields, "over");
  std::optional<std::string> search =
      textOf(findField(*state->fields, "search"));
  const CheckpointFile *reports = state->find(reportsName);
  if (!tick || !over || !over->is_boolean() || !search || !reports)
    return Error(ErrorKind::InvalidData,
                 "'" + path + "' is damaged: it misses a field");
  snapshot.tick = *tick;
  snapshot.over = over->get<bool>();
  snapshot.search = *search;
  for (const CheckpointFile &file : state->files) {
    Expected<Safetensors> content = readCheckpointFile(path, file);
    if (!content)
      return content.error();
    if (&file == reports) {
      Expected<std::vector<RunReport>> unpacked =
          unpackReports(*content, arrayOf(*state->fields, "reasons"), limits);
      if (!unpacked)
        return unpacked.error().inContext("'" + path + "'");
      snapshot.reports = std::move(*unpacked);
    } else if (file.program >= 0 && file.program < limits.programs) {
      snapshot.ensembles.push_back({file.program, std::move(content->tensors)});
    } else {
      return Error(ErrorKind::InvalidData, "'" + path + "' is damaged: '" +
                                               file.name +
                                               "' is of no program");
    }
  }
  return stored;
}
