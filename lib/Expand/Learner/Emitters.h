//===- Emitters.h - The functions that train a learner ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPAND_LEARNER_EMITTERS_H
#define ENSC_LIB_EXPAND_LEARNER_EMITTERS_H

#include "LearnerModel.h"

namespace ensc {

/// A function under construction: its body is emitted at the end of the entry
/// block, its arguments are known by name.
class FunctionEmitter {
public:
  /// Starts the function `symbol` with the arguments `ports`, in order.
  FunctionEmitter(mlir::OpBuilder &module, mlir::Location loc,
                  llvm::StringRef symbol, const Ports &arguments);

  TensorBuilder &builder() { return body; }
  /// The argument of that name; a name beside those of the ports is a bug.
  mlir::Value argument(llvm::StringRef name) const;
  llvm::SmallVector<mlir::Value> arguments(const Ports &ports) const;
  const Bindings &bindings() const { return byName; }

  /// Ends the function with `results`, described by `ports`.
  mlir::func::FuncOp finish(mlir::ValueRange results, const Ports &ports);

private:
  mlir::func::FuncOp function;
  TensorBuilder body;
  Bindings byName;
};

/// A call of a user's function: `params`, then each further argument by name
/// from `bindings`. Seed and step are bound under the names of their roles.
mlir::Value emitCall(TensorBuilder &builder, const LearnerFunction &callee,
                     mlir::ValueRange params, const Bindings &bindings);

/// Ports that are not the user's.
Port seedPort(mlir::MLIRContext *context, llvm::StringRef name = "seed");
Port stepPort(mlir::MLIRContext *context);
/// The numbers of `count` rows of data that have `rows`.
Port rowNumbersPort(mlir::MLIRContext *context, llvm::StringRef name,
                    int64_t count, int64_t rows);

/// The concatenation of lists of ports.
Ports concat(llvm::ArrayRef<const Ports *> lists);

/// The batches of `data` as whole arrays of `rows` rows; `suffix` is added to
/// their names.
Ports withRows(const Ports &data, int64_t rows, llvm::StringRef suffix);

// Each emits one function into the module; see Learner for what they compute.
mlir::func::FuncOp emitInit(const LearnerModel &model, mlir::OpBuilder &module);
mlir::func::FuncOp emitObjective(const LearnerModel &model,
                                 mlir::OpBuilder &module);
mlir::func::FuncOp emitStep(const LearnerModel &model, mlir::OpBuilder &module,
                            mlir::func::FuncOp objective);
mlir::func::FuncOp emitFit(const LearnerModel &model, mlir::OpBuilder &module,
                           mlir::func::FuncOp step);
mlir::func::FuncOp emitEvaluate(const LearnerModel &model,
                                mlir::OpBuilder &module);
mlir::func::FuncOp emitPredict(const LearnerModel &model,
                               mlir::OpBuilder &module);

} // namespace ensc

#endif // ENSC_LIB_EXPAND_LEARNER_EMITTERS_H
