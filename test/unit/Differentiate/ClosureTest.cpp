//===- ClosureTest.cpp - Each op has a derivative or is known to have none ===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That what rules emit is in the core set, too, is checked by the last pass of
// the pipeline, on every sample and twice, since the samples are differentiated
// twice.
//
//===----------------------------------------------------------------------===//

#include "DifferentiatedProgram.h"
#include "RuleSamples.h"
#include "ensc/Dialect/Ens/IR/EnsInterfaces.h"
#include "ensc/Differentiate/Rules.h"

#include "gtest/gtest.h"

#include <set>

using namespace ensc;
using namespace ensc::test;
using Names = std::set<std::string>;

namespace {
/// Ops that do not exist in the core language: Expand and Differentiate replace
/// them, or only Schedule makes them.
const Names notCore = {"relu", "gelu", "softplus", "mean", "logsumexp",
                       "softmax", "log_softmax", "softmax_cross_entropy", "mse",
                       "dropout", "uniform", "normal", "he_normal",
                       "he_uniform", "glorot_normal", "glorot_uniform", "grad",
                       "value_and_grad", "jvp", "vjp", "custom_grad", "learner",
                       // Phases.
                       "yield", "map", "fold", "contract", "philox", "shared",
                       "read_runs", "write_runs", "read_run_ids", "table"};

bool isSampled(llvm::StringRef op) {
  for (const RuleSample &sample : ruleSamples())
    if (llvm::StringRef(sample.body).contains("ens." + op.str() + " "))
      return true;
  return false;
}

TEST(Closure, EveryOpHasADerivativeOrIsKnownToHaveNone) {
  DifferentiatedProgram program("");
  mlir::MLIRContext *context = program.module().getContext();
  for (mlir::RegisteredOperationName name :
       context->getRegisteredOperationsByDialect("ens")) {
    std::string op = name.stripDialect().str();
    SCOPED_TRACE(op);
    bool differentiable = name.hasInterface<ens::DifferentiableOpInterface>();
    bool without = isWithoutDerivative(name.getStringRef());
    EXPECT_FALSE(differentiable && without);
    EXPECT_EQ(isCoreOp(name), notCore.count(op) == 0);
    // The ensemble's rule is checked where ensembles can be run.
    if (differentiable && !notCore.count(op) && op != "ensemble")
      EXPECT_TRUE(isSampled(op)) << "no sample checks the derivative";
  }
}

TEST(Closure, KnownNamesExist) {
  DifferentiatedProgram program("");
  mlir::MLIRContext *context = program.module().getContext();
  for (const std::string &op : notCore)
    EXPECT_TRUE(mlir::RegisteredOperationName::lookup("ens." + op, context))
        << op;
}
} // namespace
