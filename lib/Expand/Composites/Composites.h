//===- Composites.h - What the composites lower to --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPAND_COMPOSITES_COMPOSITES_H
#define ENSC_LIB_EXPAND_COMPOSITES_COMPOSITES_H

#include "../TensorBuilder.h"

#include "mlir/IR/PatternMatch.h"

namespace ensc {

// One set of patterns per family. They emit core ops only, never another
// composite, so that one walk over a module lowers all of them.
void populateActivationPatterns(mlir::RewritePatternSet &patterns);
void populateReductionPatterns(mlir::RewritePatternSet &patterns);
void populateLossPatterns(mlir::RewritePatternSet &patterns);
void populateRandomPatterns(mlir::RewritePatternSet &patterns);

/// logsumexp of the last dimension, with the derivative softmax(x) that holds
/// for rows of -inf too.
mlir::Value emitLogSumExp(TensorBuilder &builder, mlir::Value x);

/// exp(x - logsumexp(x)) along the last dimension, 0 in a row of -inf.
mlir::Value emitProbabilities(TensorBuilder &builder, mlir::Value x);

/// "4x3xf32": how a type is written in the name of a generated function.
std::string typeSuffix(mlir::Type type);

/// The results of a function body as `body` emits them from its arguments.
using FunctionBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    TensorBuilder &, mlir::ValueRange)>;

/// The private function `name` of the module around the builder. It is made by
/// `body` unless it is there already: its name says all about it.
mlir::FlatSymbolRefAttr getOrCreateFunction(TensorBuilder &builder,
                                            llvm::StringRef name,
                                            mlir::TypeRange arguments,
                                            FunctionBody body);

} // namespace ensc

#endif // ENSC_LIB_EXPAND_COMPOSITES_COMPOSITES_H
