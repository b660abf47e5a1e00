//===- ScalarOps.cpp - Elements of ops with a rule of their own -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;
using namespace ensc::schedule;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// A scalar of any element type; ui32 has no constants of its own.
static Value scalarConstant(ImplicitLocOpBuilder &builder, TypedAttr value) {
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!type || type.isSignless())
    return arith::ConstantOp::create(builder, value);
  APInt bits = cast<IntegerAttr>(value).getValue();
  Type signless = builder.getIntegerType(type.getWidth());
  Value plain = arith::ConstantOp::create(
      builder, builder.getIntegerAttr(signless, bits));
  return ConvertOp::create(builder, type, plain);
}

Value ScalarEmitter::constant(ImplicitLocOpBuilder &builder, Type type,
                              int64_t value) {
  if (auto real = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(
        builder, builder.getFloatAttr(real, static_cast<double>(value)));
  auto integer = cast<IntegerType>(type);
  APInt bits(integer.getWidth(), static_cast<uint64_t>(value),
             /*isSigned=*/true, /*implicitTrunc=*/true);
  return scalarConstant(builder, builder.getIntegerAttr(type, bits));
}

/// All elements are equal: other constants are in memory.
Value ScalarEmitter::emitConstant(ConstantOp op) {
  enterScopeOf(0);
  auto values = cast<DenseElementsAttr>(op.getValue());
  return scalarConstant(builder,
                        cast<TypedAttr>(values.getSplatValue<Attribute>()));
}

//===----------------------------------------------------------------------===//
// Windows and indexed access
//===----------------------------------------------------------------------===//

Value ScalarEmitter::emitPad(PadOp op, ArrayRef<IndexId> at) {
  Value padding = operand(op.getValueMutable(), at);
  if (llvm::is_contained(shapeOf(op.getX()), 0))
    return padding;
  Value inside;
  uint64_t loops = 0;
  auto require = [&](IndexId index, int64_t high) {
    Value condition = isWithin(index, 0, high);
    // Conditions may be in different folds, and meet in the inner one.
    loops |= indexSpace[index].loops;
    enterScopeOf(loops);
    inside = inside ? AndOp::create(builder, inside, condition) : condition;
  };
  for (auto [dim, extent] : llvm::enumerate(shapeOf(op.getX()))) {
    int64_t low = op.getLow()[dim], high = op.getHigh()[dim];
    int64_t spread = op.getInterior()[dim] + 1;
    if (low <= 0 && high <= 0 && spread == 1)
      continue;
    IndexId shifted = indexSpace.add(at[dim], indexSpace.constant(-low));
    require(shifted, (extent - 1) * spread + 1);
    if (spread == 1)
      continue;
    int64_t last = (extent - 1) * spread;
    IndexId rest =
        indexSpace.remainder(indexSpace.clamp(shifted, last), spread);
    require(rest, 1);
  }
  Value element = operand(op.getXMutable(), at);
  if (!inside)
    return element;
  enterScopeOf(indexSpace.loopsOf(at));
  return SelectOp::create(builder, element.getType(), inside, element, padding);
}

Value ScalarEmitter::emitConcat(ConcatOp op, ArrayRef<IndexId> at) {
  int64_t dim = op.getDim();
  int64_t end = shapeOf(op.getResult())[dim];
  Value result;
  // From the last piece to the first: each one hides those behind it.
  for (OpOperand &piece : llvm::reverse(op->getOpOperands())) {
    int64_t extent = shapeOf(piece.get())[dim];
    if (extent == 0)
      continue;
    Value element = operand(piece, at);
    if (result) {
      Value here = isWithin(at[dim], 0, end);
      enterScopeOf(indexSpace.loopsOf(at));
      result =
          SelectOp::create(builder, element.getType(), here, element, result);
    } else {
      result = element;
    }
    end -= extent;
  }
  // Without any element nobody asks for one, but the body wants a value.
  return result ? result
                : constant(atEnd(), getElementTypeOrSelf(op.getType()), 0);
}

Value ScalarEmitter::emitGather(GatherOp op, ArrayRef<IndexId> at) {
  int64_t extent = shapeOf(op.getX())[op.getAxis()];
  Type element = getElementTypeOrSelf(op.getType());
  if (extent == 0) {
    enterScopeOf(0);
    return constant(builder, element, 0);
  }
  Value picked = operand(op.getXMutable(), at);
  if (op.getMode() == GatherMode::clamp)
    return picked;
  IndexId row = indexSpace.read(
      op.getIndices(), operandIndices(indexSpace, op.getIndicesMutable(), at));
  Value inside = isWithin(row, 0, extent);
  enterScopeOf(indexSpace.loopsOf(at));
  Value zero = constant(builder, element, 0);
  return SelectOp::create(builder, element, inside, picked, zero);
}

//===----------------------------------------------------------------------===//
// Random bits
//===----------------------------------------------------------------------===//

ResultRange PhiloxStream::block(ImplicitLocOpBuilder &builder,
                                Value number) const {
  Type word = builder.getIntegerType(32, /*isSigned=*/false);
  Value half = ScalarEmitter::constant(builder, builder.getI64Type(), 32);
  auto low = [&](Value x) -> Value {
    return ConvertOp::create(builder, word, x);
  };
  auto high = [&](Value x) -> Value {
    return low(ShiftRightLogicalOp::create(builder, x, half));
  };
  return PhiloxOp::create(builder, number, site, low(step), high(step),
                          low(seed), high(seed))
      .getResults();
}

Value ScalarEmitter::emitRngBits(RngBitsOp op, ArrayRef<IndexId> at) {
  ArrayRef<int64_t> shape = shapeOf(op.getResult());
  size_t batch = shapeOf(op.getSeed()).size();
  Value seed = operand(op.getSeedMutable(), at);
  Value step = operand(op.getStepMutable(), at);
  Value offset;
  if (op.getOffset())
    offset = operand(*op.getOffsetMutable().begin(), at);
  IndexId position = indexSpace.constant(0);
  int64_t count = 1;
  for (auto [index, extent] :
       llvm::zip_equal(at.drop_front(batch), shape.drop_front(batch))) {
    position = indexSpace.add(indexSpace.scale(position, extent), index);
    count *= extent;
  }
  Value element = indexAs(position, builder.getI64Type());

  enterScopeOf(indexSpace.loopsOf(at));
  Type i64 = builder.getI64Type();
  Type word = builder.getIntegerType(32, /*isSigned=*/false);
  bool wide = op.getType().getElementType().isInteger(64);
  auto number = [&](int64_t value) { return constant(builder, i64, value); };
  if (offset)
    element = AddOp::create(builder, element,
                            MulOp::create(builder, offset, number(count)));
  // Words 2e and 2e + 1, or word e, of the stream: four words a block.
  Value perBlock = number(wide ? 1 : 2);
  Value block = ConvertOp::create(
      builder, word, ShiftRightLogicalOp::create(builder, element, perBlock));
  PhiloxStream stream{seed, step, constant(builder, word, *op.getSite())};
  ResultRange words = stream.block(builder, block);
  auto bit = [&](int64_t mask) -> Value {
    Value bits = AndOp::create(builder, element, number(mask));
    return CompareOp::create(builder, ComparePredicate::ne, bits, number(0));
  };
  auto pick = [&](Value which, Value onTrue, Value onFalse) -> Value {
    return SelectOp::create(builder, onTrue.getType(), which, onTrue, onFalse);
  };
  Value odd = bit(1);
  if (!wide)
    return pick(bit(2), pick(odd, words[3], words[2]),
                pick(odd, words[1], words[0]));
  Value low = ConvertOp::create(builder, i64, pick(odd, words[2], words[0]));
  Value high = ConvertOp::create(builder, i64, pick(odd, words[3], words[1]));
  return OrOp::create(builder, low,
                      ShiftLeftOp::create(builder, high, number(32)));
}
