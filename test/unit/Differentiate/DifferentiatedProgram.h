//===- DifferentiatedProgram.h - Programs up to Differentiate ---*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_DIFFERENTIATE_DIFFERENTIATEDPROGRAM_H
#define ENSC_TEST_UNIT_DIFFERENTIATE_DIFFERENTIATEDPROGRAM_H

#include "ensc/API/Tensor.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace ensc::test {

/// A module that has gone through Expand and Differentiate and is interpreted.
class DifferentiatedProgram {
public:
  explicit DifferentiatedProgram(llvm::StringRef text);

  /// What was wrong with the program; empty if nothing.
  const std::string &diagnostics() const { return diagnostics_; }

  /// The results of a function.
  Expected<std::vector<Tensor>> call(llvm::StringRef name,
                                     llvm::ArrayRef<Tensor> arguments);

  mlir::ModuleOp module() { return *module_; }

private:
  mlir::MLIRContext context_;
  std::string diagnostics_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_DIFFERENTIATE_DIFFERENTIATEDPROGRAM_H
