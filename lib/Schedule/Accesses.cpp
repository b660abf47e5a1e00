//===- Accesses.cpp - Which elements of operands are needed ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;
using namespace ensc::schedule;

ArrayRef<int64_t> schedule::shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

Family schedule::familyOf(Operation *op) {
  return TypeSwitch<Operation *, Family>(op)
      .Case<ConstantOp, IotaOp, BroadcastOp, ReshapeOp, TransposeOp, ReverseOp,
            SliceOp, StopGradientOp, FromIndexOp, RunIdOp>(
          [](auto) { return Family::Free; })
      .Case<PadOp, ConcatOp, DynamicSliceOp, GatherOp, RngBitsOp>(
          [](auto) { return Family::Pointwise; })
      .Case<ReduceOp, ArgReduceOp>([](auto) { return Family::Reduction; })
      .Case([](DotOp) { return Family::Contraction; })
      .Case<ScatterOp, DynamicUpdateSliceOp>(
          [](auto) { return Family::Update; })
      .Case([](PermutationOp) { return Family::Permutation; })
      .Case([](scf::ForOp) { return Family::Loop; })
      .Case([](scf::IfOp) { return Family::Branch; })
      .Case([](tensor::ExtractOp extract) {
        // A predicate is read where its branch is.
        bool isPredicate = extract.getIndices().empty();
        for (Operation *user : extract->getUsers())
          isPredicate &=
              isa<scf::IfOp>(user) && user->getBlock() == extract->getBlock();
        return isPredicate ? Family::Predicate : Family::Unknown;
      })
      .Default([](Operation *other) {
        if (isa<arith::ArithDialect>(other->getDialect()))
          return Family::Control;
        return other->hasTrait<OpTrait::Elementwise>() ? Family::Pointwise
                                                       : Family::Unknown;
      });
}

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

namespace {
/// Dimensions of one shape that hold the elements of those of another.
struct DimGroup {
  ArrayRef<int64_t> from, to;
};
} // namespace

/// The finest partition of two shapes into groups of equally many elements.
static SmallVector<DimGroup> groupDims(ArrayRef<int64_t> from,
                                       ArrayRef<int64_t> to) {
  SmallVector<DimGroup> groups;
  while (!from.empty() && !to.empty()) {
    size_t taken = 1, given = 1;
    int64_t left = from[0], right = to[0];
    while (left != right) {
      bool growLeft = left < right;
      if (growLeft ? taken == from.size() : given == to.size()) {
        // Zero extents: nothing is ever read.
        groups.push_back({from, to});
        return groups;
      }
      (growLeft ? left : right) *= growLeft ? from[taken++] : to[given++];
    }
    groups.push_back({from.take_front(taken), to.take_front(given)});
    from = from.drop_front(taken);
    to = to.drop_front(given);
  }
  // What is left over has extents of 1, or follows an extent of zero.
  if (!from.empty() || !to.empty())
    groups.push_back({from, to});
  return groups;
}

/// Whether at most one extent differs from 1: then the position in the shape is
/// an index, and the other way round.
static bool isOneIndex(ArrayRef<int64_t> shape) {
  return llvm::count_if(shape, [](int64_t n) { return n != 1; }) <= 1;
}

bool schedule::isAffineReshape(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return llvm::all_of(groupDims(from, to), [](const DimGroup &group) {
    return group.from == group.to || isOneIndex(group.from);
  });
}

static Indices reshapeIndices(IndexSpace &space, ArrayRef<int64_t> from,
                              ArrayRef<int64_t> to, ArrayRef<IndexId> at) {
  Indices result;
  for (const DimGroup &group : groupDims(from, to)) {
    ArrayRef<IndexId> given = at.take_front(group.to.size());
    at = at.drop_front(group.to.size());
    if (group.from == group.to) {
      llvm::append_range(result, given);
      continue;
    }
    IndexId position = space.constant(0);
    for (auto [index, extent] : llvm::zip_equal(given, group.to))
      position = space.add(space.scale(position, extent), index);
    Indices reversed;
    for (int64_t extent : llvm::reverse(group.from)) {
      int64_t divisor = std::max<int64_t>(extent, 1);
      reversed.push_back(space.remainder(position, divisor));
      position = space.quotient(position, divisor);
    }
    result.append(reversed.rbegin(), reversed.rend());
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Windows and indexed access
//===----------------------------------------------------------------------===//

static Indices padIndices(IndexSpace &space, PadOp pad, unsigned operand,
                          ArrayRef<IndexId> at) {
  if (operand == 1)
    return Indices(at.take_front(pad.getBatchDims()));
  Indices result;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(pad.getX()))) {
    int64_t spread = pad.getInterior()[dim] + 1;
    IndexId shifted = space.add(at[dim], space.constant(-pad.getLow()[dim]));
    result.push_back(
        space.quotient(space.clamp(shifted, (extent - 1) * spread), spread));
  }
  return result;
}

static Indices concatIndices(IndexSpace &space, ConcatOp concat,
                             unsigned operand, ArrayRef<IndexId> at) {
  int64_t offset = 0;
  unsigned dim = concat.getDim();
  for (unsigned before = 0; before < operand; ++before)
    offset += shapeOf(concat.getOperand(before))[dim];
  Indices result(at);
  result[dim] = space.clamp(space.add(at[dim], space.constant(-offset)),
                            shapeOf(concat.getOperand(operand))[dim] - 1);
  return result;
}

static Indices windowIndices(IndexSpace &space, DynamicSliceOp slice,
                             unsigned operand, ArrayRef<IndexId> at) {
  unsigned batch = slice.getBatchDims();
  Indices result(at.take_front(batch));
  if (operand > 0)
    return result;
  for (auto [start, size, extent, index] : llvm::zip_equal(
           slice.getStarts(), slice.getSizes().take_back(at.size() - batch),
           shapeOf(slice.getX()).drop_front(batch), at.drop_front(batch))) {
    IndexId first = space.read(start, at.take_front(batch));
    result.push_back(space.add(space.clamp(first, extent - size), index));
  }
  return result;
}

static Indices gatherIndices(IndexSpace &space, GatherOp gather,
                             unsigned operand, ArrayRef<IndexId> at) {
  unsigned batch = gather.getBatchDims(), axis = gather.getAxis();
  unsigned picked = shapeOf(gather.getIndices()).size() - batch;
  Indices which(at.take_front(batch));
  llvm::append_range(which, at.slice(axis, picked));
  if (operand == 1)
    return which;
  Indices result(at.take_front(axis));
  result.push_back(space.clamp(space.read(gather.getIndices(), which),
                               shapeOf(gather.getX())[axis] - 1));
  llvm::append_range(result, at.drop_front(axis + picked));
  return result;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static Indices reverseIndices(IndexSpace &space, ReverseOp reverse,
                              ArrayRef<IndexId> at) {
  Indices result(at);
  for (int64_t dim : reverse.getDims())
    result[dim] = space.add(space.scale(at[dim], -1),
                            space.constant(shapeOf(reverse.getX())[dim] - 1));
  return result;
}

static Indices sliceIndices(IndexSpace &space, SliceOp slice,
                            ArrayRef<IndexId> at) {
  Indices result;
  for (auto [index, start, stride] :
       llvm::zip_equal(at, slice.getStarts(), slice.getStrides()))
    result.push_back(
        space.add(space.scale(index, stride), space.constant(start)));
  return result;
}

Indices schedule::operandIndices(IndexSpace &space, OpOperand &operand,
                                 ArrayRef<IndexId> at) {
  unsigned number = operand.getOperandNumber();
  return TypeSwitch<Operation *, Indices>(operand.getOwner())
      .Case([&](BroadcastOp op) {
        return llvm::map_to_vector<4>(op.getDims(),
                                      [&](int64_t dim) { return at[dim]; });
      })
      .Case([&](TransposeOp op) {
        Indices result(at);
        for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
          result[from] = at[dim];
        return result;
      })
      .Case([&](ReshapeOp op) {
        return reshapeIndices(space, shapeOf(op.getX()),
                              shapeOf(op.getResult()), at);
      })
      .Case([&](ReverseOp op) { return reverseIndices(space, op, at); })
      .Case([&](SliceOp op) { return sliceIndices(space, op, at); })
      .Case([&](PadOp op) { return padIndices(space, op, number, at); })
      .Case([&](ConcatOp op) { return concatIndices(space, op, number, at); })
      .Case([&](DynamicSliceOp op) {
        return windowIndices(space, op, number, at);
      })
      .Case([&](GatherOp op) { return gatherIndices(space, op, number, at); })
      .Case([&](RngBitsOp op) {
        return Indices(at.take_front(shapeOf(op.getSeed()).size()));
      })
      .Case([&](FromIndexOp) { return Indices(); })
      .Default([&](Operation *) { return Indices(at); });
}

SmallVector<int64_t> schedule::foldExtents(Operation *reduction) {
  ArrayRef<int64_t> shape = shapeOf(reduction->getOperand(0));
  if (auto arg = dyn_cast<ArgReduceOp>(reduction))
    return {shape[arg.getDim()]};
  return llvm::map_to_vector(cast<ReduceOp>(reduction).getDims(),
                             [&](int64_t dim) { return shape[dim]; });
}

Indices schedule::foldOperandIndices(Operation *reduction, ArrayRef<IndexId> at,
                                     ArrayRef<IndexId> fold) {
  SmallVector<int64_t> dims;
  if (auto arg = dyn_cast<ArgReduceOp>(reduction))
    dims = {static_cast<int64_t>(arg.getDim())};
  else
    llvm::append_range(dims, cast<ReduceOp>(reduction).getDims());
  Indices result;
  int64_t rank = shapeOf(reduction->getOperand(0)).size();
  for (int64_t dim = 0; dim < rank; ++dim) {
    ArrayRef<IndexId> &from = llvm::is_contained(dims, dim) ? fold : at;
    result.push_back(from.front());
    from = from.drop_front();
  }
  return result;
}

std::pair<Indices, Indices> schedule::factorIndices(Operation *op,
                                                    ArrayRef<IndexId> at,
                                                    ArrayRef<IndexId> over) {
  auto dot = cast<DotOp>(op);
  size_t batch = dot.getLhsBatch().size();
  ArrayRef<IndexId> free = at.drop_front(batch);
  auto place = [&](Value side, ArrayRef<int64_t> batchDims,
                   ArrayRef<int64_t> contracted) {
    Indices result;
    int64_t rank = shapeOf(side).size();
    for (int64_t dim = 0; dim < rank; ++dim) {
      const auto *inBatch = llvm::find(batchDims, dim);
      const auto *inOver = llvm::find(contracted, dim);
      if (inBatch != batchDims.end()) {
        result.push_back(at[inBatch - batchDims.begin()]);
      } else if (inOver != contracted.end()) {
        result.push_back(over[inOver - contracted.begin()]);
      } else {
        result.push_back(free.front());
        free = free.drop_front();
      }
    }
    return result;
  };
  Indices lhs = place(dot.getLhs(), dot.getLhsBatch(), dot.getLhsContract());
  Indices rhs = place(dot.getRhs(), dot.getRhsBatch(), dot.getRhsContract());
  return {std::move(lhs), std::move(rhs)};
}
