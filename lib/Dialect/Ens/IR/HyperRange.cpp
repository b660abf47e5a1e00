//===- HyperRange.cpp - Ranges of hyper-parameters ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/HyperRange.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

std::optional<NumberRange> ens::readRange(Attribute attribute) {
  auto dictionary = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!dictionary)
    return std::nullopt;
  NumberRange range;
  for (NamedAttribute entry : dictionary) {
    const RangeBound *bound =
        llvm::find_if(rangeBounds, [&](const RangeBound &candidate) {
          return entry.getName().getValue() == candidate.name;
        });
    auto number = dyn_cast<FloatAttr>(entry.getValue());
    if (bound == std::end(rangeBounds) || !number ||
        !number.getType().isF64() || !number.getValue().isFinite())
      return std::nullopt;
    range.*bound->value = number.getValueAsDouble();
  }
  return range;
}

DictionaryAttr ens::writeRange(MLIRContext *context, const NumberRange &range) {
  Builder builder(context);
  NamedAttrList entries;
  for (const RangeBound &bound : rangeBounds)
    if (const std::optional<double> &number = range.*bound.value)
      entries.set(bound.name, builder.getF64FloatAttr(*number));
  return entries.getDictionary(context);
}

NumberRange ens::rangeOfScalar(StringRef name) {
  NumberRange notNegative, positive, decay, fraction;
  notNegative.atLeast = decay.atLeast = fraction.atLeast = 0.0;
  positive.above = 0.0;
  decay.below = 1.0;
  fraction.atMost = 1.0;
  return llvm::StringSwitch<NumberRange>(name)
      .Cases({"lr", "weight_decay", "warmup_steps"}, notNegative)
      .Cases({"momentum", "beta1", "beta2"}, decay)
      .Cases({"eps", "clip_norm", "schedule_steps"}, positive)
      .Case("final_fraction", fraction)
      .Default({});
}
