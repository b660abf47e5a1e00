//===- TileBody.cpp - A body at all points of a register tile -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBody.h"

using namespace mlir;
using namespace ensc::cpu;

BodyEmitter TileBody::enter(int64_t row, int64_t column) {
  BodyEmitter body(root_.kernel(), width_, &root_);
  for (auto [argument, index] :
       llvm::zip(block_.getArguments(), pointAt_(row, column)))
    body.bind(argument, index);
  return body;
}

/// The first point of the tile that has the same value as this one.
int64_t TileBody::placeOf(uint64_t mask, int64_t row, int64_t column) const {
  return (mask & rowMask_ ? row : 0) * columns_ +
         (mask & columnMask_ ? column : 0);
}

LogicalResult TileBody::emit(BodyEmitter &body, int64_t row, int64_t column) {
  // The last argument of an epilogue, the sum, differs between all points.
  uint64_t sumMask = 0;
  if (block_.getNumArguments() > 0 &&
      !block_.getArguments().back().getType().isIndex())
    sumMask = uint64_t(1) << (block_.getNumArguments() - 1);
  for (Operation &op : block_) {
    bool isDone = op.getNumResults() > 0 && body.isBound(op.getResult(0));
    if (isDone || op.hasTrait<OpTrait::IsTerminator>())
      continue;
    uint64_t mask = analysis_.dependsOn(&op);
    if (mask & sumMask)
      mask = ~uint64_t(0);
    Key key(&op, placeOf(mask, row, column));
    auto known = emitted_.find(key);
    if (known != emitted_.end() && op.getNumResults() > 0) {
      for (auto [result, binding] : llvm::zip(op.getResults(), known->second))
        body.bind(result, binding);
      continue;
    }
    if (failed(body.emit(&op)))
      return failure();
    SmallVector<Binding> &bindings = emitted_[key];
    bindings.clear();
    for (Value result : op.getResults())
      bindings.push_back(body.lookup(result));
  }
  return success();
}

Value TileBody::vector(BodyEmitter &body, Value value, int64_t row,
                       int64_t column) {
  Key key(value.getAsOpaquePointer(),
          placeOf(analysis_.dependsOn(value), row, column));
  Value &vector = vectors_[key];
  if (!vector)
    vector = body.vector(value);
  return vector;
}
