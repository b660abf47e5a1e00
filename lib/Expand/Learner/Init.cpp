//===- Init.cpp - Parameters and fresh optimizer leaves -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitters.h"

#include "ensc/Dialect/Ens/IR/HyperRange.h"

using namespace mlir;
using namespace ensc;

func::FuncOp ensc::emitInit(const LearnerModel &model, OpBuilder &module) {
  MLIRContext *context = module.getContext();
  Ports seed = {seedPort(context)};
  func::FuncOp init = model.init;
  FunctionEmitter emitter(module, model.loc(), model.symbol("init"),
                          concat({&seed, &model.initHypers}));
  TensorBuilder &b = emitter.builder();
  SmallVector<Value> operands;
  for (unsigned i = 0; i < init.getNumArguments(); ++i) {
    auto role = init.getArgAttrOfType<StringAttr>(i, ens::roleAttr);
    auto name = init.getArgAttrOfType<StringAttr>(i, ens::nameAttr);
    operands.push_back(
        emitter.argument(role == "seed" ? StringRef("seed") : name.getValue()));
  }
  SmallVector<Value> results(
      func::CallOp::create(b, init, operands).getResults());
  for (const Port &leaf : model.states)
    results.push_back(b.splat(leaf.type, 0.0));
  return emitter.finish(results, concat({&model.params, &model.states}));
}

func::FuncOp ensc::emitPredict(const LearnerModel &model, OpBuilder &module) {
  func::FuncOp predict = model.predict;
  Ports arguments = model.params;
  for (unsigned i = arguments.size(); i < predict.getNumArguments(); ++i)
    arguments.push_back(
        {predict.getArgAttrOfType<StringAttr>(i, ens::nameAttr),
         predict.getArgumentTypes()[i],
         predict.getArgAttrOfType<StringAttr>(i, ens::roleAttr),
         predict.getArgAttrOfType<FloatAttr>(i, ens::defaultAttr),
         /*direction=*/"",
         predict.getArgAttrOfType<IntegerAttr>(i, ens::classesAttr),
         predict.getArgAttrOfType<DictionaryAttr>(i, ens::rangeAttr)});
  FunctionEmitter emitter(module, model.loc(), model.symbol("predict"),
                          arguments);
  auto call = func::CallOp::create(emitter.builder(), predict,
                                   emitter.arguments(arguments));
  func::FuncOp function = emitter.finish(call.getResults(), Ports());
  if (ArrayAttr attributes = predict.getAllResultAttrs())
    function.setAllResultAttrs(attributes);
  return function;
}
