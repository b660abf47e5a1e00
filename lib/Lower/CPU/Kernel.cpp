//===- Kernel.cpp - What the emitters of one function share ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

Type cpu::storedTypeOf(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return signlessOf(element);
}

int64_t cpu::bytesOf(Type element) {
  return storedTypeOf(element).getIntOrFloatBitWidth() / 8;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> Kernel::emitLoop(int64_t begin, int64_t end, int64_t step,
                                    ValueRange initial, LoopBody body) {
  if (begin >= end)
    return SmallVector<Value>(initial);
  if (begin + step >= end)
    return body(math.constant(begin), initial);
  auto loop = scf::ForOp::create(builder, math.constantInt(begin),
                                 math.constantInt(end), math.constantInt(step),
                                 initial);
  Block *block = loop.getBody();
  // Without carried values the builder has made a terminator already.
  if (!block->empty())
    block->back().erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(block);
  AtomRange range = AtomRange::ofLoop(begin, end, step);
  SmallVector<Value> carried =
      body(math.atom(loop.getInductionVar(), range), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, carried);
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value> Kernel::emitLoops(
    ArrayRef<int64_t> extents, ValueRange initial,
    function_ref<SmallVector<Value>(ArrayRef<Index>, ValueRange)> body) {
  SmallVector<Index> indices;
  std::function<SmallVector<Value>(ValueRange)> descend =
      [&](ValueRange carried) -> SmallVector<Value> {
    if (indices.size() == extents.size())
      return body(indices, carried);
    return emitLoop(0, extents[indices.size()], 1, carried,
                    [&](const Index &index, ValueRange values) {
                      indices.push_back(index);
                      SmallVector<Value> result = descend(values);
                      indices.pop_back();
                      return result;
                    });
  };
  if (llvm::is_contained(extents, 0))
    return SmallVector<Value>(initial);
  return descend(initial);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Index Kernel::position(const Buffer &buffer, ArrayRef<Index> indices) {
  Index sum = math.constant(0);
  int64_t stride = 1;
  for (int64_t dim = indices.size() - 1; dim >= 0; --dim) {
    sum = math.add(sum, math.scale(indices[dim], stride));
    stride *= buffer.type.getDimSize(dim);
  }
  return sum;
}

static int64_t aligned(int64_t bytes) { return (bytes + 63) / 64 * 64; }

void Kernel::setArena(Value arena, int64_t bytes) {
  arena_ = arena;
  arenaBytes_ = bytes;
  scratchTop_ = aligned(bytes);
}

Scratch Kernel::scratch(int64_t elements, Type element) {
  int64_t begin = scratchTop_;
  scratchTop_ += aligned(elements * bytesOf(element));
  arenaBytes_ = std::max(arenaBytes_, scratchTop_);
  Buffer buffer{arena_, begin, MemRefType::get({elements}, element)};
  return {buffer, std::make_unique<ScratchGuard>(scratchTop_, begin)};
}

/// The address of an element: the varying parts first, so that what does not
/// change in a loop leaves it, then one constant displacement.
Value Kernel::address(const Buffer &buffer, const Index &position, Value lane,
                      int64_t laneConstant) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type stored = storedTypeOf(buffer.type.getElementType());
  Value at = buffer.base;
  if (lane)
    at = LLVM::GEPOp::create(builder, pointer, stored, at,
                             ArrayRef<LLVM::GEPArg>(lane));
  if (!position.terms.empty())
    at = LLVM::GEPOp::create(
        builder, pointer, stored, at,
        ArrayRef<LLVM::GEPArg>(math.scalar(position, /*withConstant=*/false)));
  int64_t displacement =
      buffer.byteOffset + (position.constant + laneConstant) * bytesOf(stored);
  if (displacement == 0)
    return at;
  // A displacement that does not fit an instruction needs a value anyway.
  if (displacement > INT32_MAX || displacement < INT32_MIN)
    return LLVM::GEPOp::create(
        builder, pointer, builder.getI8Type(), at,
        ArrayRef<LLVM::GEPArg>(math.constantInt(displacement)));
  return LLVM::GEPOp::create(
      builder, pointer, builder.getI8Type(), at,
      ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(displacement)));
}

Value Kernel::extract(Value vector, int64_t lane) {
  return LLVM::ExtractElementOp::create(builder, vector,
                                        math.constantInt(lane));
}

Value Kernel::insert(Value element, Value vector, int64_t lane) {
  return LLVM::InsertElementOp::create(builder, vector, element,
                                       math.constantInt(lane));
}

Value Kernel::shuffle(Value a, Value b, ArrayRef<int32_t> lanes) {
  return LLVM::ShuffleVectorOp::create(builder, a, b, lanes);
}

Value Kernel::splat(Value value, int64_t width) {
  if (width == 1 || isa<VectorType>(value.getType()))
    return value;
  return math.broadcast(value, width);
}

unsigned Buffer::alignment() const {
  return isAligned ? bytesOf(type.getElementType()) : 1;
}

Value Kernel::loadAt(Value pointer, const Buffer &buffer, int64_t width) {
  Type stored = storedTypeOf(buffer.type.getElementType());
  return LLVM::LoadOp::create(builder, typeOfWidth(stored, width), pointer,
                              buffer.alignment());
}

Value Kernel::gather(const Buffer &buffer, const Index &position,
                     int64_t width) {
  Type stored = storedTypeOf(buffer.type.getElementType());
  auto type = VectorType::get({width}, stored);
  Value result = emitSplat(builder, type, builder.getZeroAttr(stored));
  for (int64_t lane = 0; lane < width; ++lane) {
    Value offset = position.perLane ? extract(position.perLane, lane) : Value();
    Value element = loadAt(
        address(buffer, position, offset, lane * position.stride), buffer, 1);
    result = insert(element, result, lane);
  }
  return result;
}

Rows Kernel::rowsAt(const Buffer &buffer, Index position, int64_t width) {
  Rows rows{buffer, position, width, {}};
  if (position.perLane) {
    rows.offsets = scratch(width, builder.getI64Type());
    store(position.perLane, rows.offsets->first, math.lane(), width);
    rows.begin.perLane = Value();
  }
  return rows;
}

SmallVector<Value> Kernel::loadRows(const Rows &rows, const Index &column) {
  SmallVector<Value> loaded;
  Index begin = math.add(rows.begin, column);
  for (int64_t lane = 0; lane < rows.width; ++lane) {
    Value offset;
    if (rows.offsets)
      offset = load(rows.offsets->first, math.constant(lane), 1);
    Value pointer = address(rows.buffer, begin, offset, lane * begin.stride);
    loaded.push_back(loadAt(pointer, rows.buffer, rows.width));
  }
  return loaded;
}

Value Kernel::load(const Buffer &buffer, const Index &position, int64_t width) {
  Type element = buffer.type.getElementType();
  Value value;
  if (width == 1 || position.isUniform())
    value = loadAt(address(buffer, position, Value(), 0), buffer, 1);
  else if (position.stride == 1 && !position.perLane)
    value = loadAt(address(buffer, position, Value(), 0), buffer, width);
  else
    value = gather(buffer, position, width);
  if (!element.isInteger(1))
    return value;
  Value zero = emitSplat(builder, value.getType(), builder.getI8IntegerAttr(0));
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, value, zero);
}

void Kernel::store(Value value, const Buffer &buffer, const Index &position,
                   int64_t width) {
  Type element = buffer.type.getElementType();
  Type stored = storedTypeOf(element);
  bool isVector = isa<VectorType>(value.getType());
  if (element.isInteger(1))
    value = arith::ExtUIOp::create(
        builder, typeOfWidth(stored, isVector ? width : 1), value);
  auto storeAt = [&](Value scalarOrVector, Value offset, int64_t constant) {
    LLVM::StoreOp::create(builder, scalarOrVector,
                          address(buffer, position, offset, constant),
                          buffer.alignment());
  };
  bool isContiguous = position.stride == 1 && !position.perLane;
  if (width == 1 || (position.isUniform() && !isVector))
    return storeAt(value, Value(), 0);
  if (isContiguous)
    return storeAt(splat(value, width), Value(), 0);
  for (int64_t lane = 0; lane < width; ++lane)
    storeAt(isVector ? extract(value, lane) : value,
            position.perLane ? extract(position.perLane, lane) : Value(),
            lane * position.stride);
}
