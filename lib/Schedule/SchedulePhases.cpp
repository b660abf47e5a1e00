//===- SchedulePhases.cpp - From instances to phase programs --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseEmitter.h"
#include "StepWork.h"

#include "ensc/Dialect/Ens/IR/HyperRange.h"
#include "ensc/Schedule/Passes.h"
#include "ensc/Vectorize/RunVarianceAnalysis.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ensc {
#define GEN_PASS_DEF_SCHEDULEPHASES
#include "ensc/Schedule/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;
using namespace ensc::schedule;

namespace {
struct SchedulePhases : ensc::impl::SchedulePhasesBase<SchedulePhases> {
  void runOnOperation() override;
};

/// Turns one instance into a phase program next to it.
class InstanceScheduler {
public:
  explicit InstanceScheduler(func::FuncOp instance)
      : instance(instance), variance(instance), builder(instance.getContext()) {
  }

  LogicalResult run();

private:
  func::FuncOp declareEntry();
  DictionaryAttr describeEntry();
  void describeWork(func::FuncOp entry);
  DictionaryAttr describe(DictionaryAttr given, Type type, bool lanes,
                          bool perRun);
  void readArguments(PhaseEmitter &emitter, Block *body);
  void readRunIds(PhaseEmitter &emitter);
  void addTables(PhaseEmitter &emitter);
  void writeResults(PhaseEmitter &emitter, ArrayRef<Memory> results);

  bool isLanes() const { return static_cast<bool>(lanes()); }
  IntegerAttr lanes() const {
    return instance->getAttrOfType<IntegerAttr>(lanesAttr);
  }
  bool isPerRun(unsigned argument) {
    return static_cast<bool>(instance.getArgAttr(argument, perRunAttr));
  }
  bool isUniformResult(unsigned result) {
    return static_cast<bool>(instance.getResultAttr(result, uniformAttr));
  }
  bool leads(Value value) const { return lanes() && variance.isVarying(value); }
  StringRef baseName() {
    StringRef name = instance.getName();
    if (isLanes())
      name.consume_back(".lanes");
    return name;
  }

  func::FuncOp instance;
  RunVarianceAnalysis variance;
  OpBuilder builder;
};
} // namespace

//===----------------------------------------------------------------------===//
// The entry and its description
//===----------------------------------------------------------------------===//

/// What the runtime must know of an argument or result, by its type in one run.
DictionaryAttr InstanceScheduler::describe(DictionaryAttr given, Type type,
                                           bool lanes, bool perRun) {
  auto tensor = cast<RankedTensorType>(type);
  if (lanes)
    tensor = tensor.clone(tensor.getShape().drop_front());
  NamedAttrList entry;
  entry.append("type", TypeAttr::get(tensor));
  if (perRun)
    entry.append("per_run", builder.getUnitAttr());
  const std::pair<StringRef, StringRef> kept[] = {
      {nameAttr, "name"},          {roleAttr, "role"},
      {defaultAttr, "default"},    {classesAttr, "classes"},
      {rangeAttr, "range"},        {limitAttr, "limit"},
      {directionAttr, "direction"}};
  for (auto [from, to] : kept)
    if (Attribute value = given ? given.get(from) : Attribute())
      entry.append(to, value);
  return entry.getDictionary(builder.getContext());
}

DictionaryAttr InstanceScheduler::describeEntry() {
  SmallVector<Attribute> arguments, results;
  Block &body = instance.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (!argument.getType().isIndex())
      arguments.push_back(describe(instance.getArgAttrDict(number),
                                   argument.getType(), leads(argument),
                                   isPerRun(number)));
  }
  for (OpOperand &result : body.getTerminator()->getOpOperands()) {
    unsigned number = result.getOperandNumber();
    results.push_back(describe(instance.getResultAttrDict(number),
                               result.get().getType(), leads(result.get()),
                               !isUniformResult(number)));
  }
  NamedAttrList entry;
  entry.append("name", builder.getStringAttr(baseName()));
  entry.append("instance", builder.getStringAttr(isLanes() ? "lanes" : "solo"));
  entry.append("lanes", isLanes() ? lanes() : builder.getI64IntegerAttr(1));
  entry.append("arguments", builder.getArrayAttr(arguments));
  entry.append("results", builder.getArrayAttr(results));
  return entry.getDictionary(builder.getContext());
}

void InstanceScheduler::describeWork(func::FuncOp entry) {
  NamedAttrList description(entry->getAttrOfType<DictionaryAttr>(entryAttr));
  StepWork work = countStepWork(entry, isLanes() ? lanes().getInt() : 1);
  description.set("flops_per_step", builder.getI64IntegerAttr(work.flops));
  // A target knows more.
  description.set("cycles_per_step", builder.getI64IntegerAttr(0));
  description.set("bytes_moved", builder.getI64IntegerAttr(work.bytesMoved));
  description.set("bytes_touched",
                  builder.getI64IntegerAttr(work.bytesTouched));
  entry->setAttr(entryAttr, description.getDictionary(builder.getContext()));
}

func::FuncOp InstanceScheduler::declareEntry() {
  // The arena grows to its size when its buffers are placed.
  Type arena = MemRefType::get({0}, builder.getIntegerType(8));
  Type index = builder.getIndexType();
  builder.setInsertionPoint(instance);
  std::string name = (baseName() + (isLanes() ? ".lanes" : ".solo")).str();
  auto entry = func::FuncOp::create(
      builder, instance.getLoc(), name,
      builder.getFunctionType({arena, index, index}, {index}));
  entry->setAttr(entryAttr, describeEntry());
  return entry;
}

//===----------------------------------------------------------------------===//
// The boundary
//===----------------------------------------------------------------------===//

void InstanceScheduler::readArguments(PhaseEmitter &emitter, Block *body) {
  unsigned position = 0;
  for (BlockArgument argument : instance.getArguments()) {
    Location loc = argument.getLoc();
    auto role = instance.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      roleAttr);
    if (argument.getType().isIndex()) {
      bool isEnd = role && role.getValue() == "end";
      emitter.storage().indices.map(argument, body->getArgument(isEnd ? 2 : 1));
      continue;
    }
    unsigned number = position++;
    if (argument.use_empty())
      continue;
    auto type = cast<RankedTensorType>(argument.getType());
    bool lead = leads(argument);
    Memory memory;
    if (isPerRun(argument.getArgNumber())) {
      memory = emitter.allocate(loc, type, lead);
      ReadRunsOp::create(emitter.at(), loc, number, memory.memref, lead);
    } else {
      memory.memref =
          SharedOp::create(emitter.at(), loc, memoryType(type, false), number);
    }
    emitter.storage().tensors[argument] = memory;
  }
}

void InstanceScheduler::readRunIds(PhaseEmitter &emitter) {
  bool asked = instance.walk([](RunIdOp) { return WalkResult::interrupt(); })
                   .wasInterrupted();
  if (!asked)
    return;
  auto type = RankedTensorType::get({isLanes() ? lanes().getInt() : 1},
                                    builder.getI64Type());
  Memory ids = emitter.allocate(instance.getLoc(), type, false);
  ReadRunIdsOp::create(emitter.at(), instance.getLoc(), ids.memref);
  emitter.storage().runIds = ids.memref;
}

/// Constants whose elements differ are in memory from the start.
void InstanceScheduler::addTables(PhaseEmitter &emitter) {
  instance.walk([&](ConstantOp constant) {
    auto values = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (constant->use_empty() || (values && values.isSplat()))
      return;
    auto type = cast<RankedTensorType>(constant.getType());
    Value table = TableOp::create(emitter.at(), constant.getLoc(),
                                  memoryType(type, false), constant.getValue());
    emitter.storage().tensors[constant] = {table, false};
  });
}

void InstanceScheduler::writeResults(PhaseEmitter &emitter,
                                     ArrayRef<Memory> results) {
  Location loc = instance.getLoc();
  for (auto [number, memory] : llvm::enumerate(results)) {
    Memory written = memory;
    // What all runs share is no buffer that a result could be written from.
    if (written.memref.getDefiningOp<SharedOp>()) {
      auto type = cast<MemRefType>(written.memref.getType());
      written = emitter.allocate(
          loc, RankedTensorType::get(type.getShape(), type.getElementType()),
          false);
      emitter.copy(loc, memory, written);
    }
    WriteRunsOp::create(emitter.at(), loc, written.memref, number,
                        written.lanes);
  }
}

LogicalResult InstanceScheduler::run() {
  if (!instance.getBody().hasOneBlock())
    return instance.emitOpError("cannot be scheduled: expects one block");
  func::FuncOp entry = declareEntry();
  Block *body = entry.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  auto end = func::ReturnOp::create(builder, instance.getLoc(),
                                    ValueRange{body->getArgument(2)});
  builder.setInsertionPoint(end);
  PhaseEmitter emitter(builder, [this](Value value) { return leads(value); });
  readArguments(emitter, body);
  readRunIds(emitter);
  addTables(emitter);
  SmallVector<Memory> results;
  auto isWritable = [&](BlockArgument argument) {
    return isPerRun(argument.getArgNumber());
  };
  if (failed(
          emitter.emitBlock(instance.getBody().front(), isWritable, &results)))
    return failure();
  writeResults(emitter, results);
  describeWork(entry);
  instance.erase();
  return success();
}

void SchedulePhases::runOnOperation() {
  SmallVector<func::FuncOp> instances(getOperation().getOps<func::FuncOp>());
  for (func::FuncOp instance : instances) {
    if (!instance->hasAttr(instanceAttr)) {
      if (instance->hasAttr(entryAttr))
        continue;
      instance.emitOpError("is no instance: run the phase vectorize first");
      return signalPassFailure();
    }
    if (failed(InstanceScheduler(instance).run()))
      return signalPassFailure();
  }
}
