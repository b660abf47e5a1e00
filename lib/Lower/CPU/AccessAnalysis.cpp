//===- AccessAnalysis.cpp - How a body depends on its indices -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessAnalysis.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ensc::cpu;

uint64_t AccessAnalysis::dependsOn(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &block_
               ? uint64_t(1) << argument.getArgNumber()
               : 0;
  Operation *op = value.getDefiningOp();
  if (!block_.getParent()->isAncestor(op->getParentRegion()))
    return 0;
  auto known = masks_.find(value);
  if (known != masks_.end())
    return known->second;
  uint64_t mask = dependsOn(op);
  masks_[value] = mask;
  return mask;
}

uint64_t AccessAnalysis::dependsOn(Operation *op) {
  uint64_t mask = 0;
  for (Value operand : op->getOperands())
    mask |= dependsOn(operand);
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      mask |= dependsOn(&inner);
  return mask;
}

static LinearForm scaled(LinearForm form, int64_t factor) {
  for (int64_t &coefficient : form.coefficients)
    coefficient *= factor;
  return form;
}

LinearForm AccessAnalysis::linearForm(Value index) {
  LinearForm form;
  form.coefficients.assign(block_.getNumArguments(), 0);
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    if (argument.getOwner() == &block_)
      form.coefficients[argument.getArgNumber()] = 1;
    return form;
  }
  uint64_t mask = dependsOn(index);
  if (mask == 0)
    return form;
  Operation *op = index.getDefiningOp();
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    LinearForm a = linearForm(op->getOperand(0));
    LinearForm b =
        scaled(linearForm(op->getOperand(1)), isa<arith::AddIOp>(op) ? 1 : -1);
    for (auto [sum, other] : llvm::zip(a.coefficients, b.coefficients))
      sum += other;
    a.nonlinear |= b.nonlinear;
    return a;
  }
  APInt factor;
  if (isa<arith::MulIOp>(op)) {
    if (matchPattern(op->getOperand(1), m_ConstantInt(&factor)))
      return scaled(linearForm(op->getOperand(0)), factor.getSExtValue());
    if (matchPattern(op->getOperand(0), m_ConstantInt(&factor)))
      return scaled(linearForm(op->getOperand(1)), factor.getSExtValue());
  }
  form.nonlinear = mask;
  return form;
}

std::optional<int64_t> AccessAnalysis::strideOf(MemRefType type,
                                                ValueRange indices,
                                                unsigned argument) {
  int64_t stride = 0, extent = 1;
  for (int64_t dim = indices.size() - 1; dim >= 0; --dim) {
    LinearForm form = linearForm(indices[dim]);
    if (form.nonlinear >> argument & 1)
      return std::nullopt;
    stride += form.coefficients[argument] * extent;
    extent *= type.getDimSize(dim);
  }
  return stride;
}

int64_t ensc::cpu::weightOf(Block &block) {
  int64_t weight = 0;
  block.walk([&](Operation *op) {
    if (isa<ens::PowOp, ens::ErfInvOp>(op))
      weight += 100;
    else if (isa<ens::PhiloxOp>(op))
      weight += 80;
    else if (isa<ens::ExpOp, ens::LogOp, ens::Log1pOp, ens::Expm1Op,
                 ens::TanhOp, ens::LogisticOp, ens::ErfOp, ens::SinOp,
                 ens::CosOp>(op))
      weight += 30;
    else if (isa<ens::FoldOp>(op))
      weight += 48;
    else if (!isa<arith::ConstantOp>(op) &&
             !op->hasTrait<OpTrait::IsTerminator>())
      weight += 1;
  });
  return weight;
}

SmallVector<Access> ensc::cpu::accessesIn(Block &block) {
  SmallVector<Access> accesses;
  block.walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      accesses.push_back({op, load.getMemRefType(), load.getIndices(), false});
    if (auto store = dyn_cast<memref::StoreOp>(op))
      accesses.push_back({op, store.getMemRefType(), store.getIndices(), true});
  });
  return accesses;
}
