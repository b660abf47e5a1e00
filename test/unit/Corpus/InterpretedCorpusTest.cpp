//===- InterpretedCorpusTest.cpp - Conformance cases, interpreted ---------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One test per case, named after its id: Corpus.AD_A02, Kinks.abs.
//
//===----------------------------------------------------------------------===//

#include "../Differentiate/DifferentiatedProgram.h"
#include "Cases.h"

#include "gtest/gtest.h"

using namespace ensc;
using namespace ensc::test;

namespace {
class InterpretedCase : public testing::Test {
public:
  explicit InterpretedCase(Case test) : test(std::move(test)) {}

  void TestBody() override {
    RunnableCase program = runnable(test);
    DifferentiatedProgram compiled(program.program);
    ASSERT_EQ(compiled.diagnostics(), "");
    for (const Call &call : program.calls) {
      auto results = compiled.call(call.function, call.inputs);
      ASSERT_TRUE(results) << results.error().message();
      expectOutputs(call, *results);
    }
    for (const Refusal &refusal : test.refusals) {
      DifferentiatedProgram refused(withAliases(refusal.program));
      EXPECT_NE(refused.diagnostics().find(refusal.message), std::string::npos)
          << "diagnostics: " << refused.diagnostics();
    }
  }

private:
  Case test;
};

/// Registers before main does anything.
const bool areRegistered = [] {
  registerCases<InterpretedCase>("Corpus", allCases());
  registerCases<InterpretedCase>("Kinks", kinkCases());
  return true;
}();
} // namespace
