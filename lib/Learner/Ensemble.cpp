//===- Ensemble.cpp - The runs of one program in memory -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ensemble.h"

#include "RowNumbers.h"

#include "ensc/API/Allocate.h"
#include "ensc/Runtime/Labels.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace ensc;

static constexpr const char *lossSumName = "loss_sum";

double ScalarColumn::read(int64_t slot) const {
  return dtype == DType::F32 ? static_cast<const float *>(data)[slot]
                             : static_cast<const double *>(data)[slot];
}

void ScalarColumn::write(int64_t slot, double value) const {
  if (dtype == DType::F32)
    static_cast<float *>(data)[slot] = static_cast<float>(value);
  else
    static_cast<double *>(data)[slot] = value;
}

void ensc::writeHyper(Tensor &column, int64_t slot, double value) {
  ScalarColumn{column.dtype(), column.bytes()}.write(slot, value);
}

double ensc::readHyper(const Tensor &column, int64_t slot) {
  return ScalarColumn{column.dtype(), const_cast<void *>(column.bytes())}.read(
      slot);
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

Ensemble::Ensemble(const LearnerPrograms &programs, const FitPlan &plan,
                   int64_t position)
    : plan(plan), program(programs.list[position]), position(position),
      recordSteps(plan.programs[position].recordSteps),
      stepsPerEpoch(program.info->stepsPerEpoch),
      metricCount(programs.metrics.size()) {}

Expected<std::unique_ptr<Ensemble>>
Ensemble::create(const LearnerPrograms &programs, const FitPlan &plan,
                 int64_t position, const std::vector<int64_t> &tableRows) {
  std::unique_ptr<Ensemble> ensemble(new Ensemble(programs, plan, position));
  if (Status status = ensemble->layOut(tableRows); !status)
    return status.error();
  if (Status status = ensemble->bind(); !status)
    return status.error();
  return ensemble;
}

Status Ensemble::layOut(const std::vector<int64_t> &tableRows) {
  // The largest part first: what else there is fits where it does, or nearly.
  Expected<Records> made =
      Records::create(*program.entries.init, tableRows.size());
  if (!made)
    return made.error();
  records = std::move(*made);
  slots.resize(tableRows.size());
  for (Tensor *column : {&seeds, &orderSeeds, &steps}) {
    Expected<Tensor> numbers = makeColumn(DType::I64);
    if (!numbers)
      return numbers.error();
    *column = *numbers;
  }
  for (const ManifestValue *hyper : program.entries.hypers()) {
    Expected<Tensor> values = makeColumn(hyper->dtype);
    if (!values)
      return values.error();
    hypers[hyper->name] = *values;
  }
  table = MetricTable(tableRows, metricCount);
  latest_.resize(slots.size() * metricCount);
  best_.resize(slots.size() * metricCount);
  return Status::success();
}

int64_t Ensemble::slotBytes(const LearnerEntries &entries, size_t metrics) {
  int64_t bytes = sizeof(Slot);
  std::set<std::string> known;
  for (const ManifestEntry *entry : entries.all()) {
    // The state and results that are a number.
    for (const ManifestValue &result : entry->results)
      if (known.insert(result.name).second)
        bytes += numElements(result.shape) * sizeOf(result.dtype);
    for (const ManifestValue &argument : entry->arguments)
      if ((argument.role == "hyper" || argument.role == "rows") &&
          known.insert(argument.name).second)
        bytes += numElements(argument.shape) * sizeOf(argument.dtype);
  }
  // Seeds and step; where the rows of metrics begin and how many there are.
  return bytes + 5 * static_cast<int64_t>(sizeof(int64_t)) +
         2 * static_cast<int64_t>(metrics * sizeof(double));
}

Expected<Tensor> Ensemble::makeColumn(DType dtype) const {
  return allocateTensor(dtype, {slotCount()}, "a number for each run");
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

Expected<RunMemory> Ensemble::bindData(const ManifestValue &argument) const {
  auto found = plan.data.find(argument.name);
  if (found == plan.data.end())
    return Error(ErrorKind::InvalidData,
                 "the data '" + argument.name + "' (" +
                     typeString(argument.dtype, argument.shape) +
                     ") is missing");
  Tensor tensor = found->second;
  Shape expected = argument.shapeFor(plan.options->runs);
  if (tensor.dtype() != argument.dtype || tensor.shape() != expected)
    return Error(ErrorKind::InvalidData,
                 "the data '" + argument.name + "' must be " +
                     typeString(argument.dtype, expected) + ", got " +
                     typeString(tensor.dtype(), tensor.shape()));
  if (Status status =
          checkLabels(argument, tensor, "the data '" + argument.name + "'");
      !status)
    return status.error();
  if (!argument.perRun)
    return RunMemory{tensor.bytes(), 0};
  size_t bytes = numElements(argument.shape) * sizeOf(argument.dtype);
  return RunMemory{tensor.bytes(), bytes, /*byId=*/true};
}

/// Memory for the row numbers of each slot, which admit() fills.
Expected<RunMemory> Ensemble::bindRows(const ManifestValue &argument) {
  if (argument.dtype != DType::I64 || argument.shape.size() != 1 ||
      !argument.perRun)
    return Error(ErrorKind::InvalidModel,
                 "the row numbers '" + argument.name +
                     "' must be a vector of i64 per run, got " +
                     typeString(argument.dtype, argument.shape));
  auto [column, isNew] = rows.try_emplace(argument.name);
  if (isNew) {
    Expected<Tensor> made =
        allocateTensor(DType::I64, withRuns(slotCount(), argument.shape),
                       "the row numbers of each run");
    if (!made)
      return made.error();
    column->second = *made;
  }
  return RunMemory{column->second.bytes(),
                   numElements(argument.shape) * sizeof(int64_t)};
}

/// The memory of a number per slot that is no state.
Expected<RunMemory> Ensemble::bindScalar(const ManifestValue &value) {
  auto [column, isNew] = scalars.try_emplace(value.name);
  if (isNew) {
    Expected<Tensor> made = makeColumn(value.dtype);
    if (!made)
      return made.error();
    column->second = *made;
  }
  return RunMemory{column->second.bytes(), sizeOf(value.dtype)};
}

Expected<RunMemory> Ensemble::bindArgument(const ManifestEntry &entry,
                                           const ManifestValue &argument) {
  if (argument.role == "data")
    return bindData(argument);
  if (argument.role == "rows")
    return bindRows(argument);
  if (argument.role == "hyper") {
    Tensor column = hypers[argument.name];
    return RunMemory{column.bytes(), sizeOf(column.dtype())};
  }
  // Where all runs share the order, it is that of any slot.
  for (auto [role, column] :
       {std::pair("seed", &seeds), std::pair("order_seed", &orderSeeds),
        std::pair("step", &steps)})
    if (argument.role == role)
      return RunMemory{column->bytes(), sizeof(int64_t)};
  if (std::optional<RunMemory> leaf = records.find(argument.name))
    return *leaf;
  if (argument.name == lossSumName)
    return bindScalar(argument);
  return Error(ErrorKind::InvalidModel,
               "@" + entry.name + " takes '" + argument.name +
                   "', which is neither state, data nor a hyper-parameter");
}

Status Ensemble::bind() {
  for (auto [entry, bindings] :
       {std::pair(program.entries.init, &init),
        std::pair(program.entries.fit, &fit),
        std::pair(program.entries.evaluate, &evaluate)}) {
    if (!entry)
      continue;
    for (const ManifestValue &result : entry->results) {
      std::optional<RunMemory> leaf = records.find(result.name);
      Expected<RunMemory> bound =
          leaf ? Expected<RunMemory>(*leaf) : bindScalar(result);
      if (!bound)
        return bound.error();
      bindings->results.push_back(*bound);
    }
    for (const ManifestValue &argument : entry->arguments) {
      Expected<RunMemory> bound = bindArgument(*entry, argument);
      if (!bound)
        return bound.error();
      bindings->arguments.push_back(*bound);
    }
  }
  lossSum = column(lossSumName);
  if (program.entries.evaluate)
    for (const ManifestValue &result : program.entries.evaluate->results)
      measured.push_back(column(result.name));
  return Status::success();
}

ScalarColumn Ensemble::column(const std::string &name) const {
  const Tensor &column = scalars.at(name);
  return {column.dtype(), const_cast<void *>(column.bytes())};
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void Ensemble::admit(int64_t slot, int64_t run, int64_t tick) {
  const FitOptions &options = *plan.options;
  Slot &place = slots[slot];
  place = Slot();
  place.run = run;
  place.status = RunStatus::Running;
  place.lastStep = plan.lastSteps[run];
  place.admitted = tick;
  place.patience = valueOf(options.patience, run, int64_t{0});
  place.progress = std::nan("");
  seeds.data<int64_t>()[slot] = plan.seeds[run];
  orderSeeds.data<int64_t>()[slot] =
      valueOf(options.orderSeeds, run, options.dataSeed);
  setStep(slot, 0);
  for (auto &[name, column] : hypers)
    writeHyper(column, slot, plan.hypers.at(name)[run]);
  std::fill_n(latest(slot), metricCount, std::nan(""));
  std::fill_n(best(slot), metricCount, std::nan(""));
  lossSum.write(slot, 0.0);
  RowChoice all;
  const RowChoice &choice = options.rowChoices.empty() ? all
                            : options.rowChoices.size() == 1
                                ? options.rowChoices.front()
                                : options.rowChoices[run];
  int64_t total = countDataRows(program.entries);
  for (auto &[name, numbers] : rows) {
    int64_t count = numbers.shape()[1];
    ManifestValue argument;
    argument.name = name;
    writeRows(choice, plan.seeds[run], namesValidationRows(argument), total,
              numbers.data<int64_t>() + slot * count, count);
  }
}

int64_t Ensemble::stepOfRecord(int64_t records) const {
  // Beyond what any run does.
  constexpr int64_t mostSteps = int64_t{1} << 53;
  return records > mostSteps / recordSteps ? mostSteps : records * recordSteps;
}

void Ensemble::note(int64_t slot, size_t metric, double value) {
  latest(slot)[metric] = value;
  double &best = this->best(slot)[metric];
  if (std::isnan(best) ||
      (plan.metrics[metric].maximize ? value > best : value < best))
    best = value;
}

Tensor *Ensemble::findHyper(const std::string &name) {
  auto found = hypers.find(name);
  return found == hypers.end() ? nullptr : &found->second;
}

RunReport Ensemble::report(int64_t slot) {
  const Slot &place = slots[slot];
  RunReport report;
  report.run = place.run;
  report.seed = plan.seeds[place.run];
  report.program = position;
  report.status = place.status;
  report.reason = place.reason;
  report.value = place.badValue;
  report.steps = stepOf(slot);
  report.final.assign(latest(slot), latest(slot) + metricCount);
  report.best.assign(best(slot), best(slot) + metricCount);
  return report;
}
