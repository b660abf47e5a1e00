//===- LongTextsTest.cpp - Texts longer than anybody writes ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Dialect/Ens/IR/InlineBudget.h"
#include "ensc/Differentiate/Passes.h"
#include "ensc/Differentiate/Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace ensc;

namespace {
/// A module as it is parsed.
struct Program {
  explicit Program(const std::string &text) {
    DialectRegistry registry;
    registry.insert<ens::EnsDialect, arith::ArithDialect, func::FuncDialect,
                    scf::SCFDialect, tensor::TensorDialect>();
    registerDerivativeRules(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    ParserConfig config(&context);
    module = parseSourceString<ModuleOp>(text, config, "program");
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// What is said against the derivative of a loop within a loop, whose bound is
/// `count` times the counter of that one, as a sum; empty if nothing.
std::string differentiateSum(int count) {
  std::string text = R"mlir(
    func.func private @f(%x: tensor<f32>) -> tensor<f32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %r = scf.for %s0 = %c0 to %c2 step %c1 iter_args(%a = %x) -> (tensor<f32>) {
)mlir";
  for (int i = 1; i < count; ++i)
    text += "%s" + std::to_string(i) + " = arith.addi %s" +
            std::to_string(i - 1) + ", %s0 : index\n";
  text += "%q = scf.for %j = %c0 to %s" + std::to_string(count - 1);
  text += R"mlir( step %c1 iter_args(%b = %a) -> (tensor<f32>) {
          %t = ens.sin %b : tensor<f32>
          scf.yield %t : tensor<f32>
        }
        scf.yield %q : tensor<f32>
      }
      return %r : tensor<f32>
    }
    func.func @g(%x: tensor<f32>) -> tensor<f32> {
      %g = ens.grad @f(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
      return %g : tensor<f32>
    })mlir";
  Program program(text);
  if (!program.module)
    return "no module";
  std::string said;
  ScopedDiagnosticHandler handler(&program.context, [&](Diagnostic &what) {
    said += what.str();
    return success();
  });
  PassManager passes(&program.context);
  passes.addPass(createDifferentiateFunctions());
  bool isFine = succeeded(passes.run(*program.module));
  EXPECT_EQ(isFine, said.empty()) << said;
  return said;
}

TEST(LongTexts, BoundsMayBeSumsOfAnyNumberOfTerms) {
  for (int count : {1, 511, 512, 513, 30000})
    EXPECT_EQ(differentiateSum(count), "") << count;
}

// What a function says itself is no growth.
TEST(LongTexts, ALongFunctionMayCallAnother) {
  std::string text = R"mlir(
    func.func private @one(%x: tensor<f32>) -> tensor<f32> {
      %y = ens.sin %x : tensor<f32>
      return %y : tensor<f32>
    }
    func.func @long(%x: tensor<f32>) -> tensor<f32> {
      %y = func.call @one(%x) : (tensor<f32>) -> tensor<f32>
)mlir";
  for (int64_t i = 0; i < ens::InlineBudget::mostOps; ++i)
    text += "arith.constant 0 : index\n";
  text += "return %y : tensor<f32> }";
  Program program(text);
  ASSERT_TRUE(program.module);
  auto one = program.module->lookupSymbol<func::FuncOp>("one");
  auto longer = program.module->lookupSymbol<func::FuncOp>("long");
  ens::InlineBudget budget;
  longer.walk([&](func::CallOp call) {
    EXPECT_TRUE(succeeded(budget.spend(call, one)));
  });
}
} // namespace
