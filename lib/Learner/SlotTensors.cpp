//===- SlotTensors.cpp - The slots of an ensemble as tensors --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlotTensors.h"

#include "ensc/API/Allocate.h"

#include <cstring>
#include <functional>

using namespace ensc;

namespace {
/// A tensor of a snapshot: its type for one run, and how to copy the elements
/// of a slot from and to memory.
struct SlotField {
  std::string name;
  DType dtype;
  Shape shape;
  std::function<void(int64_t slot, void *to)> save;
  std::function<void(int64_t slot, const void *from)> load;
};
} // namespace

/// A number that is kept as it is.
template <typename T>
static SlotField numberField(const std::string &name,
                             std::function<T(int64_t)> get,
                             std::function<void(int64_t, T)> set) {
  return {name,
          dtypeOf<T>(),
          {},
          [get](int64_t slot, void *to) {
            T value = get(slot);
            std::memcpy(to, &value, sizeof(T));
          },
          [set](int64_t slot, const void *from) {
            T value;
            std::memcpy(&value, from, sizeof(T));
            set(slot, value);
          }};
}

/// A member of Slot.
template <typename T>
static SlotField slotField(Ensemble &ensemble, const std::string &name,
                           T Slot::*member) {
  return numberField<T>(
      name,
      [&ensemble, member](int64_t slot) {
        return ensemble.slots[slot].*member;
      },
      [&ensemble, member](int64_t slot, T value) {
        ensemble.slots[slot].*member = value;
      });
}

/// Elements that lie in one piece.
static SlotField memoryField(const std::string &name, DType dtype, Shape shape,
                             std::function<void *(int64_t)> memoryOf) {
  size_t bytes = numElements(shape) * sizeOf(dtype);
  return {name, dtype, std::move(shape),
          [memoryOf, bytes](int64_t slot, void *to) {
            std::memcpy(to, memoryOf(slot), bytes);
          },
          [memoryOf, bytes](int64_t slot, const void *from) {
            std::memcpy(memoryOf(slot), from, bytes);
          }};
}

static SlotField columnField(const std::string &name, DType dtype, void *data) {
  size_t bytes = sizeOf(dtype);
  return memoryField(name, dtype, {}, [data, bytes](int64_t slot) {
    return static_cast<char *>(data) + static_cast<size_t>(slot) * bytes;
  });
}

static std::vector<SlotField> fieldsOf(Ensemble &ensemble) {
  Shape metrics = {static_cast<int64_t>(ensemble.plan.metrics.size())};
  std::vector<SlotField> fields = {
      slotField(ensemble, "run", &Slot::run),
      numberField<int64_t>(
          "step", [&](int64_t slot) { return ensemble.stepOf(slot); },
          [&](int64_t slot, int64_t step) { ensemble.setStep(slot, step); }),
      slotField(ensemble, "admitted", &Slot::admitted),
      slotField(ensemble, "recorded", &Slot::recorded),
      slotField(ensemble, "started", &Slot::started),
      columnField("loss_sum", ensemble.lossSum.dtype, ensemble.lossSum.data),
      memoryField("latest", DType::F64, metrics,
                  [&](int64_t slot) { return ensemble.latest(slot); }),
      memoryField("best", DType::F64, metrics,
                  [&](int64_t slot) { return ensemble.best(slot); }),
      slotField(ensemble, "stop.best", &Slot::progress),
      slotField(ensemble, "stop.waited", &Slot::waited)};
  for (const ManifestValue *hyper : ensemble.program.entries.hypers()) {
    Tensor &column = *ensemble.findHyper(hyper->name);
    fields.push_back(
        columnField("hyper." + hyper->name, column.dtype(), column.bytes()));
  }
  for (const Leaf &leaf : ensemble.records.leaves())
    fields.push_back(memoryField(
        "state." + leaf.name, leaf.dtype, leaf.shape, [&](int64_t slot) {
          return static_cast<char *>(ensemble.records.record(slot)) +
                 leaf.offset;
        }));
  return fields;
}

Expected<std::vector<NamedTensor>>
ensc::saveSlots(Ensemble &ensemble, const std::vector<int64_t> &slots) {
  std::vector<NamedTensor> tensors;
  for (const SlotField &field : fieldsOf(ensemble)) {
    Shape shape = withRuns(static_cast<int64_t>(slots.size()), field.shape);
    Expected<Tensor> tensor =
        allocateTensor(field.dtype, std::move(shape), "a snapshot");
    if (!tensor)
      return tensor.error();
    size_t bytes = numElements(field.shape) * sizeOf(field.dtype);
    char *to = static_cast<char *>(tensor->bytes());
    for (size_t row = 0; row < slots.size(); ++row)
      field.save(slots[row], to + row * bytes);
    tensors.push_back({field.name, std::move(*tensor)});
  }
  return tensors;
}

Expected<std::vector<int64_t>> ensc::readRuns(const Snapshot::Ensemble &saved) {
  const Tensor *runs = saved.find("run");
  if (!runs || runs->dtype() != DType::I64 || runs->rank() != 1)
    return Error(ErrorKind::InvalidData,
                 "it has no numbers of runs under 'run'");
  const auto *numbers = runs->data<int64_t>();
  std::vector<int64_t> result(numbers, numbers + runs->size());
  for (size_t i = 1; i < result.size(); ++i)
    if (result[i - 1] >= result[i])
      return Error(ErrorKind::InvalidData, "the numbers of runs do not ascend");
  return result;
}

Status ensc::loadSlots(Ensemble &ensemble, const Snapshot::Ensemble &saved,
                       const std::vector<std::pair<int64_t, int64_t>> &moves) {
  int64_t rows = saved.find("run")->size();
  for (const SlotField &field : fieldsOf(ensemble)) {
    Shape shape = withRuns(rows, field.shape);
    const Tensor *tensor = saved.find(field.name);
    if (!tensor || tensor->dtype() != field.dtype || tensor->shape() != shape)
      return Error(
          ErrorKind::InvalidData,
          "'" + field.name + "' must be " + typeString(field.dtype, shape) +
              (tensor ? ", got " + typeString(tensor->dtype(), tensor->shape())
                      : ", and is missing"));
    size_t bytes = numElements(field.shape) * sizeOf(field.dtype);
    const char *from = static_cast<const char *>(tensor->bytes());
    for (auto [row, slot] : moves)
      field.load(slot, from + static_cast<size_t>(row) * bytes);
  }
  for (auto [row, slot] : moves)
    if (int64_t step = ensemble.stepOf(slot);
        step < 0 || step > ensemble.slots[slot].lastStep)
      return Error(ErrorKind::InvalidData,
                   "a run has done " + std::to_string(step) + " steps of " +
                       std::to_string(ensemble.slots[slot].lastStep));
  return Status::success();
}
