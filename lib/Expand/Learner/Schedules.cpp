//===- Schedules.cpp - The learning rate at a step ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizerRules.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static constexpr double pi = 3.14159265358979323846;

SmallVector<RuleScalar> ensc::scheduleScalars(Attribute schedule) {
  if (auto cosine = dyn_cast_or_null<CosineScheduleAttr>(schedule))
    return {{"schedule_steps", cosine.getSteps().convertToDouble()},
            {"warmup_steps", cosine.getWarmup().convertToDouble(),
             /*limit=*/"schedule_steps"},
            {"final_fraction", cosine.getFinal().convertToDouble()}};
  if (auto warmup = dyn_cast_or_null<WarmupScheduleAttr>(schedule))
    return {{"warmup_steps", warmup.getSteps().convertToDouble()}};
  return {};
}

/// t / warmup below `warmup`, `later` from there on.
static Value emitWarmup(TensorBuilder &b, Value t, Value warmup, Value later) {
  Value isWarming = b.compare(ComparePredicate::lt, t, warmup);
  return b.select(isWarming, b.div(t, warmup), later);
}

/// 1 at `warmup`, `final` at `steps` and from there on, half a cosine between.
static Value emitCosine(TensorBuilder &b, Value t, const Bindings &scalars) {
  Type type = t.getType();
  Value steps = scalars.lookup("schedule_steps");
  Value warmup = scalars.lookup("warmup_steps");
  Value final = scalars.lookup("final_fraction");
  Value one = b.splat(type, 1.0);
  Value progress = b.div(b.sub(t, warmup), b.sub(steps, warmup));
  Value wave = b.unary<CosOp>(b.mul(b.splat(type, pi), progress));
  Value height = b.mul(b.splat(type, 0.5), b.add(one, wave));
  Value between = b.add(final, b.mul(b.sub(one, final), height));
  Value isOver = b.compare(ComparePredicate::ge, t, steps);
  return b.select(isOver, final, between);
}

Value ensc::emitSchedule(TensorBuilder &b, Attribute schedule,
                         const Bindings &scalars, Value rate, Value step) {
  if (!isa_and_nonnull<CosineScheduleAttr, WarmupScheduleAttr>(schedule))
    return rate;
  Value t = b.convert(step, tensorTypeOf(rate).getElementType());
  Value later = isa<CosineScheduleAttr>(schedule)
                    ? emitCosine(b, t, scalars)
                    : b.splat(rate.getType(), 1.0);
  return b.mul(rate, emitWarmup(b, t, scalars.lookup("warmup_steps"), later));
}
