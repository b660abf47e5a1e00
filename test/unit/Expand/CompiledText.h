//===- CompiledText.h - Programs as text, by name ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_EXPAND_COMPILEDTEXT_H
#define ENSC_TEST_UNIT_EXPAND_COMPILEDTEXT_H

#include "../Reference/ExpectTensor.h"
#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Reference/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <map>

namespace ensc::test {

/// Arguments or results of a function by their `ens.name`.
using NamedTensors = std::map<std::string, Tensor>;

/// A program taken through the phases up to Differentiate, whose functions are
/// then interpreted.
class CompiledText {
public:
  explicit CompiledText(const std::string &text,
                        const PipelineOptions &options = {}) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    mlir::ParserConfig config(&context);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, config, "test");
    if (!module)
      return;
    mlir::PassManager passes(&context);
    buildPipeline(passes, options, std::nullopt, *findPhase("differentiate"));
    if (failed(passes.run(*module)))
      module = nullptr;
  }

  /// The results of the public function `name`; zeros where it cannot be
  /// called, which is a failure of the test.
  std::vector<Tensor> call(const std::string &name,
                           const std::vector<Tensor> &arguments) {
    mlir::func::FuncOp function = lookup(name);
    std::vector<Tensor> zeros(8, Tensor::zeros(DType::F64, {}));
    if (!function)
      return zeros;
    auto results = reference::interpret(function, arguments, {});
    if (results)
      return *results;
    ADD_FAILURE() << results.error().message();
    return zeros;
  }

  /// The same with arguments and results by name. A hyper-parameter that is not
  /// given has its default value.
  NamedTensors callByName(const std::string &name,
                          const NamedTensors &arguments) {
    mlir::func::FuncOp function = lookup(name);
    if (!function)
      return {};
    std::vector<Tensor> values;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      values.push_back(argumentOf(function, i, arguments));
    std::vector<Tensor> results = call(name, values);
    NamedTensors named;
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      named[nameOf(function.getResultAttr(i, ens::nameAttr))] = results[i];
    return named;
  }

private:
  mlir::func::FuncOp lookup(const std::string &name) {
    auto function = module ? module->lookupSymbol<mlir::func::FuncOp>(name)
                           : mlir::func::FuncOp();
    EXPECT_TRUE(function) << "the program has no @" << name;
    return function;
  }

  static std::string nameOf(mlir::Attribute attr) {
    auto string = llvm::dyn_cast_or_null<mlir::StringAttr>(attr);
    return string ? string.str() : "";
  }

  static Tensor argumentOf(mlir::func::FuncOp function, unsigned index,
                           const NamedTensors &given) {
    std::string name = nameOf(function.getArgAttr(index, ens::nameAttr));
    if (auto entry = given.find(name); entry != given.end())
      return entry->second;
    auto value =
        function.getArgAttrOfType<mlir::FloatAttr>(index, "ens.default");
    EXPECT_TRUE(value) << "no value for " << name;
    if (!value)
      return Tensor();
    auto type =
        llvm::cast<mlir::RankedTensorType>(function.getArgumentTypes()[index]);
    double number = value.getValueAsDouble();
    return type.getElementType().isF32()
               ? Tensor::scalar(static_cast<float>(number))
               : Tensor::scalar(number);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// `actual` has the elements `expected` up to a relative `tolerance`.
inline void expectNear(const Tensor &actual,
                       const std::vector<double> &expected, double tolerance) {
  ASSERT_EQ(actual.size(), static_cast<int64_t>(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) {
    double value = actual.dtype() == DType::F32 ? actual.data<float>()[i]
                                                : actual.data<double>()[i];
    if (std::isinf(expected[i]) || expected[i] == 0.0)
      EXPECT_EQ(value, expected[i]) << "element " << i;
    else
      EXPECT_NEAR(value, expected[i], std::abs(expected[i]) * tolerance)
          << "element " << i;
  }
}

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_EXPAND_COMPILEDTEXT_H
