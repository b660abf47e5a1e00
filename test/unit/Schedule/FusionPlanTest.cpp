//===- FusionPlanTest.cpp - Which values share a phase --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferPlan.h"

#include "ensc/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace ensc::schedule;

namespace {
class FusionPlanTest : public testing::Test {
protected:
  FusionPlanTest() {
    DialectRegistry registry;
    ensc::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Plans the body of the one function in `text`.
  FusionPlan &plan(const char *text) {
    module = parseSourceString<ModuleOp>(text, &context);
    auto function = *module->getOps<func::FuncOp>().begin();
    current.emplace(function.getBody().front(), [](Value) { return false; });
    return *current;
  }

  /// The value of the op with the attribute `name`.
  Value named(StringRef name) {
    Value found;
    module->walk([&](Operation *op) {
      if (op->hasAttr(name))
        found = op->getResult(0);
    });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::optional<FusionPlan> current;
};
} // namespace

TEST_F(FusionPlanTest, ComputesOnceWhatTwoPhasesNeed) {
  FusionPlan &p = plan(R"(
    func.func @f(%x: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3x4xf32>) {
      %0 = ens.exp %x {e} : tensor<4x3xf32>
      %1 = ens.neg %0 {a} : tensor<4x3xf32>
      %2 = ens.transpose %0 permutation = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
      %3 = ens.neg %2 {b} : tensor<3x4xf32>
      return %1, %3 : tensor<4x3xf32>, tensor<3x4xf32>
    })");
  ASSERT_TRUE(p.writer(named("e")));
  EXPECT_EQ(p.writer(named("e")), p.writer(named("a")));
  EXPECT_NE(p.writer(named("e")), p.writer(named("b")));
  EXPECT_TRUE(p.precedes(*p.writer(named("e")), *p.writer(named("b"))));
}

TEST_F(FusionPlanTest, ComputesCheapValuesAgain) {
  FusionPlan &p = plan(R"(
    func.func @f(%x: tensor<4x3xf32>) -> (tensor<4x3xi1>, tensor<4xf32>) {
      %zero = ens.constant dense<0.0> : tensor<4x3xf32>
      %0 = ens.compare lt, %x, %zero {c} : tensor<4x3xf32>
      %1 = ens.not %0 : tensor<4x3xi1>
      %2 = ens.convert %0 : tensor<4x3xi1> to tensor<4x3xf32>
      %3 = ens.reduce sum, %2 dims = [1] : (tensor<4x3xf32>) -> tensor<4xf32>
      return %1, %3 : tensor<4x3xi1>, tensor<4xf32>
    })");
  EXPECT_FALSE(p.writer(named("c")));
}

TEST_F(FusionPlanTest, StoresWhatABroadcastRepeats) {
  FusionPlan &p = plan(R"(
    func.func @f(%x: tensor<3xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
      %0 = ens.exp %x {e} : tensor<3xf32>
      %1 = ens.broadcast %0 dims = [1] {b} : tensor<3xf32> to tensor<4x3xf32>
      %2 = ens.add %1, %y : tensor<4x3xf32>
      return %2 : tensor<4x3xf32>
    })");
  EXPECT_TRUE(p.writer(named("e")));
  EXPECT_FALSE(p.writer(named("b")));
}

TEST_F(FusionPlanTest, OneContractionPerPhase) {
  FusionPlan &p = plan(R"(
    func.func @f(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %v: tensor<3x5xf32>) -> tensor<4x5xf32> {
      %0 = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0] {a} : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
      %1 = ens.dot %x, %v lhs_contract = [1] rhs_contract = [0] {b} : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
      %2 = ens.add %0, %1 {sum} : tensor<4x5xf32>
      return %2 : tensor<4x5xf32>
    })");
  EXPECT_TRUE(p.writer(named("a")));
  EXPECT_FALSE(p.writer(named("b")));
  const Node &node = p.node(*p.writer(named("sum")));
  EXPECT_EQ(node.kind, Node::Kind::Contract);
  EXPECT_EQ(node.op, named("b").getDefiningOp());
}

TEST_F(FusionPlanTest, StoresFactorsOfContractions) {
  FusionPlan &p = plan(R"(
    func.func @f(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>) -> tensor<4x5xf32> {
      %0 = ens.tanh %x {h} : tensor<4x3xf32>
      %1 = ens.dot %0, %w lhs_contract = [1] rhs_contract = [0] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
      return %1 : tensor<4x5xf32>
    })");
  EXPECT_TRUE(p.writer(named("h")));
}

TEST_F(FusionPlanTest, NoPhaseWaitsForItself) {
  // The mean is needed at each element, and depends on all of them.
  FusionPlan &p = plan(R"(
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = ens.exp %x {e} : tensor<4xf32>
      %1 = ens.reduce sum, %0 dims = [0] {s} : (tensor<4xf32>) -> tensor<f32>
      %2 = ens.broadcast %1 dims = [] : tensor<f32> to tensor<4xf32>
      %3 = ens.div %0, %2 {d} : tensor<4xf32>
      %4 = ens.neg %0 : tensor<4xf32>
      return %3, %4 : tensor<4xf32>, tensor<4xf32>
    })");
  EXPECT_NE(p.writer(named("e")), p.writer(named("d")));
  EXPECT_TRUE(p.precedes(*p.writer(named("e")), *p.writer(named("s"))));
  EXPECT_TRUE(p.precedes(*p.writer(named("s")), *p.writer(named("d"))));
  EXPECT_EQ(p.schedule().size(), p.size() - 1);
}

TEST_F(FusionPlanTest, DeadOpsAreNoPhases) {
  FusionPlan &p = plan(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = ens.exp %x : tensor<4xf32>
      %1 = ens.neg %x : tensor<4xf32>
      return %1 : tensor<4xf32>
    })");
  EXPECT_EQ(p.schedule().size(), 1u);
}

TEST_F(FusionPlanTest, AnUpdateTakesOverABufferThatNobodyElseReads) {
  FusionPlan &p = plan(R"(
    func.func @f(%x: tensor<4xf32>, %u: tensor<1xf32>, %i: tensor<i32>) -> tensor<4xf32> {
      %0 = ens.exp %x {e} : tensor<4xf32>
      %1 = ens.dynamic_update_slice %0, %u [%i] {d} : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    })");
  BufferPlan buffers(p, [](BlockArgument) { return false; });
  EXPECT_EQ(buffers.of(named("e")), buffers.of(named("d")));
  EXPECT_FALSE(buffers.isCopied(named("d").getDefiningOp()->getOpOperand(0)));
}

TEST_F(FusionPlanTest, AnUpdateCopiesABufferThatIsReadLater) {
  FusionPlan &p = plan(R"(
    func.func @f(%x: tensor<4xf32>, %u: tensor<1xf32>, %i: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = ens.exp %x {e} : tensor<4xf32>
      %1 = ens.dynamic_update_slice %0, %u [%i] {d} : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    })");
  BufferPlan buffers(p, [](BlockArgument) { return false; });
  EXPECT_NE(buffers.of(named("e")), buffers.of(named("d")));
  EXPECT_TRUE(buffers.isCopied(named("d").getDefiningOp()->getOpOperand(0)));
}

TEST_F(FusionPlanTest, APhaseHasRoomForSoManyFolds) {
  std::string text = "func.func @f(%x: tensor<2x3xf32>) -> tensor<f32> {\n"
                     "%s0 = ens.constant dense<0.0> : tensor<f32>\n";
  for (int i = 0; i < 40; ++i) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "%r" + n +
            " = ens.reduce sum, %x dims = [0, 1] : (tensor<2x3xf32>) -> "
            "tensor<f32>\n%s" +
            next + " = ens.sub %s" + n + ", %r" + n + " : tensor<f32>\n";
  }
  FusionPlan &p = plan((text + "return %s40 : tensor<f32>\n}").c_str());
  EXPECT_EQ(p.schedule().size(), 9u);
  for (NodeId node : p.schedule())
    EXPECT_LE(p.node(node).space.numLoops(), IndexSpace::maxLoops);
}
