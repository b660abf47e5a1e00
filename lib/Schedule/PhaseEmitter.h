//===- PhaseEmitter.h - From a block of tensor ops to phases ----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SCHEDULE_PHASEEMITTER_H
#define ENSC_LIB_SCHEDULE_PHASEEMITTER_H

#include "BufferPlan.h"
#include "ScalarEmitter.h"
#include "Storage.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ensc::schedule {

/// Emits the phase program of one instance. Buffers are `memref.alloc` ops at
/// the start of the block whose values they hold.
class PhaseEmitter {
public:
  /// `isVarying` tells which values lead with the lanes.
  PhaseEmitter(mlir::OpBuilder builder,
               std::function<bool(mlir::Value)> isVarying)
      : builder(std::move(builder)), isVarying(std::move(isVarying)) {}

  Storage &storage() { return values; }

  /// The builder at the place where the next phase goes.
  mlir::OpBuilder &at() { return builder; }

  /// Emits the block's phases at the builder's insertion point; its arguments
  /// are in `storage` already. `isWritable` tells which of them may be
  /// overwritten. `results` receives the memory of the terminator's tensors.
  /// Fails after an error at an op that has no phases.
  mlir::LogicalResult
  emitBlock(mlir::Block &block,
            llvm::function_ref<bool(mlir::BlockArgument)> isWritable,
            llvm::SmallVectorImpl<Memory> *results);

  /// A new buffer for a tensor.
  Memory allocate(mlir::Location loc, mlir::RankedTensorType type, bool lanes);
  void copy(mlir::Location loc, const Memory &from, const Memory &to);

private:
  /// A block on its way.
  struct Frame {
    FusionPlan &plan;
    BufferPlan &buffers;
    llvm::SmallVector<Memory> memory;

    const Memory &memoryOf(const Store &store) const {
      return memory[store.owner ? *buffers.of(*store.owner)
                                : *buffers.of(store.value)];
    }
  };

  mlir::LogicalResult emitNode(Frame &frame, const Node &node);
  void emitMap(Frame &frame, const Node &node);
  void emitContract(Frame &frame, const Node &node);
  void emitStores(Frame &frame, const Node &node, ScalarEmitter &scalars);
  void emitUpdate(Frame &frame, const Node &node);
  void emitPermutation(Frame &frame, const Node &node);
  void emitExchanges(ens::PermutationOp op, const Memory &order,
                     int64_t topBlock, int64_t blocks, int64_t words);
  mlir::LogicalResult emitLoop(Frame &frame, const Node &node);
  mlir::LogicalResult emitBranch(Frame &frame, const Node &node);
  void emitYields(Frame &frame, mlir::scf::ForOp loop);
  void emitControl(mlir::Block &block);
  Memory resultOf(Frame &frame, mlir::OpOperand &operand);
  void assign(Frame &frame, mlir::OpOperand &operand, const Memory &to);

  /// A map over a tensor's elements.
  ens::MapOp createMap(mlir::Location loc, llvm::ArrayRef<int64_t> domain,
                       bool lanes, bool sequential = false);

  mlir::OpBuilder builder;
  std::function<bool(mlir::Value)> isVarying;
  Storage values;
};

} // namespace ensc::schedule

#endif // ENSC_LIB_SCHEDULE_PHASEEMITTER_H
