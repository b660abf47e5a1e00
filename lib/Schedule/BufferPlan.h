//===- BufferPlan.h - Which values share a buffer ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SCHEDULE_BUFFERPLAN_H
#define ENSC_LIB_SCHEDULE_BUFFERPLAN_H

#include "FusionPlan.h"

#include <optional>

namespace ensc::schedule {

using BufferId = unsigned;

/// The buffers of one block. Updates work in place where the order of nodes can
/// be, and then is, such that nobody misses the old value: a loop takes over
/// the buffer of an initial value, and what a loop carries is overwritten by
/// the next iteration's value as it is computed.
class BufferPlan {
public:
  /// `isWritable` tells which arguments of the block live in a buffer of their
  /// own. Adds to the order of `plan`.
  BufferPlan(FusionPlan &plan,
             llvm::function_ref<bool(mlir::BlockArgument)> isWritable);

  struct Buffer {
    /// The values that live there one after the other.
    llvm::SmallVector<mlir::Value> values;
    /// The nodes that write it.
    llvm::SmallVector<NodeId> writers;
    /// The argument of the block whose buffer it is.
    mlir::BlockArgument argument;
    bool writable = true;
    mlir::RankedTensorType type = {};
    bool lanes = false;
  };

  /// The buffer of a value of the block, or none: it is never stored, or it
  /// comes from outside.
  std::optional<BufferId> of(mlir::Value value) const;
  /// The buffer a Buffer use reads.
  std::optional<BufferId> of(mlir::OpOperand &operand) const;

  /// Whether the initial value of a loop, the operand of an update or what a
  /// loop yields has to be copied to where it is wanted.
  bool isCopied(mlir::OpOperand &operand) const {
    return copied.contains(&operand);
  }

  llvm::ArrayRef<Buffer> buffers() const { return all; }

private:
  void addBuffers(llvm::function_ref<bool(mlir::BlockArgument)> isWritable);
  void takeOver(mlir::OpOperand &operand, NodeId node, mlir::Value result);
  void overwriteCarried(mlir::OpOperand &yielded, mlir::BlockArgument carried);
  bool mayOverwrite(BufferId buffer, NodeId writer,
                    mlir::OpOperand *consumed) const;
  void orderOverwrite(BufferId buffer, NodeId writer);
  void merge(BufferId from, BufferId into);

  FusionPlan &plan;
  llvm::SmallVector<Buffer> all;
  llvm::DenseMap<mlir::Value, BufferId> ofValue;
  llvm::DenseMap<mlir::OpOperand *, BufferId> ofOperand;
  llvm::DenseSet<mlir::OpOperand *> copied;
};

} // namespace ensc::schedule

#endif // ENSC_LIB_SCHEDULE_BUFFERPLAN_H
