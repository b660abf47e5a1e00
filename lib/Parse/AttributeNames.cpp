//===- AttributeNames.cpp - Attributes that nobody reads ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttributeNames.h"

#include "ensc/Dialect/Ens/IR/HyperRange.h"
#include "ensc/Runtime/Suggest.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

/// What is wrong with the first of `given` that belongs to ensc and is not in
/// `known`; empty: nothing.
static std::string describeUnknown(ArrayRef<NamedAttribute> given,
                                   ArrayRef<StringRef> known,
                                   bool ownsPlainNames = false) {
  for (NamedAttribute attribute : given) {
    StringRef name = attribute.getName();
    bool isOurs =
        name.starts_with("ens.") || (ownsPlainNames && !name.contains('.'));
    if (!isOurs || llvm::is_contained(known, name))
      continue;
    std::vector<std::string> names(known.begin(), known.end());
    return "has no attribute '" + name.str() + "'" + suggest(name.str(), names);
  }
  return "";
}

LogicalResult ensc::verifyAttributeNames(func::FuncOp function) {
  auto check = [&](Location loc, const Twine &what, DictionaryAttr given,
                   ArrayRef<StringRef> known) -> LogicalResult {
    if (!given)
      return success();
    std::string problem = describeUnknown(given.getValue(), known);
    if (problem.empty())
      return success();
    return emitError(loc) << what << " of @" << function.getName() << " "
                          << problem;
  };
  Location loc = function.getLoc();
  std::string problem = describeUnknown(
      llvm::to_vector(function->getDiscardableAttrs()), {directionAttr});
  if (!problem.empty())
    return emitError(loc) << "@" << function.getName() << " " << problem;
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (failed(check(argument.getLoc(), "argument " + Twine(index),
                     function.getArgAttrDict(index),
                     {nameAttr, roleAttr, defaultAttr, rangeAttr, classesAttr,
                      perRunAttr})))
      return failure();
  }
  for (unsigned index = 0; index < function.getNumResults(); ++index)
    if (failed(check(loc, "result " + Twine(index),
                     function.getResultAttrDict(index),
                     {nameAttr, roleAttr, directionAttr})))
      return failure();
  return success();
}

LogicalResult ensc::verifyAttributeNames(LearnerOp learner) {
  SmallVector<StringRef> known;
  for (StringAttr name : learner->getName().getAttributeNames())
    known.push_back(name);
  std::string problem =
      describeUnknown(llvm::to_vector(learner->getDiscardableAttrs()), known,
                      /*ownsPlainNames=*/true);
  if (!problem.empty())
    return learner.emitOpError(problem);
  return success();
}
