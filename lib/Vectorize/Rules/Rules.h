//===- Rules.h - What the run rules are made of -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_VECTORIZE_RULES_RULES_H
#define ENSC_LIB_VECTORIZE_RULES_RULES_H

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Vectorize/RunRules.h"

namespace ensc {

/// `op` on `operands`, uniform ones brought to all runs, with results that lead
/// with `runs`. Attributes that name dimensions are still those of one run.
mlir::Operation *copyForRuns(mlir::OpBuilder &builder, mlir::Operation *op,
                             llvm::ArrayRef<mlir::Value> operands,
                             const llvm::BitVector &varying, int64_t runs);

/// Dimensions of one run as dimensions of several.
llvm::SmallVector<int64_t> shiftDims(llvm::ArrayRef<int64_t> dims);

/// A list with one entry per dimension, with `first` for the runs.
llvm::SmallVector<int64_t> prependDim(int64_t first,
                                      llvm::ArrayRef<int64_t> entries);

/// The rule of nearly every op: the same op on varying operands, after `shift`
/// has told its attributes that there is one more leading dimension.
template <typename OpTy, void (*shift)(OpTy copy, int64_t runs)>
struct ShiftedRule
    : ens::RunVectorizableOpInterface::ExternalModel<ShiftedRule<OpTy, shift>,
                                                     OpTy> {
  llvm::LogicalResult
  vectorizeOverRuns(mlir::Operation *op, mlir::OpBuilder &builder,
                    llvm::ArrayRef<mlir::Value> operands,
                    const llvm::BitVector &varying, int64_t runs,
                    llvm::SmallVectorImpl<mlir::Value> &results) const {
    mlir::Operation *copy = copyForRuns(builder, op, operands, varying, runs);
    shift(llvm::cast<OpTy>(copy), runs);
    llvm::append_range(results, copy->getResults());
    return llvm::success();
  }
};

/// For ops whose attributes name no dimension.
template <typename OpTy> void shiftNothing(OpTy, int64_t) {}

void attachElementwiseRunRules(mlir::MLIRContext *context);
void attachShapeRunRules(mlir::MLIRContext *context);
void attachContractionRunRules(mlir::MLIRContext *context);
void attachIndexingRunRules(mlir::MLIRContext *context);
void attachRandomRunRules(mlir::MLIRContext *context);

} // namespace ensc

#endif // ENSC_LIB_VECTORIZE_RULES_RULES_H
