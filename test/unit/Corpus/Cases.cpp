//===- Cases.cpp - Conformance cases as data ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include <cmath>
#include <set>

using namespace ensc;
using namespace ensc::test;

static std::string typeOf(const Tensor &tensor) {
  return "tensor<" + typeString(tensor.dtype(), tensor.shape()) + ">";
}

/// "prefix0 suffix, prefix1 suffix" with one entry per tensor.
static std::string list(const Tensors &tensors, const std::string &prefix,
                        bool withNames, bool withTypes) {
  std::string text;
  for (size_t i = 0; i < tensors.size(); ++i) {
    text += i ? ", " : "";
    if (withNames)
      text += prefix + std::to_string(i) + (withTypes ? ": " : "");
    if (withTypes)
      text += typeOf(tensors[i]);
  }
  return text;
}

/// A function @NAME that applies the derivative `op` to @CALLEE.
static std::string wrapper(const std::string &name, const std::string &op,
                           const Call &call, const Tensors &inputs,
                           const Tensors &outputs) {
  std::string wrt;
  for (int index : call.wrt)
    wrt += (wrt.empty() ? "" : ", ") + std::to_string(index);
  std::string results = list(outputs, "%r#", true, false);
  std::string types = list(outputs, "", false, true);
  return "func.func @" + name + "(" + list(inputs, "%p", true, true) +
         ") -> (" + types + ") {\n  %r:" + std::to_string(outputs.size()) +
         " = ens." + op + " @" + call.function + "(" +
         list(inputs, "%p", true, false) + ") wrt = [" + wrt + "] : (" +
         list(inputs, "", false, true) + ") -> (" + types + ")\n  return " +
         results + " : " + types + "\n}\n";
}

static Tensors operator+(Tensors a, const Tensors &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Element `index` of a tensor of f32 or f64, or a tensor that is 1 there and 0
/// elsewhere.
static Tensor elementOf(const Tensor &tensor, int64_t index) {
  if (tensor.dtype() == DType::F32)
    return Tensor::scalar(tensor.data<float>()[index]);
  return Tensor::scalar(tensor.data<double>()[index]);
}
static Tensor unitLike(const Tensor &tensor, int64_t index) {
  Tensor unit = Tensor::zeros(tensor.dtype(), tensor.shape());
  if (tensor.dtype() == DType::F32)
    unit.data<float>()[index] = 1;
  else
    unit.data<double>()[index] = 1;
  return unit;
}

/// The calls of forward mode, one per element that is differentiated by.
static void appendForward(const Call &call, const std::string &name,
                          std::vector<Call> &calls) {
  constexpr int64_t most = 256;
  for (size_t position = 0; position < call.wrt.size(); ++position) {
    const Tensor &gradient = call.gradients[position];
    for (int64_t i = 0; i < std::min(gradient.size(), most); ++i) {
      Tensors tangents;
      for (const Tensor &other : call.gradients)
        tangents.push_back(Tensor::zeros(other.dtype(), other.shape()));
      tangents[position] = unitLike(gradient, i);
      calls.push_back(value(name, call.inputs + tangents,
                            call.outputs + Tensors{elementOf(gradient, i)},
                            call.tolerance));
    }
  }
}

RunnableCase ensc::test::runnable(const Case &test) {
  RunnableCase result{withAliases(test.program), {}};
  std::set<std::string> made;
  for (const Call &call : test.calls) {
    if (call.wrt.empty()) {
      result.calls.push_back(call);
      continue;
    }
    std::string suffix;
    for (int index : call.wrt)
      suffix += "_" + std::to_string(index);
    for (const Tensor &input : call.inputs)
      for (int64_t extent : input.shape())
        suffix += "x" + std::to_string(extent);
    std::string reverse = call.function + "_reverse" + suffix;
    std::string forward = call.function + "_forward" + suffix;
    if (made.insert(reverse).second) {
      result.program += wrapper(reverse, "value_and_grad", call, call.inputs,
                                call.outputs + call.gradients);
      result.program +=
          wrapper(forward, "jvp", call, call.inputs + call.gradients,
                  call.outputs + call.outputs);
    }
    result.calls.push_back(value(
        reverse, call.inputs, call.outputs + call.gradients, call.tolerance));
    appendForward(call, forward, result.calls);
  }
  return result;
}

std::string ensc::test::withAliases(const std::string &program) {
  std::string aliases = "!f = tensor<f64>\n!s = tensor<f32>\n";
  for (int extent = 1; extent <= 10; ++extent) {
    std::string text = std::to_string(extent);
    aliases += "!f" + text + " = tensor<" + text + "xf64>\n";
    aliases += "!s" + text + " = tensor<" + text + "xf32>\n";
  }
  return aliases + program;
}

/// Whether two numbers agree: specials and zeros exactly.
static bool agree(double actual, double expected, double tolerance) {
  if (std::isnan(expected))
    return std::isnan(actual);
  if (std::isinf(expected) || expected == 0 || tolerance == 0)
    return actual == expected;
  return std::abs(actual - expected) <= tolerance * std::abs(expected);
}

template <typename T>
static void expectNumbers(const Tensor &actual, const Tensor &expected,
                          double tolerance) {
  for (int64_t i = 0; i < actual.size(); ++i)
    if (!agree(actual.data<T>()[i], expected.data<T>()[i], tolerance)) {
      ADD_FAILURE() << "element " << i << " differs\nactual   "
                    << describe(actual) << "\nexpected " << describe(expected);
      return;
    }
}

void ensc::test::expectOutputs(const Call &call, const Tensors &actual) {
  ASSERT_EQ(actual.size(), call.outputs.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    SCOPED_TRACE("@" + call.function + ", result " + std::to_string(i));
    const Tensor &expected = call.outputs[i];
    ASSERT_EQ(typeOf(actual[i]), typeOf(expected));
    bool isDefault = call.tolerance < 0;
    if (call.tolerance == 0)
      expectTensor(actual[i], expected);
    else if (expected.dtype() == DType::F64)
      expectNumbers<double>(actual[i], expected,
                            isDefault ? 1e-9 : call.tolerance);
    else if (expected.dtype() == DType::F32)
      expectNumbers<float>(actual[i], expected,
                           isDefault ? 1e-5 : call.tolerance);
    else
      expectTensor(actual[i], expected);
  }
}

Cases ensc::test::allCases() {
  Cases all;
  for (auto category :
       {autodiffCases, tieCases, nanCases, controlFlowCases, typeCases,
        indexingCases, reductionCases, normalizationCases, higherOrderCases,
        resourceCases, codegenCases, inputCases}) {
    Cases cases = category();
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}
