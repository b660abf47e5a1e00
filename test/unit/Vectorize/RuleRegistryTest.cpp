//===- RuleRegistryTest.cpp - Every core op has a run rule ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Vectorize/RunRules.h"

#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {

template <typename... Ops> std::vector<std::string> namesOf() {
  return {Ops::getOperationName().str()...};
}

/// The ops that are left when Vectorize begins.
std::vector<std::string> coreOps() {
  std::vector<std::string> names;
  for (const auto &family : {namesOf<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsElementwise.cpp.inc"
                                 >(),
                             namesOf<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsShape.cpp.inc"
                                 >(),
                             namesOf<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsContraction.cpp.inc"
                                 >(),
                             namesOf<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsIndexing.cpp.inc"
                                 >(),
                             namesOf<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsRandom.cpp.inc"
                                 >()})
    names.insert(names.end(), family.begin(), family.end());
  return names;
}

TEST(RuleRegistryTest, EveryCoreOpHasARunRule) {
  DialectRegistry registry;
  registry.insert<EnsDialect>();
  registerRunRules(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  // What these give is equal in all runs by their definition.
  const std::vector<std::string> uniform = {
      ConstantOp::getOperationName().str(), IotaOp::getOperationName().str(),
      FromIndexOp::getOperationName().str()};
  for (const std::string &name : coreOps()) {
    auto op = RegisteredOperationName::lookup(name, &context);
    ASSERT_TRUE(op) << name;
    bool needsRule = !llvm::is_contained(uniform, name);
    EXPECT_EQ(op->hasInterface<RunVectorizableOpInterface>(), needsRule)
        << name;
  }
}

} // namespace
