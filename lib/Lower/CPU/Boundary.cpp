//===- Boundary.cpp - Between a kernel and its caller ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Boundary.h"
#include "PhaseEmitter.h"
#include "ensc/Runtime/ABI.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

static int64_t lanesOf(DictionaryAttr entry) {
  auto lanes = entry.getAs<IntegerAttr>("lanes");
  return lanes ? lanes.getInt() : 1;
}

Boundary::Boundary(Kernel &kernel, Value group, DictionaryAttr entry)
    : lanes_(lanesOf(entry)), exchange_(kernel, lanes_), kernel_(kernel),
      group_(group) {
  int64_t slot = 0;
  if (auto arguments = entry.getAs<ArrayAttr>("arguments"))
    for (Attribute attribute : arguments) {
      bool perRun = cast<DictionaryAttr>(attribute).contains("per_run");
      arguments_.push_back({slot, perRun});
      slot += perRun ? lanes_ : 1;
    }
  if (auto results = entry.getAs<ArrayAttr>("results"))
    numResults_ = results.size();
}

/// A pointer in the group.
Value Boundary::field(int64_t byteOffset) {
  ImplicitLocOpBuilder &b = kernel_.builder;
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value at = LLVM::GEPOp::create(
      b, pointer, b.getI8Type(), group_,
      ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(byteOffset)));
  return LLVM::LoadOp::create(b, pointer, at);
}

Value Boundary::arena() { return field(offsetof(ensc_group, arena)); }

/// The same memory as a row of elements.
Buffer Boundary::asElements(const Buffer &buffer, int64_t elements) {
  Buffer row = buffer;
  row.type = MemRefType::get({elements}, buffer.type.getElementType());
  return row;
}

/// All elements of a row. What leaves a program has no NaN but the canonical.
void Boundary::copy(const Buffer &from, const Buffer &to, bool canonical) {
  for (const VectorStretch &stretch :
       cutIntoVectors(from.type.getNumElements()))
    kernel_.emitLoop(
        stretch.begin, stretch.begin + stretch.width * stretch.count,
        stretch.width, {}, [&](const Index &begin, ValueRange) {
          Index at = stretch.width == 1
                         ? begin
                         : kernel_.math.add(begin, kernel_.math.lane());
          Value value = kernel_.load(from, at, stretch.width);
          kernel_.store(canonical ? emitCanonical(kernel_, value) : value, to,
                        at, stretch.width);
          return SmallVector<Value>();
        });
}

LogicalResult Boundary::emitShared(ens::SharedOp op) {
  uint64_t argument = op.getArgument();
  if (argument >= arguments_.size() || arguments_[argument].second)
    return op.emitOpError("expects argument ")
           << argument << " of the entry to be shared by all runs";
  Value table = field(offsetof(ensc_group, arguments));
  kernel_.buffers[op.getResult()] = pointedAt(
      kernel_, table, kernel_.math.constant(arguments_[argument].first),
      cast<MemRefType>(op.getType()));
  return success();
}

LogicalResult Boundary::emitReadRuns(ens::ReadRunsOp op) {
  uint64_t argument = op.getArgument();
  int64_t lanes = op.getLanes() ? lanes_ : 1;
  if (argument >= arguments_.size() || !arguments_[argument].second ||
      lanes != lanes_)
    return op.emitOpError("expects argument ")
           << argument << " of the entry to differ between " << lanes
           << " runs";
  const Buffer &buffer = kernel_.buffers.lookup(op.getBuffer());
  Value table = field(offsetof(ensc_group, arguments));
  int64_t slot = arguments_[argument].first;
  if (lanes_ > 1) {
    exchange_.emitRead(buffer, table, slot);
    return success();
  }
  Buffer row = asElements(buffer, buffer.type.getNumElements());
  copy(recordAt(kernel_, table, kernel_.math.constant(slot), row.type), row,
       /*canonical=*/false);
  return success();
}

LogicalResult Boundary::emitWriteRuns(ens::WriteRunsOp op) {
  int64_t result = op.getResultIndex();
  if (result >= numResults_)
    return op.emitOpError("expects a result of the entry, which has ")
           << numResults_ << ", got " << result;
  Buffer buffer = kernel_.buffers.lookup(op.getBuffer());
  Value table = field(offsetof(ensc_group, results));
  if (op.getLanes()) {
    exchange_.emitWrite(buffer, table, result * lanes_);
    return success();
  }
  // All runs get what is the same for all.
  IndexMath &math = kernel_.math;
  Buffer from = asElements(buffer, buffer.type.getNumElements());
  kernel_.emitLoop(0, lanes_, 1, {}, [&](const Index &lane, ValueRange) {
    Index slot = math.add(lane, math.constant(result * lanes_));
    copy(from,
         asElements(recordAt(kernel_, table, slot, from.type),
                    from.type.getNumElements()),
         /*canonical=*/true);
    return SmallVector<Value>();
  });
  return success();
}

LogicalResult Boundary::emitReadRunIds(ens::ReadRunIdsOp op) {
  Buffer to = kernel_.buffers.lookup(op.getBuffer());
  if (to.type.getNumElements() != lanes_)
    return op.emitOpError("expects a buffer of ")
           << lanes_ << " ids, got " << to.type;
  to = asElements(to, lanes_);
  copy({field(offsetof(ensc_group, run_ids)), 0, to.type}, to,
       /*canonical=*/false);
  return success();
}
