//===- EvaluateEnsOp.cpp - Ops of ens in the interpreter ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EvaluateOp.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Reference/Ops.h"
#include "ensc/Reference/TensorConversion.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace ensc;
using namespace ensc::reference;

namespace {
using Operands = llvm::ArrayRef<Tensor>;
using Result = Expected<Tensor>;

std::optional<UnaryKind> unaryKind(mlir::Operation *op) {
  using Kind = std::optional<UnaryKind>;
  return llvm::TypeSwitch<mlir::Operation *, Kind>(op)
      .Case([](ens::NegOp) { return UnaryKind::Neg; })
      .Case([](ens::AbsOp) { return UnaryKind::Abs; })
      .Case([](ens::SignOp) { return UnaryKind::Sign; })
      .Case([](ens::NotOp) { return UnaryKind::Not; })
      .Case([](ens::ExpOp) { return UnaryKind::Exp; })
      .Case([](ens::LogOp) { return UnaryKind::Log; })
      .Case([](ens::Log1pOp) { return UnaryKind::Log1p; })
      .Case([](ens::Expm1Op) { return UnaryKind::Expm1; })
      .Case([](ens::SqrtOp) { return UnaryKind::Sqrt; })
      .Case([](ens::RsqrtOp) { return UnaryKind::Rsqrt; })
      .Case([](ens::TanhOp) { return UnaryKind::Tanh; })
      .Case([](ens::LogisticOp) { return UnaryKind::Logistic; })
      .Case([](ens::ErfOp) { return UnaryKind::Erf; })
      .Case([](ens::ErfInvOp) { return UnaryKind::ErfInv; })
      .Case([](ens::SinOp) { return UnaryKind::Sin; })
      .Case([](ens::CosOp) { return UnaryKind::Cos; })
      .Case([](ens::FloorOp) { return UnaryKind::Floor; })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

std::optional<BinaryKind> binaryKind(mlir::Operation *op) {
  using Kind = std::optional<BinaryKind>;
  return llvm::TypeSwitch<mlir::Operation *, Kind>(op)
      .Case([](ens::AddOp) { return BinaryKind::Add; })
      .Case([](ens::SubOp) { return BinaryKind::Sub; })
      .Case([](ens::MulOp) { return BinaryKind::Mul; })
      .Case([](ens::MulHighOp) { return BinaryKind::MulHigh; })
      .Case([](ens::DivOp) { return BinaryKind::Div; })
      .Case([](ens::PowOp) { return BinaryKind::Pow; })
      .Case([](ens::MaxOp) { return BinaryKind::Max; })
      .Case([](ens::MinOp) { return BinaryKind::Min; })
      .Case([](ens::AndOp) { return BinaryKind::And; })
      .Case([](ens::OrOp) { return BinaryKind::Or; })
      .Case([](ens::XorOp) { return BinaryKind::Xor; })
      .Case([](ens::ShiftLeftOp) { return BinaryKind::ShiftLeft; })
      .Case([](ens::ShiftRightLogicalOp) {
        return BinaryKind::ShiftRightLogical;
      })
      .Case([](ens::ShiftRightArithmeticOp) {
        return BinaryKind::ShiftRightArithmetic;
      })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

ComparePredicate toPredicate(ens::ComparePredicate predicate) {
  switch (predicate) {
  case ens::ComparePredicate::eq:
    return ComparePredicate::Eq;
  case ens::ComparePredicate::ne:
    return ComparePredicate::Ne;
  case ens::ComparePredicate::lt:
    return ComparePredicate::Lt;
  case ens::ComparePredicate::le:
    return ComparePredicate::Le;
  case ens::ComparePredicate::gt:
    return ComparePredicate::Gt;
  case ens::ComparePredicate::ge:
    return ComparePredicate::Ge;
  }
  llvm_unreachable("unknown comparison");
}

ReduceKind toReduceKind(ens::ReduceKind kind) {
  switch (kind) {
  case ens::ReduceKind::sum:
    return ReduceKind::Sum;
  case ens::ReduceKind::max:
    return ReduceKind::Max;
  case ens::ReduceKind::min:
    return ReduceKind::Min;
  }
  llvm_unreachable("unknown reduction");
}

Shape shapeOf(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type ? type.getShape().vec() : Shape();
}

DType dtypeOfValue(mlir::Value value) {
  return *toDType(mlir::getElementTypeOrSelf(value.getType()));
}

std::vector<int64_t> toVector(llvm::ArrayRef<int64_t> values) {
  return values.vec();
}

Result evaluateRngBits(ens::RngBitsOp op, Operands operands) {
  if (!op.getSite())
    return errorAt(op, ErrorKind::InvalidModel,
                   "has no site to draw from; run Expand, which numbers the "
                   "sites of the module");
  std::optional<Tensor> offset;
  if (op.getOffset())
    offset = operands[2];
  return rngBits(operands[0], operands[1], offset,
                 static_cast<uint32_t>(*op.getSite()),
                 dtypeOfValue(op.getResult()), shapeOf(op.getResult()));
}

Result evaluateRunId(ens::RunIdOp op, const RunContext &context) {
  Shape shape = shapeOf(op.getResult());
  if (numElements(shape) != static_cast<int64_t>(context.runIds.size()))
    return errorAt(op, ErrorKind::InvalidArgument,
                   "asks for " + std::to_string(numElements(shape)) +
                       " run ids, but the call stands for " +
                       std::to_string(context.runIds.size()) + " runs");
  return Tensor::of(shape, context.runIds);
}

Result evaluateScatter(ens::ScatterOp op, Operands operands) {
  ScatterOptions options;
  options.kind = op.getKind() == ens::ScatterKind::add ? ScatterKind::Add
                                                       : ScatterKind::Set;
  options.mode = op.getMode() == ens::ScatterMode::clamp ? ScatterMode::Clamp
                                                         : ScatterMode::Drop;
  options.axis = op.getAxis();
  options.batchDims = op.getBatchDims();
  return scatter(operands[0], operands[1], operands[2], options);
}

// Each family of ops gives a result, or nothing for the op of another family.
using Evaluated = std::optional<Result>;

Evaluated evaluateElementwise(mlir::Operation *op, Operands operands) {
  if (std::optional<UnaryKind> kind = unaryKind(op))
    return unary(*kind, operands[0]);
  if (std::optional<BinaryKind> kind = binaryKind(op))
    return binary(*kind, operands[0], operands[1]);
  return llvm::TypeSwitch<mlir::Operation *, Evaluated>(op)
      .Case([&](ens::CompareOp compareOp) {
        return compare(toPredicate(compareOp.getPredicate()), operands[0],
                       operands[1]);
      })
      .Case([&](ens::SelectOp) {
        return select(operands[0], operands[1], operands[2]);
      })
      .Case([&](ens::ClampOp) {
        return clamp(operands[0], operands[1], operands[2]);
      })
      .Case([&](ens::ConvertOp convertOp) {
        return convert(operands[0], dtypeOfValue(convertOp.getResult()));
      })
      .Case([&](ens::BitcastOp bitcastOp) {
        return bitcast(operands[0], dtypeOfValue(bitcastOp.getResult()));
      })
      .Case([&](ens::StopGradientOp) { return operands[0]; })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

Evaluated evaluateShape(mlir::Operation *op, Operands operands) {
  return llvm::TypeSwitch<mlir::Operation *, Evaluated>(op)
      .Case([&](ens::ConstantOp constant) {
        return toTensor(constant.getValue());
      })
      .Case([&](ens::IotaOp iotaOp) {
        return iota(dtypeOfValue(iotaOp.getResult()),
                    shapeOf(iotaOp.getResult()), iotaOp.getDim());
      })
      // An index is an i64 scalar already.
      .Case([&](ens::FromIndexOp) { return operands[0]; })
      .Case([&](ens::BroadcastOp broadcastOp) {
        return broadcast(operands[0], shapeOf(broadcastOp.getResult()),
                         toVector(broadcastOp.getDims()));
      })
      .Case([&](ens::ReshapeOp reshape) {
        return operands[0].reshaped(shapeOf(reshape.getResult()));
      })
      .Case([&](ens::TransposeOp transposeOp) {
        return transpose(operands[0], toVector(transposeOp.getPermutation()));
      })
      .Case([&](ens::ReverseOp reverseOp) {
        return reverse(operands[0], toVector(reverseOp.getDims()));
      })
      .Case([&](ens::SliceOp sliceOp) {
        return slice(operands[0], toVector(sliceOp.getStarts()),
                     toVector(sliceOp.getLimits()),
                     toVector(sliceOp.getStrides()));
      })
      .Case([&](ens::DynamicSliceOp sliceOp) {
        return dynamicSlice(operands[0], operands.drop_front(1).vec(),
                            toVector(sliceOp.getSizes()),
                            sliceOp.getBatchDims());
      })
      .Case([&](ens::DynamicUpdateSliceOp update) {
        return dynamicUpdateSlice(operands[0], operands[1],
                                  operands.drop_front(2).vec(),
                                  update.getBatchDims());
      })
      .Case([&](ens::ConcatOp concatOp) {
        return concat(operands.vec(), concatOp.getDim());
      })
      .Case([&](ens::PadOp padOp) {
        PadAmounts amounts = {toVector(padOp.getLow()),
                              toVector(padOp.getHigh()),
                              toVector(padOp.getInterior())};
        return pad(operands[0], operands[1], amounts, padOp.getBatchDims());
      })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

Evaluated evaluateContraction(mlir::Operation *op, Operands operands) {
  return llvm::TypeSwitch<mlir::Operation *, Evaluated>(op)
      .Case([&](ens::DotOp dotOp) {
        DotDims dims = {
            toVector(dotOp.getLhsBatch()), toVector(dotOp.getRhsBatch()),
            toVector(dotOp.getLhsContract()), toVector(dotOp.getRhsContract())};
        return dot(operands[0], operands[1], dims);
      })
      .Case([&](ens::ReduceOp reduceOp) {
        return reduce(toReduceKind(reduceOp.getKind()), operands[0],
                      toVector(reduceOp.getDims()));
      })
      .Case([&](ens::ArgReduceOp argReduceOp) {
        bool isMax = argReduceOp.getKind() == ens::ArgReduceKind::max;
        return argReduce(isMax ? ArgReduceKind::Max : ArgReduceKind::Min,
                         operands[0], argReduceOp.getDim());
      })
      .Case([&](ens::GatherOp gatherOp) {
        bool clamps = gatherOp.getMode() == ens::GatherMode::clamp;
        return gather(operands[0], operands[1], gatherOp.getAxis(),
                      gatherOp.getBatchDims(),
                      clamps ? GatherMode::Clamp : GatherMode::Fill);
      })
      .Case([&](ens::ScatterOp scatterOp) {
        return evaluateScatter(scatterOp, operands);
      })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

Evaluated evaluateRandom(mlir::Operation *op, Operands operands,
                         const RunContext &context) {
  return llvm::TypeSwitch<mlir::Operation *, Evaluated>(op)
      .Case(
          [&](ens::RngBitsOp bits) { return evaluateRngBits(bits, operands); })
      .Case([&](ens::PermutationOp order) {
        return permutation(operands[0], operands[1], order.getSize());
      })
      .Case([&](ens::RunIdOp runId) { return evaluateRunId(runId, context); })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

} // namespace

Expected<Tensor> ensc::reference::evaluateEnsOp(mlir::Operation *op,
                                                Operands operands,
                                                const RunContext &context) {
  if (Evaluated result = evaluateElementwise(op, operands))
    return *result;
  if (Evaluated result = evaluateShape(op, operands))
    return *result;
  if (Evaluated result = evaluateContraction(op, operands))
    return *result;
  if (Evaluated result = evaluateRandom(op, operands, context))
    return *result;
  return unknownOp(op);
}
