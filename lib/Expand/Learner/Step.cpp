//===- Step.cpp - The objective and one training step ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitters.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

/// Whether `function` takes an argument of that role.
static bool takes(const LearnerFunction &function, StringRef role) {
  return llvm::any_of(function.extras,
                      [&](const Port &port) { return port.role == role; });
}

/// What the objective takes after the parameters.
static Ports objectiveExtras(const LearnerModel &model) {
  MLIRContext *context = model.loc().getContext();
  Ports extras = concat({&model.data, &model.lossHypers});
  if (takes(model.loss, "seed"))
    extras.push_back(seedPort(context));
  if (takes(model.loss, "step"))
    extras.push_back(stepPort(context));
  return extras;
}

/// The mean of the loss over the rows of a batch.
func::FuncOp ensc::emitObjective(const LearnerModel &model, OpBuilder &module) {
  Ports extras = objectiveExtras(model);
  FunctionEmitter emitter(module, model.loc(), model.symbol("objective"),
                          concat({&model.params, &extras}));
  TensorBuilder &b = emitter.builder();
  Value loss = emitCall(b, model.loss, emitter.arguments(model.params),
                        emitter.bindings());
  if (model.loss.isRowWise)
    loss = b.mean(loss, {0});
  Port result = {b.getStringAttr("loss"), loss.getType()};
  func::FuncOp function = emitter.finish(loss, {result});
  function.setPrivate();
  return function;
}

/// The results of the objective: the loss, then a gradient per parameter.
static SmallVector<Value> emitGradients(const LearnerModel &model,
                                        FunctionEmitter &emitter,
                                        func::FuncOp objective) {
  TensorBuilder &b = emitter.builder();
  Ports extras = objectiveExtras(model);
  SmallVector<Value> operands =
      emitter.arguments(concat({&model.params, &extras}));
  SmallVector<Type> types(objective.getResultTypes());
  for (const Port &param : model.params)
    types.push_back(param.type);
  auto wrt = llvm::to_vector(llvm::seq<int64_t>(0, model.params.size()));
  auto gradient =
      ValueAndGradOp::create(b, types, objective.getName(), operands, wrt);
  return SmallVector<Value>(gradient.getResults());
}

/// Updates all parameters: returns them, then the new optimizer leaves.
static SmallVector<Value> emitUpdates(const LearnerModel &model,
                                      FunctionEmitter &emitter,
                                      ValueRange gradients) {
  TensorBuilder &b = emitter.builder();
  const Bindings &bindings = emitter.bindings();
  Value step = emitter.argument("step");
  Value rate =
      emitSchedule(b, model.schedule(), bindings, emitter.argument("lr"), step);
  model.optimizer->prepare(b, bindings, rate, step);

  size_t count = model.params.size();
  SmallVector<Value> params = emitter.arguments(model.params);
  SmallVector<Value> states = emitter.arguments(model.states);
  for (size_t i = 0; i < count; ++i) {
    // The leaves of one kind are neighbours: m of all parameters, then v.
    SmallVector<Value> leaves;
    for (size_t leaf = i; leaf < states.size(); leaf += count)
      leaves.push_back(states[leaf]);
    params[i] = model.optimizer->update(b, params[i], gradients[i], leaves);
    for (auto [kind, leaf] : llvm::enumerate(leaves))
      states[kind * count + i] = leaf;
  }
  llvm::append_range(params, states);
  return params;
}

func::FuncOp ensc::emitStep(const LearnerModel &model, OpBuilder &module,
                            func::FuncOp objective) {
  MLIRContext *context = module.getContext();
  Ports counters = {seedPort(context), stepPort(context)};
  FunctionEmitter emitter(
      module, model.loc(), model.symbol("step"),
      concat({&model.params, &model.states, &model.data, &model.ruleHypers,
              &model.lossHypers, &counters}));
  TensorBuilder &b = emitter.builder();
  SmallVector<Value> values = emitGradients(model, emitter, objective);
  SmallVector<Value> gradients(llvm::drop_begin(values));
  if (model.clipsNorm())
    gradients = emitClipByNorm(b, gradients, emitter.argument("clip_norm"));
  SmallVector<Value> results = emitUpdates(model, emitter, gradients);
  results.push_back(values.front());

  Ports loss = {{b.getStringAttr("loss"), values.front().getType()}};
  func::FuncOp function =
      emitter.finish(results, concat({&model.params, &model.states, &loss}));
  function.setPrivate();
  return function;
}
