//===- SideBySideTest.cpp - Points whose ops are mixed --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SideBySide.h"
#include "ensc/Dialect/Ens/IR/EnsDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

namespace {

/// Points that are chains of negations, whose names are a point and a position.
class Points {
public:
  Points() {
    context.loadDialect<arith::ArithDialect, scf::SCFDialect>();
    builder.setInsertionPointToEnd(&block);
    start = block.addArgument(builder.getF32Type(), builder.getLoc());
  }

  Value negate(Value value, const std::string &name) {
    Operation *op = arith::NegFOp::create(builder, value);
    op->setAttr("name", builder.getStringAttr(name));
    return op->getResult(0);
  }

  Value chain(Value value, int64_t point, int64_t length) {
    for (int64_t i = 0; i < length; ++i)
      value = negate(value, std::string(1, 'a' + point) + std::to_string(i));
    return value;
  }

  std::string order() {
    std::string names;
    for (Operation &op : block) {
      auto name = op.getAttrOfType<StringAttr>("name");
      names += (names.empty() ? "" : " ") +
               (name ? name.str() : op.getName().stripDialect().str());
    }
    return names;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  Block block;
  ImplicitLocOpBuilder builder{UnknownLoc::get(&context), &context};
  Value start;
};

/// How many points of a body of `ops` of %x are worth it.
int64_t pointsOf(const std::string &ops, const std::string &type, int64_t width,
                 const Target &target) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<ens::EnsDialect, arith::ArithDialect, func::FuncDialect,
                      memref::MemRefDialect>();
  std::string memref = "memref<64x" + type + ">";
  std::string text = "func.func @f(%m: " + memref +
                     ") {\n  ens.map domain = [64] {\n  ^bb0(%i: index):\n"
                     "    %x = memref.load %m[%i] : " +
                     memref + "\n" + ops +
                     "    memref.store %y, %m[%i] : " + memref +
                     "\n  }\n  return\n}\n";
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << text;
    return 0;
  }
  int64_t points = 0;
  module->walk([&](ens::MapOp map) {
    points = pointsSideBySide(map.getBody().front(), width, target);
  });
  return points;
}

const Target wide{32, 64}, narrow{16, 32};

} // namespace

TEST(SideBySide, TakesAnOpOfEachPointInTurn) {
  Points points;
  emitSideBySide(points.builder, 3, [&](int64_t point) {
    points.chain(points.start, point, point == 1 ? 1 : 3);
  });
  EXPECT_EQ(points.order(), "a0 b0 c0 a1 c1 a2 c2");
}

TEST(SideBySide, LeavesOnePointAndWhatWasThereBefore) {
  Points points;
  points.negate(points.start, "before");
  emitSideBySide(points.builder, 1,
                 [&](int64_t point) { points.chain(points.start, point, 2); });
  emitSideBySide(points.builder, 2, [&](int64_t point) {
    points.chain(points.start, point + 1, 2);
  });
  points.negate(points.start, "after");
  EXPECT_EQ(points.order(), "before a0 a1 b0 c0 b1 c1 after");
}

TEST(SideBySide, MovesNoUseBeforeItsDefinition) {
  Points points;
  Value last = points.start;
  emitSideBySide(points.builder, 2, [&](int64_t point) {
    Value own = points.negate(points.start, point ? "b" : "a");
    last = points.chain(point ? last : own, point, 2);
  });
  EXPECT_EQ(points.order(), "a b a0 a1 b0 b1");
}

TEST(SideBySide, SeesUsesWithinOps) {
  Points points;
  Value last;
  emitSideBySide(points.builder, 2, [&](int64_t point) {
    if (point == 0) {
      last = points.chain(points.start, 0, 3);
      return;
    }
    auto region = scf::ExecuteRegionOp::create(points.builder, TypeRange());
    OpBuilder::InsertionGuard guard(points.builder);
    points.builder.createBlock(&region.getRegion());
    points.negate(last, "within");
    scf::YieldOp::create(points.builder);
  });
  EXPECT_EQ(points.order(), "a0 a1 a2 execute_region");
}

TEST(PointsSideBySide, AreAsManyAsRegistersHold) {
  const std::string exp = "    %y = ens.exp %x : f32\n";
  EXPECT_EQ(pointsOf(exp, "f32", 16, wide), 8);
  EXPECT_EQ(pointsOf(exp, "f32", 8, narrow), 4);
  EXPECT_EQ(pointsOf(exp, "f32", 16, narrow), 2);
  const std::string exp64 = "    %y = ens.exp %x : f64\n";
  EXPECT_EQ(pointsOf(exp64, "f64", 16, wide), 4);
  EXPECT_EQ(pointsOf(exp64, "f64", 16, narrow), 1);
}

TEST(PointsSideBySide, AreAsManyAsAreNotTooLong) {
  const std::string pow = "    %p = ens.pow %x, %x : f32\n";
  EXPECT_EQ(pointsOf(pow + "    %y = ens.exp %p : f32\n", "f32", 16, wide), 1);
  EXPECT_EQ(pointsOf("    %y = ens.pow %x, %x : f32\n", "f32", 16, wide), 2);
}

TEST(PointsSideBySide, AreOneWhereChainsAreShortOrHaveOpsWithin) {
  EXPECT_EQ(pointsOf("    %y = ens.neg %x : f32\n", "f32", 16, wide), 1);
  const std::string fold = "    %f = ens.fold sum over = [64] : f32 {\n"
                           "    ^bb0(%j: index):\n"
                           "      %e = memref.load %m[%j] : memref<64xf32>\n"
                           "      ens.yield %e : f32\n    }\n"
                           "    %y = ens.exp %f : f32\n";
  EXPECT_EQ(pointsOf(fold, "f32", 16, wide), 1);
}
