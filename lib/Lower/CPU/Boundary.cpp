//===- Boundary.cpp - Between a kernel and its caller ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The caller keeps the elements of a run together, a kernel keeps the runs of
// an element together. Both directions walk run by run: that is slow per
// element, but small, and once per visit.
//
//===----------------------------------------------------------------------===//

#include "Boundary.h"
#include "PhaseEmitter.h"
#include "ensc/Lower/CPU/MathEmitter.h"
#include "ensc/Runtime/ABI.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

Boundary::Boundary(Kernel &kernel, Value group, DictionaryAttr entry)
    : kernel_(kernel), group_(group) {
  if (auto lanes = entry.getAs<IntegerAttr>("lanes"))
    lanes_ = lanes.getInt();
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

/// The memory whose pointer is at a position of a table.
Buffer Boundary::memoryAt(Value table, const Index &slot, MemRefType type) {
  ImplicitLocOpBuilder &b = kernel_.builder;
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value at =
      LLVM::GEPOp::create(b, pointer, pointer, table,
                          ArrayRef<LLVM::GEPArg>(kernel_.math.scalar(slot)));
  return {LLVM::LoadOp::create(b, pointer, at), 0, type};
}

/// What a run has of its own lies in a record without padding.
Buffer Boundary::recordAt(Value table, const Index &slot, MemRefType type) {
  Buffer buffer = memoryAt(table, slot, type);
  buffer.isAligned = false;
  return buffer;
}

/// The same memory as a row of elements.
Buffer Boundary::asElements(const Buffer &buffer, int64_t elements) {
  Buffer row = buffer;
  row.type = MemRefType::get({elements}, buffer.type.getElementType());
  return row;
}

Value Boundary::canonicalized(Value value) {
  if (!isa<FloatType>(getElementTypeOrSelf(value.getType())))
    return value;
  return emitCanonicalNaN(kernel_.builder, value);
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
          kernel_.store(canonical ? canonicalized(value) : value, to, at,
                        stretch.width);
          return SmallVector<Value>();
        });
}

LogicalResult Boundary::emitShared(ens::SharedOp op) {
  uint64_t argument = op.getArgument();
  if (argument >= arguments_.size() || arguments_[argument].second)
    return op.emitOpError("expects argument ")
           << argument << " of the entry to be shared by all runs";
  Value table = field(offsetof(ensc_group, arguments));
  kernel_.buffers[op.getResult()] =
      memoryAt(table, kernel_.math.constant(arguments_[argument].first),
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
  IndexMath &math = kernel_.math;
  Buffer buffer = kernel_.buffers.lookup(op.getBuffer());
  int64_t elements = buffer.type.getNumElements() / lanes;
  Buffer to = asElements(buffer, elements * lanes);
  Value table = field(offsetof(ensc_group, arguments));
  int64_t slot = arguments_[argument].first;
  kernel_.emitLoop(0, lanes, 1, {}, [&](const Index &lane, ValueRange) {
    Buffer from = asElements(
        recordAt(table, math.add(lane, math.constant(slot)), to.type),
        elements);
    if (lanes == 1) {
      copy(from, to, /*canonical=*/false);
      return SmallVector<Value>();
    }
    return kernel_.emitLoop(
        0, elements, 1, {}, [&](const Index &element, ValueRange) {
          Index at = math.add(math.scale(element, lanes), lane);
          kernel_.store(kernel_.load(from, element, 1), to, at, 1);
          return SmallVector<Value>();
        });
  });
  return success();
}

LogicalResult Boundary::emitWriteRuns(ens::WriteRunsOp op) {
  int64_t result = op.getResultIndex();
  if (result >= numResults_)
    return op.emitOpError("expects a result of the entry, which has ")
           << numResults_ << ", got " << result;
  IndexMath &math = kernel_.math;
  Buffer buffer = kernel_.buffers.lookup(op.getBuffer());
  int64_t lanes = op.getLanes() ? lanes_ : 1;
  int64_t elements = buffer.type.getNumElements() / lanes;
  Buffer from = asElements(buffer, elements * lanes);
  Value table = field(offsetof(ensc_group, results));
  kernel_.emitLoop(0, lanes_, 1, {}, [&](const Index &lane, ValueRange) {
    Index slot = math.add(lane, math.constant(result * lanes_));
    Buffer to = asElements(recordAt(table, slot, from.type), elements);
    if (lanes == 1) {
      copy(from, to, /*canonical=*/true);
      return SmallVector<Value>();
    }
    return kernel_.emitLoop(
        0, elements, 1, {}, [&](const Index &element, ValueRange) {
          Index at = math.add(math.scale(element, lanes), lane);
          kernel_.store(canonicalized(kernel_.load(from, at, 1)), to, element,
                        1);
          return SmallVector<Value>();
        });
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
