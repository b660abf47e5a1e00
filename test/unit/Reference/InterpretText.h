//===- InterpretText.h - Interpreting programs given as text ----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_REFERENCE_INTERPRETTEXT_H
#define ENSC_TEST_UNIT_REFERENCE_INTERPRETTEXT_H

#include "ExpectTensor.h"
#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Reference/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

namespace ensc::test {

/// Parses one module and calls its functions by name.
class Program {
public:
  explicit Program(llvm::StringRef text) {
    context_.loadDialect<ens::EnsDialect, mlir::arith::ArithDialect,
                         mlir::func::FuncDialect, mlir::scf::SCFDialect,
                         mlir::tensor::TensorDialect>();
    mlir::ParserConfig config(&context_);
    module_ = mlir::parseSourceString<mlir::ModuleOp>(text, config, "test");
  }

  /// The function of that name; the text must have parsed.
  mlir::func::FuncOp function(llvm::StringRef name) {
    EXPECT_TRUE(module_) << "the program does not parse";
    return module_ ? module_->lookupSymbol<mlir::func::FuncOp>(name) : nullptr;
  }

  Expected<std::vector<Tensor>> call(llvm::StringRef name,
                                     std::vector<Tensor> arguments = {},
                                     std::vector<int64_t> runIds = {0}) {
    mlir::func::FuncOp callee = function(name);
    if (!callee)
      return Error(ErrorKind::InvalidModel, "no function " + name.str());
    return reference::interpret(callee, arguments, {std::move(runIds)});
  }

  /// The results of `name`, compared bit for bit with `expected`.
  void expect(llvm::StringRef name, std::vector<Tensor> arguments,
              const std::vector<Tensor> &expected,
              std::vector<int64_t> runIds = {0}) {
    auto results = call(name, std::move(arguments), std::move(runIds));
    ASSERT_TRUE(results) << results.error().message();
    ASSERT_EQ(results->size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      SCOPED_TRACE("@" + name.str() + ", result " + std::to_string(i));
      expectTensor((*results)[i], expected[i]);
    }
  }

  /// The message of the error that calling `name` gives.
  std::string errorOf(llvm::StringRef name, std::vector<Tensor> arguments = {},
                      std::vector<int64_t> runIds = {0}) {
    auto results = call(name, std::move(arguments), std::move(runIds));
    return results ? "no error" : results.error().message();
  }

private:
  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_REFERENCE_INTERPRETTEXT_H
