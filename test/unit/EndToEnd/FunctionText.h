//===- FunctionText.h - Programs written piece by piece ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_ENDTOEND_FUNCTIONTEXT_H
#define ENSC_TEST_UNIT_ENDTOEND_FUNCTIONTEXT_H

#include <string>

namespace ensc::test {

/// "tensor<4x3xf32>" of "4x3" and "f32".
inline std::string tensorType(const std::string &shape,
                              const std::string &element) {
  return "tensor<" + shape + (shape.empty() ? "" : "x") + element + ">";
}

/// Writes one function: arguments, operations and results in any order.
class FunctionText {
public:
  explicit FunctionText(std::string name) : name(std::move(name)) {}

  /// An argument of which each run has its own, or that all share.
  std::string argument(const std::string &type, bool shared = false) {
    // Only tensors with rows are shared: a scalar is the only element of one.
    if (shared && type.find('x') == std::string::npos) {
      std::string row =
          "tensor<1x" + type.substr(std::string("tensor<").size());
      return value("ens.reshape " + argument(row, shared) + " : " + row +
                   " to " + type);
    }
    std::string value = "%a" + std::to_string(count++);
    arguments += (arguments.empty() ? "" : ", ") + value + ": " + type;
    if (shared)
      arguments +=
          " {ens.name = \"" + value.substr(1) + "\", ens.role = \"data\"}";
    return value;
  }

  /// An argument written out, as in `%seed: tensor<i64> {...}`.
  void argumentText(const std::string &text) {
    arguments += (arguments.empty() ? "" : ", ") + text;
  }

  /// `%new = text`.
  std::string value(const std::string &text) {
    std::string value = "%v" + std::to_string(count++);
    body += "  " + value + " = " + text + "\n";
    return value;
  }

  /// Lines as they are.
  void line(const std::string &text) { body += "  " + text + "\n"; }

  /// Returns a value, which mismatches then call `label`.
  void result(const std::string &label, const std::string &value,
              const std::string &type) {
    std::string separator = results.empty() ? "" : ", ";
    results += separator + type + " {ens.name = \"" + label + "\"}";
    returned += separator + value;
    types += separator + type;
  }

  /// `result` of a new value.
  void check(const std::string &label, const std::string &text,
             const std::string &type) {
    result(label, value(text), type);
  }

  std::string str() const {
    return "func.func @" + name + "(" + arguments + ") -> (" + results +
           ") {\n" + body + "  return " + returned + " : " + types + "\n}\n";
  }

private:
  std::string name, arguments, body, results, returned, types;
  int count = 0;
};

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_ENDTOEND_FUNCTIONTEXT_H
