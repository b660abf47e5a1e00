//===- OptimizerRules.cpp - What one step does to a parameter -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizerRules.h"

#include <cmath>

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

/// `scalar` in the element type and the shape of `like`.
static Value spreadLike(TensorBuilder &b, Value scalar, Value like) {
  RankedTensorType type = tensorTypeOf(like);
  return b.spread(b.convert(scalar, type.getElementType()), type);
}

/// (x + c) - c with c = 1.5 * 2^(M - 100), M the stored bits of a significand:
/// makes a small x a multiple of 2^-100. Moments decay geometrically, and
/// subnormal ones would slow every later step; a comparison would cost more.
static Value emitWithoutSubnormals(TensorBuilder &b, Value x) {
  auto element = cast<FloatType>(tensorTypeOf(x).getElementType());
  int storedBits = element.getFPMantissaWidth() - 1;
  Value grid = b.splat(x.getType(), std::ldexp(1.5, storedBits - 100));
  return b.sub(b.add(x, grid), grid);
}

namespace {

//===----------------------------------------------------------------------===//
// Gradient descent
//===----------------------------------------------------------------------===//

/// p = (1 - lr * weight_decay) * p - lr * g. The factor is formed once per
/// step; it is exactly 1 without decay.
class SgdRule final : public OptimizerRule {
public:
  explicit SgdRule(SgdAttr attr) : attr(attr) {}

  SmallVector<RuleScalar> scalars() const override {
    return {{"lr", attr.getLr().convertToDouble()},
            {"weight_decay", attr.getWeightDecay().convertToDouble()}};
  }
  SmallVector<StringRef> leaves() const override { return {}; }

  void prepare(TensorBuilder &b, const Bindings &scalars, Value lr,
               Value) override {
    rate = lr;
    Value decay = b.mul(lr, scalars.lookup("weight_decay"));
    keep = b.sub(b.splat(lr.getType(), 1.0), decay);
  }

  Value update(TensorBuilder &b, Value param, Value gradient,
               MutableArrayRef<Value>) override {
    Value kept = b.mul(spreadLike(b, keep, param), param);
    return b.sub(kept, b.mul(spreadLike(b, rate, param), gradient));
  }

private:
  SgdAttr attr;
  Value rate, keep;
};

//===----------------------------------------------------------------------===//
// Momentum
//===----------------------------------------------------------------------===//

/// d = g + weight_decay * p; v = momentum * v + d; p = p - lr * v, or, with
/// Nesterov, p = p - lr * (d + momentum * v).
class MomentumRule final : public OptimizerRule {
public:
  explicit MomentumRule(MomentumAttr attr) : attr(attr) {}

  SmallVector<RuleScalar> scalars() const override {
    return {{"lr", attr.getLr().convertToDouble()},
            {"momentum", attr.getMomentum().convertToDouble()},
            {"weight_decay", attr.getWeightDecay().convertToDouble()}};
  }
  SmallVector<StringRef> leaves() const override { return {"momentum.v"}; }

  void prepare(TensorBuilder &, const Bindings &scalars, Value lr,
               Value) override {
    rate = lr;
    momentum = scalars.lookup("momentum");
    decay = scalars.lookup("weight_decay");
  }

  Value update(TensorBuilder &b, Value param, Value gradient,
               MutableArrayRef<Value> leaves) override {
    Value inertia = spreadLike(b, momentum, param);
    Value direction =
        b.add(gradient, b.mul(spreadLike(b, decay, param), param));
    Value velocity = b.add(b.mul(inertia, leaves[0]), direction);
    velocity = emitWithoutSubnormals(b, velocity);
    leaves[0] = velocity;
    if (attr.getNesterov())
      velocity = b.add(direction, b.mul(inertia, velocity));
    return b.sub(param, b.mul(spreadLike(b, rate, param), velocity));
  }

private:
  MomentumAttr attr;
  Value rate, momentum, decay;
};

//===----------------------------------------------------------------------===//
// Adam
//===----------------------------------------------------------------------===//

/// m = m + (1 - beta1) * (g - m); v = v + (1 - beta2) * (g * g - v);
/// p = p - c1 * m / (sqrt(v) + c2) with c1 = r * lr / (1 - beta1^(t + 1)),
/// c2 = r * eps and r = sqrt(1 - beta2^(t + 1)), formed once per step. AdamW
/// subtracts lr * weight_decay * p of the old p as well. The same as dividing v
/// by r^2 and adding eps to its root, with one product less per element: Kingma
/// and Ba 2015, section 2, where eps is scaled, too.
class AdamRule final : public OptimizerRule {
public:
  AdamRule(AdamAttr attr)
      : lr(attr.getLr()), beta1(attr.getBeta1()), beta2(attr.getBeta2()),
        eps(attr.getEps()) {}
  AdamRule(AdamWAttr attr)
      : lr(attr.getLr()), beta1(attr.getBeta1()), beta2(attr.getBeta2()),
        eps(attr.getEps()), weightDecay(attr.getWeightDecay()) {}

  SmallVector<RuleScalar> scalars() const override {
    SmallVector<RuleScalar> list = {{"lr", lr.convertToDouble()},
                                    {"beta1", beta1.convertToDouble()},
                                    {"beta2", beta2.convertToDouble()},
                                    {"eps", eps.convertToDouble()}};
    if (weightDecay)
      list.push_back({"weight_decay", weightDecay->convertToDouble()});
    return list;
  }
  SmallVector<StringRef> leaves() const override {
    return {"adam.m", "adam.v"};
  }

  void prepare(TensorBuilder &b, const Bindings &scalars, Value rate,
               Value step) override;
  Value update(TensorBuilder &b, Value param, Value gradient,
               MutableArrayRef<Value> leaves) override;

private:
  APFloat lr, beta1, beta2, eps;
  std::optional<APFloat> weightDecay;
  Value gain1, gain2, scale, epsilon, decay;
};

} // namespace

void AdamRule::prepare(TensorBuilder &b, const Bindings &scalars, Value rate,
                       Value step) {
  Type type = rate.getType();
  Value one = b.splat(type, 1.0);
  Value steps = b.add(step, b.splatInteger(step.getType(), 1));
  Value exponent = b.convert(steps, tensorTypeOf(rate).getElementType());
  // 1 - beta^n through expm1: the difference would lose the digits of a beta
  // near 1, which the gain 1 - beta below has.
  auto bias = [&](Value beta) {
    Value power = b.mul(exponent, b.unary<LogOp>(beta));
    return b.unary<NegOp>(b.unary<Expm1Op>(power));
  };
  Value decay1 = scalars.lookup("beta1"), decay2 = scalars.lookup("beta2");
  gain1 = b.sub(one, decay1);
  gain2 = b.sub(one, decay2);
  Value root = b.unary<SqrtOp>(bias(decay2));
  scale = b.div(b.mul(root, rate), bias(decay1));
  epsilon = b.mul(root, scalars.lookup("eps"));
  if (weightDecay)
    decay = b.mul(rate, scalars.lookup("weight_decay"));
}

Value AdamRule::update(TensorBuilder &b, Value param, Value gradient,
                       MutableArrayRef<Value> leaves) {
  auto spread = [&](Value scalar) { return spreadLike(b, scalar, param); };
  auto moveToward = [&](Value moment, Value target, Value gain) {
    return b.add(moment, b.mul(spread(gain), b.sub(target, moment)));
  };
  Value first = moveToward(leaves[0], gradient, gain1);
  first = emitWithoutSubnormals(b, first);
  Value second = moveToward(leaves[1], b.mul(gradient, gradient), gain2);
  second = emitWithoutSubnormals(b, second);
  leaves[0] = first;
  leaves[1] = second;
  Value root = b.unary<SqrtOp>(second);
  Value change =
      b.div(b.mul(spread(scale), first), b.add(root, spread(epsilon)));
  Value kept = decay ? b.sub(param, b.mul(spread(decay), param)) : param;
  return b.sub(kept, change);
}

std::unique_ptr<OptimizerRule> ensc::createOptimizerRule(Attribute optimizer) {
  if (auto sgd = dyn_cast<SgdAttr>(optimizer))
    return std::make_unique<SgdRule>(sgd);
  if (auto momentum = dyn_cast<MomentumAttr>(optimizer))
    return std::make_unique<MomentumRule>(momentum);
  if (auto adam = dyn_cast<AdamAttr>(optimizer))
    return std::make_unique<AdamRule>(adam);
  return std::make_unique<AdamRule>(cast<AdamWAttr>(optimizer));
}

//===----------------------------------------------------------------------===//
// Clipping
//===----------------------------------------------------------------------===//

SmallVector<Value> ensc::emitClipByNorm(TensorBuilder &b, ValueRange gradients,
                                        Value limit) {
  Type scalar = tensorTypeOf(limit).getElementType();
  Value total;
  for (Value gradient : gradients) {
    Value sum = b.convert(
        b.reduce(ReduceKind::sum, b.mul(gradient, gradient), 0), scalar);
    total = total ? b.add(total, sum) : sum;
  }
  Value norm = b.unary<SqrtOp>(total);
  // A norm of 0 or NaN clips nothing: no 0 / 0, and NaN stays visible.
  Value isLong = b.compare(ComparePredicate::gt, norm, limit);
  Value factor =
      b.select(isLong, b.div(limit, norm), b.splat(limit.getType(), 1.0));
  return llvm::map_to_vector(gradients, [&](Value gradient) -> Value {
    return b.mul(spreadLike(b, factor, gradient), gradient);
  });
}
