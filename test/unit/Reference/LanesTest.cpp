//===- LanesTest.cpp - Runs in lanes have the bits of runs alone ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A learner goes through Expand, Differentiate and Vectorize; the interpreter
// trains eight runs one by one and all of them as lanes. The runs differ in
// seed and learning rate, and one diverges.
//
//===----------------------------------------------------------------------===//

#include "ExpectTensor.h"
#include "StackedRuns.h"
#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Differentiate/Rules.h"
#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Reference/Interpreter.h"
#include "ensc/Vectorize/RunRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::test;

namespace {
using Tensors = std::vector<Tensor>;

constexpr int64_t lanes = 8;

constexpr llvm::StringLiteral program = R"mlir(
  func.func @init(%seed: tensor<i64> {ens.name = "seed", ens.role = "seed"})
      -> (tensor<3x5xf32> {ens.name = "w"}, tensor<5x2xf32> {ens.name = "v"}) {
    %w = ens.he_normal %seed : tensor<3x5xf32>
    %v = ens.glorot_uniform %seed : tensor<5x2xf32>
    return %w, %v : tensor<3x5xf32>, tensor<5x2xf32>
  }
  func.func @loss(%w: tensor<3x5xf32> {ens.name = "w"},
                  %v: tensor<5x2xf32> {ens.name = "v"},
                  %x: tensor<4x3xf32> {ens.name = "x", ens.role = "data"},
                  %y: tensor<4xi32> {ens.name = "y", ens.role = "data"})
      -> tensor<4xf32> {
    %h = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0]
        : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
    %a = ens.gelu %h : tensor<4x5xf32>
    %o = ens.dot %a, %v lhs_contract = [1] rhs_contract = [0]
        : (tensor<4x5xf32>, tensor<5x2xf32>) -> tensor<4x2xf32>
    %loss = ens.softmax_cross_entropy %o, %y
        : (tensor<4x2xf32>, tensor<4xi32>) -> tensor<4xf32>
    return %loss : tensor<4xf32>
  }
  ens.learner @net {init = @init, loss = @loss,
                    optimizer = #ens.adamw<lr = 1.0e-3>,
                    batch_size = 4 : i64, rows = 11 : i64}
)mlir";

class LanesTest : public ::testing::Test {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    registry.insert<ens::EnsDialect, mlir::arith::ArithDialect,
                    mlir::func::FuncDialect, mlir::scf::SCFDialect,
                    mlir::tensor::TensorDialect>();
    registerDerivativeRules(registry);
    registerRunRules(registry);
    context_.appendDialectRegistry(registry);
    context_.loadAllAvailableDialects();
    context_.disableMultithreading();
    module_ = mlir::parseSourceString<mlir::ModuleOp>(program, &context_);
    ASSERT_TRUE(module_);
    PipelineOptions options;
    options.lanes = lanes;
    mlir::PassManager passes(&context_);
    buildExpandPipeline(passes, options);
    buildDifferentiatePipeline(passes, options);
    buildVectorizePipeline(passes, options);
    ASSERT_TRUE(mlir::succeeded(passes.run(*module_)));
  }

  mlir::func::FuncOp function(llvm::StringRef name) {
    return module_->lookupSymbol<mlir::func::FuncOp>(name);
  }

  Tensors call(mlir::func::FuncOp callee, const Tensors &arguments,
               std::vector<int64_t> runIds) {
    auto results = interpret(callee, arguments, {std::move(runIds)});
    EXPECT_TRUE(results) << results.error().message();
    return results ? *results : Tensors();
  }

  /// The arguments of the solo instance of fit for one run.
  Tensors argumentsOf(int64_t run);

private:
  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

Tensors LanesTest::argumentsOf(int64_t run) {
  const float rates[lanes] = {1e-4f, 1e-3f, 1e30f, 1e-2f,
                              3e-2f, 1e-1f, 5e-4f, 2e-3f};
  Tensor x = f32({11, 3}, std::vector<float>(33));
  for (int64_t i = 0; i < x.size(); ++i)
    x.data<float>()[i] = static_cast<float>(i * 7 % 11) / 5 - 1;
  Tensor y = i32({11}, {0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1});
  Tensor seed = i64({}, {run});
  Tensors state = call(function("net.init"), {seed}, {run});

  mlir::func::FuncOp fit = function("net.fit");
  Tensors arguments;
  size_t nextLeaf = 0;
  for (unsigned i = 0; i < fit.getNumArguments(); ++i) {
    auto textOf = [&](llvm::StringRef attribute) {
      auto text = fit.getArgAttrOfType<mlir::StringAttr>(i, attribute);
      return text ? text.getValue() : llvm::StringRef();
    };
    llvm::StringRef role = textOf(ens::roleAttr), name = textOf(ens::nameAttr);
    if (role == "begin" || role == "end")
      arguments.push_back(i64({}, {role == "begin" ? 1 : 7}));
    else if (role == "seed")
      arguments.push_back(seed);
    else if (role == "data")
      arguments.push_back(name == "x" ? x : y);
    else if (name == "loss_sum")
      arguments.push_back(f32({}, {0}));
    else if (name == "lr")
      arguments.push_back(f32({}, {rates[run]}));
    else if (role == "hyper")
      arguments.push_back(
          f32({}, {static_cast<float>(
                      fit.getArgAttrOfType<mlir::FloatAttr>(i, "ens.default")
                          .getValueAsDouble())}));
    else
      arguments.push_back(state.at(nextLeaf++));
  }
  return arguments;
}

/// Value `index` of each run along a new first dimension.
Tensor stacked(const std::vector<Tensors> &runs, size_t index) {
  Tensors values;
  for (const Tensors &run : runs)
    values.push_back(run[index]);
  return test::stacked(values);
}

TEST_F(LanesTest, FitOfALearner) {
  mlir::func::FuncOp solo = function("net.fit");
  mlir::func::FuncOp together = function("net.fit.lanes");
  ASSERT_TRUE(solo && together);
  std::vector<Tensors> arguments, results;
  std::vector<int64_t> runIds;
  for (int64_t run = 0; run < lanes; ++run) {
    arguments.push_back(argumentsOf(run));
    results.push_back(call(solo, arguments.back(), {run}));
    runIds.push_back(run);
  }
  EXPECT_TRUE(std::isnan(results[2].back().data<float>()[0]));
  EXPECT_TRUE(std::isfinite(results[3].back().data<float>()[0]));

  Tensors inLanes;
  for (unsigned i = 0; i < together.getNumArguments(); ++i) {
    bool isShared =
        solo.getArgumentTypes()[i] == together.getArgumentTypes()[i];
    inLanes.push_back(isShared ? arguments[0][i] : stacked(arguments, i));
  }
  Tensors all = call(together, inLanes, runIds);
  ASSERT_EQ(all.size(), results[0].size());
  for (size_t i = 0; i < all.size(); ++i)
    expectTensor(all[i], stacked(results, i));
}

} // namespace
