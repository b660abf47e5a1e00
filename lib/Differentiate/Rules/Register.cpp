//===- Register.cpp - Attaching the rules of all families -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Differentiate/Rules.h"

#include "RuleBuilder.h"

using namespace mlir;
using namespace ensc;

void ensc::registerDerivativeRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ens::EnsDialect *) {
    attachElementwiseRules(context);
    attachShapeRules(context);
    attachContractionRules(context);
    attachIndexingRules(context);
    attachTransformRules(context);
  });
}

bool ensc::isWithoutDerivative(StringRef name) {
  static constexpr StringLiteral names[] = {
      // Sources of values.
      "ens.constant", "ens.iota", "ens.rng_bits", "ens.permutation",
      "ens.run_id", "ens.from_index",
      // Integers or booleans on one side.
      "ens.arg_reduce", "ens.compare", "ens.bitcast", "ens.not", "ens.and",
      "ens.or", "ens.xor", "ens.mul_high", "ens.shift_left",
      "ens.shift_right_logical", "ens.shift_right_arithmetic"};
  return llvm::is_contained(names, name);
}

bool ensc::isCoreOp(OperationName name) {
  if (name.getStringRef() == ens::CustomGradOp::getOperationName())
    return false;
  return name.hasInterface<ens::DifferentiableOpInterface>() ||
         isWithoutDerivative(name.getStringRef());
}
