//===- TripCount.cpp - How many iterations a loop has ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/TripCount.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ensc;

/// The end is brought to the begin before they are subtracted: the difference
/// of an end far below wraps to a positive one. As an unsigned number that of
/// an end above never wraps.
Value ens::emitTripCount(OpBuilder &builder, Location loc, Value begin,
                         Value end, Value step) {
  Value last = arith::MaxSIOp::create(builder, loc, end, begin);
  Value distance = arith::SubIOp::create(builder, loc, last, begin);
  return arith::CeilDivUIOp::create(builder, loc, distance, step);
}
