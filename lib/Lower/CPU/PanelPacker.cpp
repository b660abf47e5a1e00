//===- PanelPacker.cpp - Transposed factors, packed -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PanelPacker.h"
#include "AccessAnalysis.h"
#include "TransposedLoads.h"

using namespace mlir;
using namespace ensc::cpu;

/// A panel that is larger than this leaves the cache before it is used again.
static constexpr int64_t mostElements = 1 << 17;

PanelPacker::PanelPacker(BodyEmitter &root, Block &factors,
                         ArrayRef<int64_t> over, unsigned columnDim,
                         std::optional<unsigned> rowDim)
    : root_(root), kernel_(root.kernel()), factors_(factors),
      columnDim_(columnDim) {
  if (over.size() != 1)
    return;
  steps_ = over.front();
  AccessAnalysis analysis(factors);
  for (auto load : factors.getOps<memref::LoadOp>()) {
    auto along = [&](unsigned argument) {
      return analysis.strideOf(load.getMemRefType(), load.getIndices(),
                               argument);
    };
    auto stride = along(columnDim);
    bool isGather = stride && *stride != 0 && *stride != 1;
    bool sameInRows =
        !rowDim || !(analysis.dependsOn(load.getOperation()) >> *rowDim & 1);
    bool isBool = load.getType().isInteger(1);
    if (isGather && sameInRows && !isBool &&
        along(factors.getNumArguments() - 1) == 1)
      loads_.push_back(load);
  }
}

/// Where a load is at a point of the domain and a step.
FailureOr<Index> PanelPacker::positionAt(memref::LoadOp load,
                                         ArrayRef<Index> point,
                                         const Index &step) {
  BodyEmitter body(kernel_, width_, &root_);
  for (auto [argument, index] : llvm::zip(factors_.getArguments(), point))
    body.bind(argument, index);
  body.bind(factors_.getArguments().back(), step);
  return body.emitPosition(load);
}

Index PanelPacker::panelPosition(const Index &step, int64_t column) {
  IndexMath &math = kernel_.math;
  Index row = math.scale(step, columns_ * width_);
  return math.add(math.add(row, math.constant(column * width_)), math.lane());
}

LogicalResult PanelPacker::packLoad(memref::LoadOp load, const Buffer &panel,
                                    ArrayRef<Index> start, int64_t column) {
  IndexMath &math = kernel_.math;
  const Buffer &buffer = kernel_.buffers.lookup(load.getMemRef());
  SmallVector<Index> point(start);
  point[columnDim_] = math.add(
      point[columnDim_], math.add(math.constant(column * width_), math.lane()));
  bool failed = false;
  auto at = [&](const Index &step) {
    FailureOr<Index> position = positionAt(load, point, step);
    failed |= mlir::failed(position);
    return failed ? Index() : *position;
  };
  int64_t whole = steps_ / width_ * width_;
  kernel_.emitLoop(0, whole, width_, {}, [&](const Index &step, ValueRange) {
    SmallVector<Value> rows = kernel_.loadRows(
        kernel_.rowsAt(buffer, at(step), width_), math.constant(0));
    emitTranspose(kernel_, rows);
    for (auto [offset, row] : llvm::enumerate(rows))
      kernel_.store(
          row, panel,
          panelPosition(math.add(step, math.constant(offset)), column), width_);
    return SmallVector<Value>();
  });
  kernel_.emitLoop(whole, steps_, 1, {}, [&](const Index &step, ValueRange) {
    kernel_.store(kernel_.load(buffer, at(step), width_), panel,
                  panelPosition(step, column), width_);
    return SmallVector<Value>();
  });
  return success(!failed);
}

LogicalResult PanelPacker::pack(ArrayRef<Index> start, int64_t width,
                                int64_t columns) {
  width_ = width;
  columns_ = columns;
  int64_t elements = steps_ * columns * width;
  if (width == 1 || elements > mostElements)
    return success();
  for (memref::LoadOp load : loads_) {
    panels_.push_back(kernel_.scratch(elements, load.getType()));
    for (int64_t column = 0; column < columns; ++column)
      if (failed(packLoad(load, panels_.back().first, start, column)))
        return failure();
  }
  return success();
}

void PanelPacker::bind(BodyEmitter &body, const Index &step, int64_t column) {
  for (auto [load, panel] : llvm::zip(loads_, panels_)) {
    Value &vector = bound_[{load.getOperation(), column}];
    if (!vector)
      vector = kernel_.load(panel.first, panelPosition(step, column), width_);
    body.bind(load.getResult(), vector);
  }
}
