//===- Contraction.cpp - Derivatives of dot and reduce --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

//===----------------------------------------------------------------------===//
// dot
//===----------------------------------------------------------------------===//

namespace {
/// One side of a dot: its dimensions by what becomes of them.
struct Side {
  Value value;
  SmallVector<int64_t> batch, contract, free;

  Side(Value value, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract)
      : value(value), batch(batch), contract(contract) {
    SmallVector<int64_t> bound(batch);
    llvm::append_range(bound, contract);
    free = otherDims(tensorType(value).getRank(), bound);
  }
};
} // namespace

/// For each dimension of `dims`, the position it takes when they are sorted, as
/// the list of the positions in sorted order.
static SmallVector<int64_t> sortedPositions(ArrayRef<int64_t> dims) {
  SmallVector<int64_t> positions = dimRange(0, dims.size());
  llvm::sort(positions,
             [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
  return positions;
}

/// The cotangent of `side`, whose free dimensions are those of `cotangent` that
/// begin at `sideFree`; those of the `other` side begin at `otherFree`.
///
/// It is a dot over the free dimensions of the other side. Both orders of its
/// operands are tried, since one of them often needs no transpose.
static Value sideCotangent(RuleBuilder &b, const Side &side, const Side &other,
                           Value cotangent, int64_t sideFree,
                           int64_t otherFree) {
  SmallVector<int64_t> batch = dimRange(0, side.batch.size());
  SmallVector<int64_t> summed =
      dimRange(otherFree, otherFree + other.free.size());
  // The other side's contracted dimensions become free: they appear ascending,
  // and each stands for the dimension of this side that it was paired with.
  SmallVector<int64_t> paired;
  for (int64_t position : sortedPositions(other.contract))
    paired.push_back(side.contract[position]);

  // Which dimension of this side each dimension of the dot is.
  SmallVector<int64_t> cotangentFirst(side.batch), otherFirst(side.batch);
  llvm::append_range(cotangentFirst, side.free);
  llvm::append_range(cotangentFirst, paired);
  llvm::append_range(otherFirst, paired);
  llvm::append_range(otherFirst, side.free);

  if (llvm::is_sorted(otherFirst) && !llvm::is_sorted(cotangentFirst))
    return DotOp::create(b, other.value, cotangent, other.batch, batch,
                         other.free, summed);
  Value product = DotOp::create(b, cotangent, other.value, batch, other.batch,
                                summed, other.free);
  return b.transpose(product, sortedPositions(cotangentFirst));
}

namespace {
struct DotRule {
  using Op = DotOp;

  static Value dot(RuleBuilder &b, DotOp op, Value lhs, Value rhs) {
    return DotOp::create(b, lhs, rhs, op.getLhsBatch(), op.getRhsBatch(),
                         op.getLhsContract(), op.getRhsContract());
  }

  static void jvp(RuleBuilder &b, DotOp op, ArrayRef<Value> tangents,
                  Values &results) {
    Value sum;
    if (tangents[0])
      sum = dot(b, op, tangents[0], op.getRhs());
    if (tangents[1])
      sum = b.accumulate(sum, dot(b, op, op.getLhs(), tangents[1]));
    results.push_back(sum);
  }

  static void vjp(RuleBuilder &b, DotOp op, Value cotangent,
                  const BitVector &active, Values &results) {
    Side lhs(op.getLhs(), op.getLhsBatch(), op.getLhsContract());
    Side rhs(op.getRhs(), op.getRhsBatch(), op.getRhsContract());
    int64_t lhsFree = lhs.batch.size();
    int64_t rhsFree = lhsFree + lhs.free.size();
    results.push_back(
        active[0] ? sideCotangent(b, lhs, rhs, cotangent, lhsFree, rhsFree)
                  : Value());
    results.push_back(
        active[1] ? sideCotangent(b, rhs, lhs, cotangent, rhsFree, lhsFree)
                  : Value());
  }
};

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// Where the elements of max or min are that win, and how many they are.
struct Winners {
  Value mask, count;
  SmallVector<int64_t> kept;

  Winners(RuleBuilder &b, ReduceOp op) {
    auto type = tensorType(op.getX());
    kept = otherDims(type.getRank(), op.getDims());
    Value extremum = b.broadcast(op.getResult(), type, kept);
    mask = b.compare(ComparePredicate::eq, op.getX(), extremum);
    count = b.sum(ConvertOp::create(b, type, mask), op.getDims());
  }
};

struct ReduceRule {
  using Op = ReduceOp;

  static void jvp(RuleBuilder &b, ReduceOp op, ArrayRef<Value> tangents,
                  Values &results) {
    Value tangent = tangents[0];
    if (!tangent)
      return results.push_back(Value());
    if (op.getKind() == ReduceKind::sum)
      return results.push_back(b.sum(tangent, op.getDims()));
    // Divided before the sum, as in reverse mode, so that no winner (NaN) gives
    // 0 in both.
    Winners winners(b, op);
    Value count = b.broadcast(winners.count, tangent.getType(), winners.kept);
    results.push_back(
        b.sum(b.keep(winners.mask, b.div(tangent, count)), op.getDims()));
  }

  static void vjp(RuleBuilder &b, ReduceOp op, Value cotangent,
                  const BitVector &, Values &results) {
    auto type = tensorType(op.getX());
    SmallVector<int64_t> kept = otherDims(type.getRank(), op.getDims());
    if (op.getKind() == ReduceKind::sum)
      return results.push_back(b.broadcast(cotangent, type, kept));
    Winners winners(b, op);
    Value share = b.broadcast(b.div(cotangent, winners.count), type, kept);
    results.push_back(b.keep(winners.mask, share));
  }
};
} // namespace

void ensc::attachContractionRules(MLIRContext *context) {
  attachRules<DotRule, ReduceRule>(context);
}
