//===- RuleBuilder.h - What rules are written in ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_DIFFERENTIATE_RULES_RULEBUILDER_H
#define ENSC_LIB_DIFFERENTIATE_RULES_RULEBUILDER_H

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ensc {

/// Emits core ops at the location of the op that is differentiated.
class RuleBuilder : public mlir::ImplicitLocOpBuilder {
public:
  RuleBuilder(mlir::Operation *op, mlir::OpBuilder &builder)
      : ImplicitLocOpBuilder(op->getLoc(), builder) {}

  /// A tensor whose elements are all `number`, rounded once.
  mlir::Value constant(mlir::Type type, double number);
  mlir::Value zero(mlir::Type type) { return constant(type, 0); }
  /// `value`, or zeros of `type` where it is null.
  mlir::Value orZero(mlir::Value value, mlir::Type type) {
    return value ? value : zero(type);
  }

  mlir::Value neg(mlir::Value x);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value mul(double a, mlir::Value b);
  mlir::Value compare(ens::ComparePredicate predicate, mlir::Value a,
                      mlir::Value b);
  mlir::Value compare(ens::ComparePredicate predicate, mlir::Value a, double b);
  mlir::Value select(mlir::Value predicate, mlir::Value a, mlir::Value b);
  /// `a` where the predicate holds, 0 elsewhere.
  mlir::Value keep(mlir::Value predicate, mlir::Value a);
  /// 0 where the predicate holds, `a` elsewhere.
  mlir::Value drop(mlir::Value predicate, mlir::Value a);

  mlir::Value broadcast(mlir::Value x, mlir::Type type,
                        llvm::ArrayRef<int64_t> dims);
  /// Sum over `dims`; `x` itself if there are none.
  mlir::Value sum(mlir::Value x, llvm::ArrayRef<int64_t> dims);
  /// `x` itself if the permutation is the identity.
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> permutation);

  /// The sum of two tangents or cotangents, null standing for zero.
  mlir::Value accumulate(mlir::Value sum, mlir::Value term);
};

/// The dimensions from `begin` up to `end`.
llvm::SmallVector<int64_t> dimRange(int64_t begin, int64_t end);

/// The dimensions of `rank` that are not among `dims`, ascending.
llvm::SmallVector<int64_t> otherDims(int64_t rank,
                                     llvm::ArrayRef<int64_t> dims);

inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// Whether values of this type have a tangent.
inline bool hasTangent(mlir::Type type) {
  return llvm::isa<mlir::FloatType>(ens::elementTypeOf(type));
}

using Values = llvm::SmallVectorImpl<mlir::Value>;

/// The shell of a rule: subclasses implement `jvp` and `vjp` on a RuleBuilder
/// and the op's own class. Both cannot fail.
template <typename Rule, typename OpTy>
struct RuleModel
    : ens::DifferentiableOpInterface::ExternalModel<RuleModel<Rule, OpTy>,
                                                    OpTy> {
  llvm::LogicalResult emitJvp(mlir::Operation *op, mlir::OpBuilder &builder,
                              llvm::ArrayRef<mlir::Value> operandTangents,
                              Values &resultTangents) const {
    RuleBuilder b(op, builder);
    Rule::jvp(b, llvm::cast<OpTy>(op), operandTangents, resultTangents);
    return llvm::success();
  }

  llvm::LogicalResult emitVjp(mlir::Operation *op, mlir::OpBuilder &builder,
                              llvm::ArrayRef<mlir::Value> resultCotangents,
                              const llvm::BitVector &active,
                              Values &operandCotangents) const {
    RuleBuilder b(op, builder);
    Rule::vjp(b, llvm::cast<OpTy>(op), resultCotangents.front(), active,
              operandCotangents);
    return llvm::success();
  }
};

/// Attaches a rule, which names its op as `Rule::Op`.
template <typename... Rules> void attachRules(mlir::MLIRContext *context) {
  (Rules::Op::template attachInterface<RuleModel<Rules, typename Rules::Op>>(
       *context),
   ...);
}

void attachElementwiseRules(mlir::MLIRContext *context);
void attachShapeRules(mlir::MLIRContext *context);
void attachContractionRules(mlir::MLIRContext *context);
void attachIndexingRules(mlir::MLIRContext *context);
void attachTransformRules(mlir::MLIRContext *context);

} // namespace ensc

#endif // ENSC_LIB_DIFFERENTIATE_RULES_RULEBUILDER_H
