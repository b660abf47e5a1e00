//===- EnsDialect.cpp - The dialect and its attributes --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

#include "ensc/Dialect/Ens/IR/EnsDialect.cpp.inc"
#include "ensc/Dialect/Ens/IR/EnsEnums.cpp.inc"
#include "ensc/Dialect/Ens/IR/EnsInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ensc/Dialect/Ens/IR/EnsAttributes.cpp.inc"

namespace {
/// Functions of tensors may always be inlined: no op has a side effect.
struct EnsInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void EnsDialect::initialize() {
  addAttributes();
  addElementwiseOps();
  addShapeOps();
  addContractionOps();
  addIndexingOps();
  addRandomOps();
  addCompositeOps();
  addTransformOps();
  addPhaseOps();
  addInterfaces<EnsInlinerInterface>();
}

void EnsDialect::addAttributes() {
  Dialect::addAttributes<
#define GET_ATTRDEF_LIST
#include "ensc/Dialect/Ens/IR/EnsAttributes.cpp.inc"
      >();
}

Operation *EnsDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}

FailureOr<APFloat> ens::parseF64Parameter(AsmParser &parser) {
  double value;
  if (parser.parseFloat(value))
    return failure();
  return APFloat(value);
}

Type ens::withElementType(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(element);
  return element;
}

bool ens::isCountable(RankedTensorType type) {
  constexpr int64_t most = int64_t{1} << 40;
  int64_t elements = 1;
  for (int64_t extent : type.getShape()) {
    if (extent > most / elements)
      return false;
    elements *= std::max<int64_t>(extent, 1);
  }
  return true;
}

Type ens::elementTypeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getElementType();
  return type;
}
