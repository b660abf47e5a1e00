//===- Boundary.cpp - Between a kernel and its caller ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The caller keeps the elements of a run together, a kernel keeps the runs of
// an element together. Both directions transpose squares of a few runs and as
// many elements in registers: run by run, each cache line of a kernel's buffer
// would be touched once per run.
//
//===----------------------------------------------------------------------===//

#include "Boundary.h"
#include "PhaseEmitter.h"
#include "TransposedLoads.h"
#include "ensc/Lower/CPU/MathEmitter.h"
#include "ensc/Runtime/ABI.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

/// Runs, and elements, of a square; a divisor of all numbers of lanes.
static constexpr int64_t squareSize = 4;

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

/// As many elements, from `element` on, as there are records, which are those
/// of the runs from `run` on.
void Boundary::exchangeSquare(ArrayRef<Buffer> records, const Buffer &row,
                              const Index &run, const Index &element,
                              bool reads) {
  IndexMath &math = kernel_.math;
  int64_t size = records.size();
  auto along = [&](const Index &first) {
    return size == 1 ? first : math.add(first, math.lane());
  };
  auto inRow = [&](int64_t i) {
    Index at = math.add(element, math.constant(i));
    return along(math.add(math.scale(at, lanes_), run));
  };
  SmallVector<Value> square;
  for (int64_t i = 0; i < size; ++i)
    square.push_back(reads ? kernel_.load(records[i], along(element), size)
                           : canonicalized(kernel_.load(row, inRow(i), size)));
  if (size > 1)
    emitTranspose(kernel_, square);
  for (int64_t i = 0; i < size; ++i)
    if (reads)
      kernel_.store(square[i], row, inRow(i), size);
    else
      kernel_.store(square[i], records[i], along(element), size);
}

/// Moves what differs between runs from their records, whose pointers are at
/// `slot` of a table and behind, to the buffer, or back.
void Boundary::exchange(const Buffer &buffer, Value table, int64_t slot,
                        bool reads) {
  IndexMath &math = kernel_.math;
  int64_t elements = buffer.type.getNumElements() / lanes_;
  Buffer row = asElements(buffer, elements * lanes_);
  auto recordOf = [&](const Index &run) {
    return asElements(
        recordAt(table, math.add(run, math.constant(slot)), row.type),
        elements);
  };
  if (lanes_ == 1) {
    Buffer record = recordOf(math.constant(0));
    reads ? copy(record, row, /*canonical=*/false)
          : copy(row, record, /*canonical=*/true);
    return;
  }
  auto walk = [&](int64_t size, int64_t begin, int64_t end) {
    if (begin == end)
      return;
    kernel_.emitLoop(0, lanes_, size, {}, [&](const Index &run, ValueRange) {
      SmallVector<Buffer> records;
      for (int64_t i = 0; i < size; ++i)
        records.push_back(recordOf(math.add(run, math.constant(i))));
      return kernel_.emitLoop(
          begin, end, size, {}, [&](const Index &element, ValueRange) {
            exchangeSquare(records, row, run, element, reads);
            return SmallVector<Value>();
          });
    });
  };
  int64_t inSquares = elements / squareSize * squareSize;
  walk(squareSize, 0, inSquares);
  walk(1, inSquares, elements);
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
  exchange(kernel_.buffers.lookup(op.getBuffer()),
           field(offsetof(ensc_group, arguments)), arguments_[argument].first,
           /*reads=*/true);
  return success();
}

LogicalResult Boundary::emitWriteRuns(ens::WriteRunsOp op) {
  int64_t result = op.getResultIndex();
  if (result >= numResults_)
    return op.emitOpError("expects a result of the entry, which has ")
           << numResults_ << ", got " << result;
  Buffer buffer = kernel_.buffers.lookup(op.getBuffer());
  Value table = field(offsetof(ensc_group, results));
  if (op.getLanes() || lanes_ == 1) {
    exchange(buffer, table, result * lanes_, /*reads=*/false);
    return success();
  }
  // All runs get what is the same for all.
  IndexMath &math = kernel_.math;
  Buffer from = asElements(buffer, buffer.type.getNumElements());
  kernel_.emitLoop(0, lanes_, 1, {}, [&](const Index &lane, ValueRange) {
    Index slot = math.add(lane, math.constant(result * lanes_));
    copy(from,
         asElements(recordAt(table, slot, from.type),
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
