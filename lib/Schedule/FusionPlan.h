//===- FusionPlan.h - Which values share a phase, and their order -*- C++ -*-=//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plan of one block. Every tensor value is either stored, by one node of
// the plan, or computed where it is needed. A node becomes a phase, or a loop.
// Only the numbers of evaluations, loads and stores depend on the plan: any
// plan gives the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SCHEDULE_FUSIONPLAN_H
#define ENSC_LIB_SCHEDULE_FUSIONPLAN_H

#include "Accesses.h"

#include "mlir/IR/Block.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

#include <deque>
#include <functional>

namespace ensc::schedule {

using NodeId = unsigned;

/// How a node needs a value.
enum class UseKind {
  Point,  ///< one element at a time, at known indices
  Load,   ///< elements that must be cheap to come by: factors, captured values
  Buffer, ///< all of it, in memory
};

struct Use {
  NodeId node;
  UseKind kind;
  /// Of a Point use.
  Indices at = {};
  /// Of a Buffer use: the operand that needs it.
  mlir::OpOperand *operand = nullptr;
};

/// A value that a node stores: into the value's own buffer, or, if `owner` is
/// set, into one that only this operand uses.
struct Store {
  mlir::Value value;
  mlir::OpOperand *owner = nullptr;
};

struct Node {
  enum class Kind { Map, Contract, Update, Permutation, Loop, Branch, End };

  Node(Kind kind, mlir::Operation *op, llvm::ArrayRef<int64_t> domain,
       bool lanes)
      : kind(kind), op(op), domain(domain), lanes(lanes), space(domain) {}

  Kind kind;
  /// The contraction, update, permutation, loop, branch or terminator.
  mlir::Operation *op;
  /// Extents in the order of the stored tensors: the lanes first.
  llvm::SmallVector<int64_t> domain;
  bool lanes;
  bool hasFold = false;
  IndexSpace space;
  llvm::SmallVector<Store> stores;
  /// Nodes that run later.
  llvm::SetVector<NodeId> successors;
  /// Position in the block of the last op that the node stores.
  unsigned position = 0;
};

/// The plan of one block, before buffers are assigned.
class FusionPlan {
public:
  /// `isVarying` tells which values lead with the lanes; nothing does in a solo
  /// instance.
  FusionPlan(mlir::Block &block, std::function<bool(mlir::Value)> isVarying);

  /// The first op that this phase does not know, if there is one.
  mlir::Operation *unknownOp() const { return unknown; }

  static constexpr NodeId end = 0;

  const Node &node(NodeId id) const { return nodes[id]; }
  size_t size() const { return nodes.size(); }
  mlir::Block &block() const { return body; }
  bool isLanes(mlir::Value value) const { return isVarying(value); }

  /// The node that stores a value, or none.
  std::optional<NodeId> writer(mlir::Value value) const;
  llvm::ArrayRef<Use> usesOf(mlir::Value value) const;

  /// Whether `later` must run after `earlier`.
  bool precedes(NodeId earlier, NodeId later) const;
  /// Demands that `earlier` runs before `later`.
  void order(NodeId earlier, NodeId later);

  /// Whether a use reads, at each point of its node, the element at that point.
  bool isPointwise(const Use &use) const;

  /// All nodes but the end, each after those that must precede it, in program
  /// order where there is a choice.
  llvm::SmallVector<NodeId> schedule() const;

private:
  void visit(mlir::Operation *op);
  void visitFree(mlir::Operation *op);
  void visitComputed(mlir::Operation *op);
  void visitContraction(mlir::Operation *op);
  void visitUpdate(mlir::Operation *op);
  void visitPermutation(mlir::Operation *op);
  void visitLoop(mlir::Operation *op);
  void visitBranch(mlir::Operation *op);

  NodeId addNode(Node::Kind kind, mlir::Operation *op,
                 llvm::ArrayRef<int64_t> domain, bool lanes);
  void addUse(mlir::Value value, Use use);
  void addStore(NodeId node, mlir::Value value);
  void useOperands(mlir::Operation *op, const Use &use);
  void useCaptured(mlir::Operation *op, NodeId node);
  void usePoint(mlir::Operation *op, NodeId node, llvm::ArrayRef<IndexId> at);
  bool mayCompute(mlir::Operation *op) const;
  bool isCheap(mlir::Value value, int &budget) const;
  std::optional<NodeId> findHost(mlir::Operation *op) const;

  mlir::Block &body;
  std::function<bool(mlir::Value)> isVarying;
  mlir::Operation *unknown = nullptr;
  unsigned position = 0;
  std::deque<Node> nodes;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Use, 2>> uses;
  llvm::DenseMap<mlir::Value, NodeId> writers;
};

/// Whether elements of an op of family Free or Pointwise are taken from its
/// operands without a buffer when a contraction or another block loads them.
bool isTransparent(mlir::Operation *op,
                   llvm::function_ref<bool(mlir::Value)> isVarying);

} // namespace ensc::schedule

#endif // ENSC_LIB_SCHEDULE_FUSIONPLAN_H
