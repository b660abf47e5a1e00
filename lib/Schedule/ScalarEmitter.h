//===- ScalarEmitter.h - Elements of tensors as scalar ops ------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SCHEDULE_SCALAREMITTER_H
#define ENSC_LIB_SCHEDULE_SCALAREMITTER_H

#include "Accesses.h"
#include "Storage.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/DenseSet.h"

namespace ensc::schedule {

/// Emits the body of one phase. An element of a tensor is loaded if the tensor
/// is in memory, else computed from elements of the operands of its op; each
/// once, in the outermost fold that allows it.
class ScalarEmitter {
public:
  /// `body` is empty; its first arguments are the indices of the domain in the
  /// order of memory.
  ScalarEmitter(mlir::Location loc, const Storage &storage,
                llvm::ArrayRef<int64_t> domain, bool lanes, mlir::Block *body);

  IndexSpace &space() { return indexSpace; }

  /// Names the index values of further loops, which are not folds.
  void bind(IndexId index, mlir::Value value) { indexValues[index] = value; }
  /// Gives an element that is known already.
  void bind(mlir::Value tensor, llvm::ArrayRef<IndexId> at, mlir::Value scalar);

  /// The element of a tensor.
  mlir::Value emit(mlir::Value tensor, llvm::ArrayRef<IndexId> at);
  mlir::Value index(IndexId id);
  /// Says that this phase writes the tensor: its elements are computed.
  void own(mlir::Value tensor) { owned.insert(tensor); }
  /// An element of memory, as it is at the moment.
  mlir::Value load(const Memory &memory, llvm::ArrayRef<IndexId> at);
  /// Whether low <= index < high.
  mlir::Value isWithin(IndexId id, int64_t low, int64_t high);

  /// Writes an element, after all that has been emitted.
  void store(mlir::Value scalar, const Memory &memory,
             llvm::ArrayRef<IndexId> at);

  /// A builder at the end of the outermost scope.
  mlir::ImplicitLocOpBuilder &atEnd();

  /// A scalar constant of any element type.
  static mlir::Value constant(mlir::ImplicitLocOpBuilder &builder,
                              mlir::Type type, int64_t value);

private:
  /// A body that ops go to: that of the phase, then those of the folds around.
  struct Scope {
    mlir::Block *block;
    /// The op to insert before; null: the end.
    mlir::Operation *before;
    uint64_t loops;
  };

  void enterScopeOf(uint64_t loops);
  mlir::Value compute(mlir::Value tensor, llvm::ArrayRef<IndexId> at);
  mlir::Value computeIndex(IndexId id);
  mlir::Value operand(mlir::OpOperand &operand, llvm::ArrayRef<IndexId> at);
  mlir::Value indexAs(IndexId id, mlir::Type element);

  mlir::Value emitConstant(ens::ConstantOp op);
  mlir::Value emitElementwise(mlir::Operation *op, llvm::ArrayRef<IndexId> at);
  mlir::Value emitPad(ens::PadOp op, llvm::ArrayRef<IndexId> at);
  mlir::Value emitConcat(ens::ConcatOp op, llvm::ArrayRef<IndexId> at);
  mlir::Value emitGather(ens::GatherOp op, llvm::ArrayRef<IndexId> at);
  mlir::Value emitRngBits(ens::RngBitsOp op, llvm::ArrayRef<IndexId> at);
  mlir::Value emitFold(mlir::Operation *reduction, llvm::ArrayRef<IndexId> at);

  const Storage &storage;
  IndexSpace indexSpace;
  mlir::ImplicitLocOpBuilder builder;
  llvm::SmallVector<Scope> scopes;
  llvm::DenseMap<IndexId, mlir::Value> indexValues;
  llvm::DenseSet<mlir::Value> owned;
  std::map<std::pair<const void *, std::vector<int>>, mlir::Value> scalars;
};

/// The words of a Philox counter and key, from 64-bit numbers.
struct PhiloxStream {
  mlir::Value seed, step, site;

  /// Emits block `number`, a ui32: four words.
  mlir::ResultRange block(mlir::ImplicitLocOpBuilder &builder,
                          mlir::Value number) const;
};

} // namespace ensc::schedule

#endif // ENSC_LIB_SCHEDULE_SCALAREMITTER_H
