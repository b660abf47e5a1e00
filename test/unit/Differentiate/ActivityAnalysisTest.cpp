//===- ActivityAnalysisTest.cpp - Which values carry a derivative ---------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Differentiate/ActivityAnalysis.h"
#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Differentiate/Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <set>

using namespace ensc;
using Tags = std::set<std::string>;

namespace {
/// The function @f of a program, differentiated by its first argument. Ops are
/// named by an attribute `tag`.
class Analyzed {
public:
  explicit Analyzed(llvm::StringRef text) {
    mlir::DialectRegistry registry;
    registry.insert<ens::EnsDialect, mlir::arith::ArithDialect,
                    mlir::func::FuncDialect, mlir::scf::SCFDialect>();
    registerDerivativeRules(registry);
    context.appendDialectRegistry(registry);
    mlir::ParserConfig config(&context);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, config);
    auto function = module->lookupSymbol<mlir::func::FuncOp>("f");
    mlir::Value source = function.getArgument(0);
    ActivityAnalysis activity(source,
                              function.front().getTerminator()->getOperands());
    module->walk([&](mlir::Operation *op) {
      auto tag = op->getAttrOfType<mlir::StringAttr>("tag");
      if (!tag)
        return;
      if (activity.isVaried(op->getResult(0)))
        varied.insert(tag.str());
      if (activity.isUseful(op->getResult(0)))
        useful.insert(tag.str());
    });
  }

  Tags varied, useful;

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST(ActivityAnalysis, NeedsBothEnds) {
  Analyzed f(R"(
func.func @f(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %a = ens.exp %x {tag = "unused"} : tensor<f32>
  %b = ens.exp %y {tag = "constant"} : tensor<f32>
  %c = ens.mul %x, %b {tag = "active"} : tensor<f32>
  return %c : tensor<f32>
})");
  EXPECT_EQ(f.varied, (Tags{"unused", "active"}));
  EXPECT_EQ(f.useful, (Tags{"constant", "active"}));
}

TEST(ActivityAnalysis, PredicatesAndStoppedValuesCarryNothing) {
  Analyzed f(R"(
func.func @f(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %a = ens.exp %x {tag = "compared"} : tensor<f32>
  %p = ens.compare lt, %a, %y {tag = "predicate"} : tensor<f32>
  %b = ens.sin %x {tag = "stopped"} : tensor<f32>
  %c = ens.stop_gradient %b {tag = "stop"} : tensor<f32>
  %d = ens.floor %x {tag = "floor"} : tensor<f32>
  %e = ens.add %c, %d {tag = "sum"} : tensor<f32>
  %s = ens.select %p, %e, %y {tag = "select"} : tensor<f32>
  return %s : tensor<f32>
})");
  EXPECT_EQ(f.varied, (Tags{"compared", "stopped"}));
  EXPECT_EQ(f.useful, (Tags{"stop", "floor", "sum", "select"}));
}

// The value reaches the result only in the third iteration.
TEST(ActivityAnalysis, FollowsRotatedCarriesAndCaptures) {
  Analyzed f(R"(
func.func @f(%x: tensor<f32>, %y: tensor<f32>, %n: index) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:4 = scf.for %i = %zero to %n step %one iter_args(%a = %y, %b = %y, %c = %y, %d = %y) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
    %e = ens.exp %x {tag = "captured"} : tensor<f32>
    %g = ens.sin %b {tag = "middle"} : tensor<f32>
    %h = ens.cos %d {tag = "apart"} : tensor<f32>
    scf.yield %g, %c, %e, %h : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  } {tag = "loop"}
  return %r#0 : tensor<f32>
})");
  EXPECT_EQ(f.varied, (Tags{"captured", "middle", "loop"}));
  EXPECT_EQ(f.useful, (Tags{"captured", "middle", "loop"}));
}

TEST(ActivityAnalysis, FollowsBranches) {
  Analyzed f(R"(
func.func @f(%x: tensor<f32>, %y: tensor<f32>, %p: i1) -> tensor<f32> {
  %r = scf.if %p -> (tensor<f32>) {
    %a = ens.exp %x {tag = "then"} : tensor<f32>
    scf.yield %a : tensor<f32>
  } else {
    %b = ens.exp %y {tag = "else"} : tensor<f32>
    scf.yield %b : tensor<f32>
  } {tag = "if"}
  return %r : tensor<f32>
})");
  EXPECT_EQ(f.varied, (Tags{"then", "if"}));
  EXPECT_EQ(f.useful, (Tags{"then", "else", "if"}));
}
} // namespace
