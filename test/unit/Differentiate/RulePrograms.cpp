//===- RulePrograms.cpp - Samples and their derivatives as programs -------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RulePrograms.h"

using namespace ensc;
using namespace ensc::test;

namespace {
std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// Names like %p0, %p1 for `count` values.
std::vector<std::string> names(const std::string &prefix, size_t count) {
  std::vector<std::string> result;
  for (size_t i = 0; i < count; ++i)
    result.push_back("%" + prefix + std::to_string(i));
  return result;
}

/// A function that only applies a derivative `op` to @`callee`. Its results are
/// those of the op from `first` on.
struct Wrapper {
  std::string name, op, callee;
  std::vector<std::string> inputs, outputs;
  size_t wrtCount, first;

  std::string text() const {
    std::vector<std::string> arguments = names("p", inputs.size());
    std::vector<std::string> typed, wrt;
    for (size_t i = 0; i < inputs.size(); ++i)
      typed.push_back(arguments[i] + ": " + inputs[i]);
    for (size_t i = 0; i < wrtCount; ++i)
      wrt.push_back(std::to_string(i));
    std::vector<std::string> results = names("r#", outputs.size());
    std::vector<std::string> kept(results.begin() + first, results.end());
    std::vector<std::string> types(outputs.begin() + first, outputs.end());
    return "func.func @" + name + "(" + join(typed) + ") -> (" + join(types) +
           ") {\n  %r:" + std::to_string(outputs.size()) + " = ens." + op +
           " @" + callee + "(" + join(arguments) + ") wrt = [" + join(wrt) +
           "] : (" + join(inputs) + ") -> (" + join(outputs) + ")\n  return " +
           join(kept) + " : " + join(types) + "\n}\n";
  }
};

std::vector<std::string> concat(std::vector<std::string> a,
                                const std::vector<std::string> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

} // namespace

std::string ensc::test::programOf(const RuleSample &sample) {
  std::vector<std::string> types, typed;
  const char *letters[] = {"%a", "%b", "%c"};
  for (size_t i = 0; i < sample.arguments.size(); ++i) {
    types.push_back("tensor<" + sample.arguments[i] + "f64>");
    typed.push_back(letters[i] + std::string(": ") + types.back());
  }
  std::string result = "tensor<" + sample.result + "f64>";
  std::string text = "func.func @" + sample.name + "(" + join(typed) + ") -> " +
                     result + " {\n  " + sample.body +
                     "\n  return %y : " + result + "\n}\n";
  size_t count = types.size();
  std::vector<std::string> withSeed = concat(types, {result});
  const std::string &name = sample.name;
  text += Wrapper{name + "_jvp",    "jvp", name, concat(types, types),
                  {result, result}, count, 1}
              .text();
  text += Wrapper{name + "_vjp",           "vjp", name, withSeed,
                  concat({result}, types), count, 1}
              .text();
  text +=
      Wrapper{
          name + "_vjp_jvp",    "jvp", name + "_vjp", concat(withSeed, types),
          concat(types, types), count, count}
          .text();
  text +=
      Wrapper{
          name + "_vjp_vjp",    "vjp", name + "_vjp", concat(withSeed, types),
          concat(types, types), count, count}
          .text();
  return text;
}

static Shape shapeOf(const std::string &text) {
  Shape shape;
  for (size_t at = 0; at < text.size(); at = text.find('x', at) + 1)
    shape.push_back(std::stoll(text.substr(at)));
  return shape;
}

Tensor ensc::test::randomTensor(const std::string &shape, std::mt19937 &engine,
                                double low, double high) {
  Tensor tensor = Tensor::zeros(DType::F64, shapeOf(shape));
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.data<double>()[i] = low + (high - low) * (engine() / 4294967296.0);
  return tensor;
}
