//===- CompiledCorpusTest.cpp - Conformance cases, compiled ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One test per case, named after its id: CompiledCorpus.AD_A02. Each call runs
// alone in the solo instance, and in the lanes instance between a run whose
// floats are NaN and one whose floats are infinite.
//
//===----------------------------------------------------------------------===//

#include "../Reference/StackedRuns.h"
#include "Cases.h"

#include "ensc/API/Compiler.h"

#include "gtest/gtest.h"

using namespace ensc;
using namespace ensc::test;

namespace {

/// A tensor like `tensor` whose floats are all `value`; integers are kept, so
/// that a neighbour's trip counts stay what they are.
Tensor poisoned(const Tensor &tensor, double value) {
  Tensor result = tensor.clone();
  for (int64_t i = 0; i < result.size(); ++i) {
    if (result.dtype() == DType::F32)
      result.data<float>()[i] = static_cast<float>(value);
    if (result.dtype() == DType::F64)
      result.data<double>()[i] = value;
  }
  return result;
}

/// The results of one run out of those of several.
Tensors resultsOf(const Tensors &all, int64_t run) {
  Tensors results;
  for (const Tensor &tensor : all)
    results.push_back(runOf(tensor, run));
  return results;
}

class CompiledCase : public testing::Test {
public:
  explicit CompiledCase(Case test) : test(std::move(test)) {}

  void TestBody() override {
    RunnableCase program = runnable(test);
    if (program.calls.empty())
      return;
    Expected<Executable> compiled = Compiler().compile(program.program);
    ASSERT_TRUE(compiled) << compiled.error().message();
    for (const Call &call : program.calls) {
      expectAlone(*compiled, call);
      expectAmongNeighbours(*compiled, call);
    }
  }

private:
  static void expectAlone(const Executable &compiled, const Call &call) {
    std::vector<Tensor> arguments;
    for (const Tensor &input : call.inputs)
      arguments.push_back(stacked({input}));
    CallOptions options;
    options.schedule = RunSchedule::Solo;
    Expected<Tensors> results =
        compiled.call(call.function, arguments, options);
    ASSERT_TRUE(results) << results.error().message();
    expectOutputs(call, resultsOf(*results, 0));
  }

  static void expectAmongNeighbours(const Executable &compiled,
                                    const Call &call) {
    std::vector<Tensor> arguments;
    for (const Tensor &input : call.inputs)
      arguments.push_back(stacked(
          {poisoned(input, notANumber), input, poisoned(input, infinity)}));
    CallOptions options;
    options.runs = 3;
    options.schedule = RunSchedule::Lanes;
    Expected<Tensors> results =
        compiled.call(call.function, arguments, options);
    ASSERT_TRUE(results) << results.error().message();
    expectOutputs(call, resultsOf(*results, 1));
  }

  Case test;
};

/// Registers before main does anything.
const bool areRegistered = [] {
  registerCases<CompiledCase>("CompiledCorpus", allCases());
  registerCases<CompiledCase>("CompiledKinks", kinkCases());
  return true;
}();

} // namespace
