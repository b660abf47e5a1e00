//===- EvaluateScalarOp.cpp - Index arithmetic in the interpreter ---------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EvaluateOp.h"
#include "Index.h"
#include "ensc/Reference/Elementwise.h"
#include "ensc/Reference/TensorConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace ensc;
using namespace ensc::reference;

namespace {
using Operands = llvm::ArrayRef<Tensor>;
using Result = Expected<Tensor>;

/// The value of an integer scalar, sign-extended; an i1 is 0 or 1.
int64_t signedValue(const Tensor &scalar) {
  return convert(scalar, DType::I64).data<int64_t>()[0];
}

/// The same bits zero-extended.
uint64_t unsignedValue(const Tensor &scalar) {
  if (scalar.dtype() == DType::I32)
    return static_cast<uint32_t>(scalar.data<int32_t>()[0]);
  return static_cast<uint64_t>(signedValue(scalar));
}

/// The scalar of the op's result type with the low bits of `value`.
Tensor scalarResult(mlir::Operation *op, uint64_t value) {
  DType dtype = *toDType(op->getResult(0).getType());
  if (dtype == DType::I1)
    return Tensor::scalar<bool>(value & 1);
  return convert(Tensor::scalar(static_cast<int64_t>(value)), dtype);
}

bool holds(mlir::arith::CmpIPredicate predicate, const Tensor &lhs,
           const Tensor &rhs) {
  // An i1 is -1 or 0 when it counts as signed.
  int64_t sign = lhs.dtype() == DType::I1 ? -1 : 1;
  int64_t a = sign * signedValue(lhs), b = sign * signedValue(rhs);
  uint64_t unsignedA = unsignedValue(lhs), unsignedB = unsignedValue(rhs);
  switch (predicate) {
  case mlir::arith::CmpIPredicate::eq:
    return a == b;
  case mlir::arith::CmpIPredicate::ne:
    return a != b;
  case mlir::arith::CmpIPredicate::slt:
    return a < b;
  case mlir::arith::CmpIPredicate::sle:
    return a <= b;
  case mlir::arith::CmpIPredicate::sgt:
    return a > b;
  case mlir::arith::CmpIPredicate::sge:
    return a >= b;
  case mlir::arith::CmpIPredicate::ult:
    return unsignedA < unsignedB;
  case mlir::arith::CmpIPredicate::ule:
    return unsignedA <= unsignedB;
  case mlir::arith::CmpIPredicate::ugt:
    return unsignedA > unsignedB;
  case mlir::arith::CmpIPredicate::uge:
    return unsignedA >= unsignedB;
  }
  llvm_unreachable("unknown comparison");
}

/// The least integer by -1 wraps to itself.
Tensor evaluateDivision(mlir::Operation *op, int64_t a, int64_t b) {
  bool overflows = a == INT64_MIN && b == -1;
  int64_t quotient = b == 0 ? 0 : overflows ? a : a / b;
  int64_t remainder = b == 0 ? a : overflows ? 0 : a % b;
  bool isInexact = b != 0 && remainder != 0;
  bool isNegative = (a < 0) != (b < 0);
  if (llvm::isa<mlir::arith::RemSIOp>(op))
    return scalarResult(op, remainder);
  if (llvm::isa<mlir::arith::FloorDivSIOp>(op))
    return scalarResult(op, quotient - (isInexact && isNegative));
  if (llvm::isa<mlir::arith::CeilDivSIOp>(op))
    return scalarResult(op, quotient + (isInexact && !isNegative));
  return scalarResult(op, quotient);
}

Tensor evaluateUnsignedDivision(mlir::Operation *op, uint64_t a, uint64_t b) {
  uint64_t remainder = b == 0 ? a : a % b;
  if (llvm::isa<mlir::arith::RemUIOp>(op))
    return scalarResult(op, remainder);
  uint64_t quotient = b == 0 ? 0 : a / b;
  bool roundsUp =
      llvm::isa<mlir::arith::CeilDivUIOp>(op) && b != 0 && remainder != 0;
  return scalarResult(op, quotient + roundsUp);
}

/// The value of an op with two integer operands, if it is one that cannot fail.
std::optional<uint64_t> wrappingBinary(mlir::Operation *op, Operands operands) {
  using Value = std::optional<uint64_t>;
  uint64_t a = signedValue(operands[0]), b = signedValue(operands[1]);
  int64_t signedA = a, signedB = b;
  return llvm::TypeSwitch<mlir::Operation *, Value>(op)
      .Case([&](mlir::arith::AddIOp) { return a + b; })
      .Case([&](mlir::arith::SubIOp) { return a - b; })
      .Case([&](mlir::arith::MulIOp) { return a * b; })
      .Case([&](mlir::arith::AndIOp) { return a & b; })
      .Case([&](mlir::arith::OrIOp) { return a | b; })
      .Case([&](mlir::arith::XOrIOp) { return a ^ b; })
      .Case([&](mlir::arith::MaxSIOp) { return std::max(signedA, signedB); })
      .Case([&](mlir::arith::MinSIOp) { return std::min(signedA, signedB); })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

Result evaluateCast(mlir::Operation *op, const Tensor &operand) {
  bool isUnsigned =
      llvm::isa<mlir::arith::ExtUIOp, mlir::arith::IndexCastUIOp>(op);
  if (isUnsigned)
    return scalarResult(op, unsignedValue(operand));
  // Sign-extending an i1 gives -1.
  int64_t sign = operand.dtype() == DType::I1 ? -1 : 1;
  return scalarResult(op, sign * signedValue(operand));
}

Result extractElement(mlir::tensor::ExtractOp op, Operands operands) {
  const Tensor &source = operands[0];
  int64_t offset = 0;
  for (int64_t dim = 0; dim < source.rank(); ++dim) {
    int64_t index = signedValue(operands[dim + 1]);
    if (index < 0 || index >= source.shape()[dim])
      return errorAt(op, ErrorKind::InvalidModel,
                     "index " + std::to_string(index) + " is outside of [0, " +
                         std::to_string(source.shape()[dim]) + ")");
    offset = offset * source.shape()[dim] + index;
  }
  Tensor element = Tensor::zeros(source.dtype(), {});
  copyElement(element, 0, source, offset);
  return element;
}

Tensor fromElements(mlir::tensor::FromElementsOp op, Operands operands) {
  mlir::RankedTensorType type = op.getType();
  Tensor result =
      Tensor::zeros(*toDType(type.getElementType()), type.getShape().vec());
  for (int64_t i = 0, count = result.size(); i < count; ++i)
    copyElement(result, i, operands[i], 0);
  return result;
}

/// Whether all operands and results are scalars of integer or index type.
bool isOnIntegerScalars(mlir::Operation *op) {
  auto isInteger = [](mlir::Type type) {
    return type.isIntOrIndex() && toDType(type);
  };
  return op->getNumResults() == 1 &&
         llvm::all_of(op->getOperandTypes(), isInteger) &&
         llvm::all_of(op->getResultTypes(), isInteger);
}
} // namespace

Expected<Tensor> ensc::reference::evaluateScalarOp(mlir::Operation *op,
                                                   Operands operands) {
  if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op))
    return toTensor(constant.getValue());
  if (llvm::isa<mlir::arith::SelectOp>(op) && operands[0].rank() == 0)
    return operands[operands[0].data<bool>()[0] ? 1 : 2];
  if (auto extract = llvm::dyn_cast<mlir::tensor::ExtractOp>(op))
    return extractElement(extract, operands);
  if (auto elements = llvm::dyn_cast<mlir::tensor::FromElementsOp>(op))
    return fromElements(elements, operands);
  if (!isOnIntegerScalars(op))
    return unknownOp(op);

  return llvm::TypeSwitch<mlir::Operation *, Result>(op)
      .Case<mlir::arith::DivSIOp, mlir::arith::RemSIOp,
            mlir::arith::FloorDivSIOp, mlir::arith::CeilDivSIOp>([&](auto) {
        return evaluateDivision(op, signedValue(operands[0]),
                                signedValue(operands[1]));
      })
      .Case<mlir::arith::DivUIOp, mlir::arith::RemUIOp,
            mlir::arith::CeilDivUIOp>([&](auto) {
        return evaluateUnsignedDivision(op, unsignedValue(operands[0]),
                                        unsignedValue(operands[1]));
      })
      .Case([&](mlir::arith::CmpIOp compare) {
        return Tensor::scalar(
            holds(compare.getPredicate(), operands[0], operands[1]));
      })
      .Case<mlir::arith::IndexCastOp, mlir::arith::IndexCastUIOp,
            mlir::arith::ExtSIOp, mlir::arith::ExtUIOp, mlir::arith::TruncIOp>(
          [&](auto) { return evaluateCast(op, operands[0]); })
      .Default([&](mlir::Operation *) -> Result {
        if (operands.size() != 2)
          return unknownOp(op);
        if (std::optional<uint64_t> value = wrappingBinary(op, operands))
          return scalarResult(op, *value);
        return unknownOp(op);
      });
}
