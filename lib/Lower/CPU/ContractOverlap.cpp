//===- ContractOverlap.cpp - Epilogues among multiply-adds ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An epilogue that divides or takes roots, as that of Adam does, keeps the
// divider busy and the multipliers idle. So its tile's sums go through memory,
// and it runs point by point among the steps of the tile after it. A turn is
// some points and the steps that follow them. The tail of a point comes after
// the head of the next one: it would else wait for the divider and hold up
// everything behind it.
//
//===----------------------------------------------------------------------===//

#include "ContractEmitter.h"
#include "Elementwise.h"
#include "StepCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

/// Steps in a row without an epilogue between them, if there are steps to
/// spare: the divider, and what waits for it, gets time.
static constexpr int64_t mostStepsTogether = 2;

//===----------------------------------------------------------------------===//
// Loops over tiles
//===----------------------------------------------------------------------===//

/// The first column of the tile under emission.
Index ContractEmitter::currentColumn() {
  return columnDim_ ? start_[*columnDim_] : kernel_.math.constant(0);
}

void ContractEmitter::moveTo(const Index &row, const Index &column) {
  start_[*rowDim_] = row;
  if (columnDim_)
    start_[*columnDim_] = column;
}

/// How many points of the tile before come before a step of a tile: as few as
/// come out even.
int64_t ContractEmitter::pointsPerTurn(Shape shape) const {
  int64_t points = shape.first * shape.second;
  int64_t steps = ShapedType::getNumElements(over_);
  int64_t perTurn = (points + steps - 1) / steps;
  while (points % perTurn != 0)
    ++perTurn;
  return perTurn;
}

/// Whether the epilogues of tiles run among steps, none of which becomes too
/// long by it. A tile follows another one in its column or, if rows are cut
/// evenly, from column to column.
bool ContractEmitter::overlaps(const TilePlan &plan, const TileCut &rows,
                               const TileCut &columns) {
  int64_t tiles = rows.count * (plan.rows.size() == 1 ? columns.count : 1);
  return overlapsTiles_ && tiles > 1 &&
         pointsPerTurn({rows.size, columns.size}) * weightOf(epilogue_) <=
             mostUnrolled;
}

/// The tiles of the rows of a column. `waiting` is what loops hand on of the
/// tile that waits: its first row and column, and how many turns of the next
/// tile have epilogues of it. Returns that of the last tile. Factors read
/// nothing that epilogues write, as points come in any order.
SmallVector<Value> ContractEmitter::emitOverlappedTiles(
    const Buffer &sums, int64_t width, const TileCut &rows,
    const ColumnLoop &columns, ValueRange waiting) {
  IndexMath &math = kernel_.math;
  Shape shape(rows.size, columns.columns);
  int64_t points = shape.first * shape.second;
  int64_t perTurn = pointsPerTurn(shape);
  Index column = currentColumn();
  int64_t endRow = rows.begin + rows.count * rows.size;
  int64_t endColumn = columns.begin + columns.count * columns.step;
  AtomRange rowRange = AtomRange::ofLoop(rows.begin, endRow, rows.size);
  AtomRange columnRange =
      AtomRange::ofLoop(columns.begin, endColumn, columns.step);
  return kernel_.emitLoop(rows.begin, endRow, rows.size, waiting,
                          [&](const Index &row, ValueRange before) {
                            moveTo(row, column);
                            waiting_ = {sums,
                                        width,
                                        shape,
                                        math.atom(before[0], rowRange),
                                        math.atom(before[1], columnRange),
                                        before[2]};
                            TileBody factors = factorsOf(width, shape);
                            SmallVector<Value> made = emitSums(factors);
                            waiting_.reset();
                            storeSums(made, sums, math.constant(0), width);
                            return SmallVector<Value>{
                                math.scalar(row), math.scalar(column),
                                math.constantInt(points / perTurn)};
                          });
}

/// The tiles of a cut of rows in one column, or in all of them where rows are
/// cut evenly: the tile before the first one of a column is then the last one
/// of the column before.
void ContractEmitter::emitOverlapped(int64_t width, const TileCut &rows,
                                     const ColumnLoop &columns,
                                     bool inAllColumns) {
  IndexMath &math = kernel_.math;
  Shape shape(rows.size, columns.columns);
  auto [buffer, guard] =
      kernel_.scratch(shape.first * shape.second * width, contract_.getType());
  const Buffer &sums = buffer;
  Index first = currentColumn(), last = first;
  if (inAllColumns) {
    first = math.constant(columns.begin);
    last = math.constant(columns.begin + (columns.count - 1) * columns.step);
  }
  SmallVector<Value> none = {math.constantInt(rows.begin), math.scalar(first),
                             math.constantInt(0)};
  auto emitRows = [&](ValueRange waiting) {
    return emitOverlappedTiles(sums, width, rows, columns, waiting);
  };
  if (inAllColumns)
    emitColumns(width, columns, none, emitRows);
  else
    emitRows(none);
  moveTo(math.constant(rows.begin + (rows.count - 1) * rows.size), last);
  emitEpiloguesFromMemory(sums, width, shape);
}

//===----------------------------------------------------------------------===//
// The steps of a tile
//===----------------------------------------------------------------------===//

/// An epilogue's body at a point of the tile that waits.
BodyEmitter ContractEmitter::enterWaitingPoint(const Index &point) {
  IndexMath &math = kernel_.math;
  Index row = start_[*rowDim_], column = currentColumn();
  moveTo(waiting_->firstRow, waiting_->firstColumn);
  Index columns = math.constant(waiting_->shape.second);
  SmallVector<Index> indices =
      pointAt(waiting_->width, math.apply(IndexOp::Divide, point, columns, 1),
              math.apply(IndexOp::Remainder, point, columns, 1));
  moveTo(row, column);
  BodyEmitter body(kernel_, waiting_->width, &root_);
  for (auto [argument, index] : llvm::zip(epilogue_.getArguments(), indices))
    body.bind(argument, index);
  return body;
}

/// The head of a point. Returns what its tail takes.
SmallVector<Value> ContractEmitter::emitHead(const Index &point) {
  BodyEmitter body = enterWaitingPoint(point);
  body.bind(epilogue_.getArguments().back(),
            loadSum(waiting_->sums, point, waiting_->width));
  for (Operation *op : stages_.head)
    if (failed(body.emit(op))) {
      failed_ = true;
      return {};
    }
  return llvm::map_to_vector(stages_.handedOn,
                             [&](Value value) { return body.vector(value); });
}

void ContractEmitter::emitTail(Value point, ValueRange handedOn) {
  int64_t points = waiting_->shape.first * waiting_->shape.second;
  BodyEmitter body =
      enterWaitingPoint(kernel_.math.atom(point, {0, points - 1, 1}));
  for (auto [value, emitted] : llvm::zip(stages_.handedOn, handedOn))
    body.bind(value, emitted);
  for (Operation *op : stages_.tail)
    if (failed(body.emitWithOperands(op))) {
      failed_ = true;
      return;
    }
}

/// Zero for each value that is handed on, as a loop has to begin with
/// something.
SmallVector<Value> ContractEmitter::nothingDue() {
  SmallVector<Value> due = {kernel_.math.constantInt(0)};
  for (Value value : stages_.handedOn) {
    Type type = typeOfWidth(signlessOf(value.getType()), waiting_->width);
    due.push_back(kernel_.math.constantOf(kernel_.builder.getZeroAttr(type)));
  }
  return due;
}

/// The epilogues of one turn. `due` is the point whose tail comes next, and
/// what that takes. The first tail has no head before it: it stores something
/// at the first point, where the next one, which is that of the first point,
/// stores what belongs there.
SmallVector<Value> ContractEmitter::emitWaitingEpilogues(const Index &turn,
                                                         ValueRange due) {
  IndexMath &math = kernel_.math;
  SmallVector<Value> next(due);
  int64_t perTurn = pointsPerTurn(waiting_->shape);
  for (int64_t i = 0; i < perTurn && !failed_; ++i) {
    Index point = math.add(math.scale(turn, perTurn), math.constant(i));
    SmallVector<Value> handedOn = emitHead(point);
    if (!failed_)
      emitTail(next.front(), ValueRange(next).drop_front());
    if (failed_)
      break;
    next = {math.scalar(point)};
    next.append(handedOn);
  }
  return next;
}

/// A loop from `begin` to `end`, which is at most `most`. `trips`, for the
/// estimate of what a step costs: the iterations of all tiles but the first.
SmallVector<Value> ContractEmitter::emitSteps(Value begin, Value end,
                                              int64_t most, int64_t trips,
                                              ValueRange initial,
                                              Kernel::LoopBody emitOneStep) {
  ImplicitLocOpBuilder &builder = kernel_.builder;
  auto loop = scf::ForOp::create(builder, begin, end,
                                 kernel_.math.constantInt(1), initial);
  loop->setAttr(tripsAttr, builder.getI64IntegerAttr(trips));
  OpBuilder::InsertionGuard insertion(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  Index step = kernel_.math.atom(loop.getInductionVar(), {0, most - 1, 1});
  scf::YieldOp::create(builder, emitOneStep(step, loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

/// The steps of a tile in two loops: those that have epilogues of the tile that
/// waits, some steps for each, and the others, so that no step branches.
SmallVector<Value>
ContractEmitter::emitStepsWithEpilogues(ValueRange initial,
                                        Kernel::LoopBody emitOneStep) {
  IndexMath &math = kernel_.math;
  ImplicitLocOpBuilder &builder = kernel_.builder;
  int64_t steps = ShapedType::getNumElements(over_);
  int64_t turns = waiting_->shape.first * waiting_->shape.second /
                  pointsPerTurn(waiting_->shape);
  int64_t together = std::min(mostStepsTogether, steps / turns);
  SmallVector<Value> carried(initial);
  carried.append(nothingDue());
  carried = emitSteps(
      math.constantInt(0), waiting_->turns, turns, turns, carried,
      [&](const Index &turn, ValueRange values) {
        SmallVector<Value> due =
            emitWaitingEpilogues(turn, values.drop_front(initial.size()));
        SmallVector<Value> next(values.take_front(initial.size()));
        for (int64_t i = 0; i < together; ++i)
          next = emitOneStep(
              math.add(math.scale(turn, together), math.constant(i)), next);
        next.append(due);
        return next;
      });
  ValueRange due = ValueRange(carried).drop_front(initial.size());
  if (!stages_.tail.empty()) {
    Value hasPoints =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::sgt,
                              waiting_->turns, math.constantInt(0));
    auto branch = scf::IfOp::create(builder, hasPoints, /*withElse=*/false);
    OpBuilder::InsertionGuard insertion(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    emitTail(due.front(), due.drop_front());
  }
  Value rest = arith::MulIOp::create(builder, waiting_->turns,
                                     math.constantInt(together));
  return emitSteps(rest, math.constantInt(steps), steps,
                   steps - turns * together,
                   ValueRange(carried).take_front(initial.size()), emitOneStep);
}
