//===- Rules.cpp - What the run rules are made of -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

RankedTensorType ensc::typeForRuns(Type type, int64_t runs) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return RankedTensorType::get({runs}, type);
  return tensor.clone(prependDim(runs, tensor.getShape()));
}

Value ensc::bringToRuns(OpBuilder &builder, Location loc, Value uniform,
                        int64_t runs) {
  if (!isa<RankedTensorType>(uniform.getType()))
    uniform = tensor::FromElementsOp::create(
        builder, loc, RankedTensorType::get({}, uniform.getType()), uniform);
  auto type = cast<RankedTensorType>(uniform.getType());
  auto dims = llvm::to_vector(llvm::seq<int64_t>(1, type.getRank() + 1));
  return BroadcastOp::create(builder, loc, typeForRuns(type, runs), uniform,
                             dims, /*runs=*/true);
}

SmallVector<int64_t> ensc::shiftDims(ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [](int64_t dim) { return dim + 1; });
}

SmallVector<int64_t> ensc::prependDim(int64_t first,
                                      ArrayRef<int64_t> entries) {
  SmallVector<int64_t> all = {first};
  llvm::append_range(all, entries);
  return all;
}

Operation *ensc::copyForRuns(OpBuilder &builder, Operation *op,
                             ArrayRef<Value> operands,
                             const llvm::BitVector &varying, int64_t runs) {
  IRMapping mapping;
  for (auto [index, original] : llvm::enumerate(op->getOperands()))
    mapping.map(original, varying[index] ? operands[index]
                                         : bringToRuns(builder, op->getLoc(),
                                                       operands[index], runs));
  Operation *copy = builder.clone(*op, mapping);
  for (OpResult result : copy->getResults())
    result.setType(typeForRuns(result.getType(), runs));
  return copy;
}

void ensc::registerRunRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, EnsDialect *) {
    attachElementwiseRunRules(context);
    attachShapeRunRules(context);
    attachContractionRunRules(context);
    attachIndexingRunRules(context);
    attachRandomRunRules(context);
  });
}
