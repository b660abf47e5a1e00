//===- Experiment.cpp - The files that ensc train leaves ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Experiment.h"

#include "ensc/Artifact/JsonLines.h"

using namespace ensc;

static Status writeMetrics(const RunDirectory &directory,
                           const Learner &learner, const RunReport &run) {
  Expected<JsonLinesWriter> writer =
      JsonLinesWriter::open(directory.metricsPath(run.run));
  if (!writer)
    return writer.error();
  for (const EpochRecord &record : run.epochs) {
    Json line = {{"epoch", record.epoch}, {"step", record.step}};
    for (size_t i = 0; i < record.values.size(); ++i)
      line[learner.metrics()[i].name] = jsonNumber(record.values[i]);
    if (Status status = writer->append(line); !status)
      return status;
  }
  return writer->flush();
}

static Status writeRun(const RunDirectory &directory, const Learner &learner,
                       const RunReport &run) {
  if (Status status = directory.createRun(run.run); !status)
    return status;
  if (Status status = writeMetrics(directory, learner, run); !status)
    return status;
  Safetensors state;
  for (const std::string &name : learner.stateNames()) {
    Expected<Tensor> tensor = learner.parameter(run.run, name);
    if (!tensor)
      return tensor.error();
    state.tensors.push_back({name, *tensor});
  }
  return directory.writeFinalState(run.run, state);
}

static CsvTable makeTable(const Learner &learner, const FitReport &report,
                          const std::vector<tool::SetHyper> &hypers) {
  CsvTable table;
  table.columns = {"run", "seed"};
  for (const tool::SetHyper &hyper : hypers)
    table.columns.push_back(hyper.name);
  table.columns.insert(table.columns.end(), {"status", "steps"});
  for (const MetricInfo &metric : learner.metrics()) {
    table.columns.push_back("final_" + metric.name);
    table.columns.push_back("best_" + metric.name);
  }
  for (const RunReport &run : report.runs) {
    std::vector<std::string> row = {std::to_string(run.run),
                                    std::to_string(run.seed)};
    for (const tool::SetHyper &hyper : hypers)
      row.push_back(formatNumber(hyper.values[run.run]));
    row.push_back(nameOf(run.status));
    row.push_back(std::to_string(run.steps));
    for (size_t i = 0; i < learner.metrics().size(); ++i) {
      bool known = !run.epochs.empty();
      row.push_back(known ? formatNumber(run.epochs.back().values[i]) : "");
      row.push_back(known ? formatNumber(run.best[i]) : "");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

tool::Experiment::~Experiment() {
  if (directory && !complete)
    directory->discard();
}

Status tool::Experiment::writeRuns(const std::vector<RunReport> &reports) {
  if (!directory) {
    Expected<RunDirectory> created =
        RunDirectory::create(path, runs, description);
    if (!created)
      return created.error();
    directory = std::move(*created);
  }
  for (const RunReport &run : reports)
    if (Status status = writeRun(*directory, learner, run); !status)
      return abandon(status.error());
  return Status::success();
}

Expected<CsvTable>
tool::Experiment::writeTable(const FitReport &report,
                             const std::vector<SetHyper> &hypers) {
  if (Status status = directory->writeTable(makeTable(learner, report, hypers));
      !status)
    return abandon(status.error());
  complete = true;
  return directory->readTable();
}

Error tool::Experiment::abandon(const Error &error) const {
  return Error(error.kind(),
               error.message() +
                   "; the experiment would be incomplete, so it was removed");
}
