//===- RunExchange.cpp - Between records and buffers ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunExchange.h"
#include "StepCost.h"
#include "TransposedLoads.h"
#include "ensc/Lower/CPU/MathEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

Value ensc::cpu::emitCanonical(Kernel &kernel, Value value) {
  if (!isa<FloatType>(getElementTypeOrSelf(value.getType())))
    return value;
  return emitCanonicalNaN(kernel.builder, value);
}

Buffer ensc::cpu::pointedAt(Kernel &kernel, Value table, const Index &slot,
                            MemRefType type) {
  ImplicitLocOpBuilder &b = kernel.builder;
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value at =
      LLVM::GEPOp::create(b, pointer, pointer, table,
                          ArrayRef<LLVM::GEPArg>(kernel.math.scalar(slot)));
  return {LLVM::LoadOp::create(b, pointer, at), 0, type};
}

Buffer ensc::cpu::recordAt(Kernel &kernel, Value table, const Index &slot,
                           MemRefType type) {
  Buffer buffer = pointedAt(kernel, table, slot, type);
  buffer.isAligned = false;
  return buffer;
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

namespace {
/// Emits the body of a function: of the pointers to records, of a buffer, and
/// of how many elements a record has.
class ExchangeEmitter {
public:
  ExchangeEmitter(Kernel &kernel, Block *entry, Type element, int64_t lanes,
                  bool reads)
      : kernel_(kernel), table_(entry->getArgument(0)),
        type_(MemRefType::get({ShapedType::kDynamic}, element)),
        buffer_{entry->getArgument(1), 0, type_},
        elements_(entry->getArgument(2)), lanes_(lanes), reads_(reads) {}

  void emit();

private:
  int64_t squareSize() const;
  void emitSquares(int64_t size, Value begin, Value end);
  void emitSquare(ArrayRef<Buffer> records, const Index &run,
                  const Index &element);

  Kernel &kernel_;
  Value table_;
  MemRefType type_;
  Buffer buffer_;
  Value elements_;
  int64_t lanes_;
  bool reads_;
};
} // namespace

/// As many elements as fill a register, as far as there are lanes.
int64_t ExchangeEmitter::squareSize() const {
  return std::min(lanes_, kernel_.target.registerBytes /
                              bytesOf(type_.getElementType()));
}

void ExchangeEmitter::emit() {
  ImplicitLocOpBuilder &builder = kernel_.builder;
  int64_t size = squareSize();
  Value none = kernel_.math.constantInt(0);
  Value inSquares = arith::AndIOp::create(builder, elements_,
                                          kernel_.math.constantInt(-size));
  emitSquares(size, none, inSquares);
  emitSquares(1, inSquares, elements_);
  LLVM::ReturnOp::create(builder, ValueRange());
}

/// The elements from `begin` to `end` of all runs. The records of a square are
/// those of the runs from `run` on.
void ExchangeEmitter::emitSquares(int64_t size, Value begin, Value end) {
  IndexMath &math = kernel_.math;
  kernel_.emitLoop(0, lanes_, size, {}, [&](const Index &run, ValueRange) {
    SmallVector<Buffer> records;
    for (int64_t i = 0; i < size; ++i)
      records.push_back(
          recordAt(kernel_, table_, math.add(run, math.constant(i)), type_));
    auto loop =
        scf::ForOp::create(kernel_.builder, begin, end, math.constantInt(size));
    OpBuilder::InsertionGuard guard(kernel_.builder);
    kernel_.builder.setInsertionPointToStart(loop.getBody());
    emitSquare(records, run, math.atom(loop.getInductionVar()));
    return SmallVector<Value>();
  });
}

void ExchangeEmitter::emitSquare(ArrayRef<Buffer> records, const Index &run,
                                 const Index &element) {
  IndexMath &math = kernel_.math;
  int64_t size = records.size();
  auto along = [&](const Index &first) {
    return size == 1 ? first : math.add(first, math.lane());
  };
  auto inBuffer = [&](int64_t i) {
    Index at = math.add(element, math.constant(i));
    return along(math.add(math.scale(at, lanes_), run));
  };
  SmallVector<Value> square;
  for (int64_t i = 0; i < size; ++i)
    square.push_back(
        reads_
            ? kernel_.load(records[i], along(element), size)
            : emitCanonical(kernel_, kernel_.load(buffer_, inBuffer(i), size)));
  if (size > 1)
    emitTranspose(kernel_, square);
  for (int64_t i = 0; i < size; ++i)
    if (reads_)
      kernel_.store(square[i], buffer_, inBuffer(i), size);
    else
      kernel_.store(square[i], records[i], along(element), size);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

LLVM::LLVMFuncOp RunExchange::functionFor(Type element, bool reads) {
  LLVM::LLVMFuncOp &function = (reads ? readers_ : writers_)[element];
  if (function)
    return function;
  ImplicitLocOpBuilder &outer = kernel_.builder;
  Operation *parent = outer.getBlock()->getParentOp();
  auto caller = dyn_cast<LLVM::LLVMFuncOp>(parent);
  if (!caller)
    caller = parent->getParentOfType<LLVM::LLVMFuncOp>();
  ImplicitLocOpBuilder builder(outer.getLoc(), caller);
  std::string name = caller.getName().str() + (reads ? "_read_" : "_write_");
  llvm::raw_string_ostream(name) << element;
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer, pointer, builder.getI64Type()});
  function =
      LLVM::LLVMFuncOp::create(builder, name, type, LLVM::Linkage::Internal);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  Kernel kernel(builder, entry, kernel_.target);
  ExchangeEmitter(kernel, entry, element, lanes_, reads).emit();
  return function;
}

void RunExchange::emitCall(const Buffer &buffer, Value table, int64_t slot,
                           bool reads) {
  constexpr double cyclesPerElement = 0.4;
  ImplicitLocOpBuilder &builder = kernel_.builder;
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  int64_t elements = buffer.type.getNumElements();
  Value records =
      LLVM::GEPOp::create(builder, pointer, pointer, table,
                          ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(slot)));
  Value first = LLVM::GEPOp::create(
      builder, pointer, builder.getI8Type(), buffer.base,
      ArrayRef<LLVM::GEPArg>(kernel_.math.constantInt(buffer.byteOffset)));
  auto call = LLVM::CallOp::create(
      builder, functionFor(buffer.type.getElementType(), reads),
      ValueRange{records, first, kernel_.math.constantInt(elements / lanes_)});
  call->setAttr(cyclesAttr,
                builder.getI64IntegerAttr(static_cast<int64_t>(
                    cyclesPerElement * static_cast<double>(elements))));
}
