//===- FunctionEmitter.cpp - Functions with named arguments ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitters.h"

#include "ensc/Dialect/Ens/IR/HyperRange.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

/// The attributes by which a port is known to later phases.
static DictionaryAttr attributesOf(Builder &b, const Port &port) {
  NamedAttrList attributes;
  attributes.set(nameAttr, port.name);
  if (!port.role.empty())
    attributes.set(roleAttr, b.getStringAttr(port.role));
  if (port.defaultValue)
    attributes.set(defaultAttr, port.defaultValue);
  if (port.classes)
    attributes.set(classesAttr, port.classes);
  if (port.range)
    attributes.set(rangeAttr, port.range);
  if (!port.limit.empty())
    attributes.set(limitAttr, b.getStringAttr(port.limit));
  if (!port.direction.empty())
    attributes.set(directionAttr, b.getStringAttr(port.direction));
  return attributes.getDictionary(b.getContext());
}

static SmallVector<Type> typesOf(const Ports &ports) {
  return llvm::map_to_vector(ports, [](const Port &port) { return port.type; });
}

FunctionEmitter::FunctionEmitter(OpBuilder &module, Location loc,
                                 StringRef symbol, const Ports &arguments)
    : function(func::FuncOp::create(
          module, loc, symbol,
          module.getFunctionType(typesOf(arguments), TypeRange()))),
      body(loc, function.addEntryBlock(), Block::iterator()) {
  body.setInsertionPointToEnd(&function.getBody().front());
  for (auto [index, port] : llvm::enumerate(arguments)) {
    function.setArgAttrs(index, attributesOf(body, port));
    byName[port.name.getValue()] = function.getArgument(index);
  }
}

Value FunctionEmitter::argument(StringRef name) const {
  Value value = byName.lookup(name);
  assert(value && "no argument of that name");
  return value;
}

SmallVector<Value> FunctionEmitter::arguments(const Ports &ports) const {
  return llvm::map_to_vector(
      ports, [&](const Port &port) { return argument(port.name.getValue()); });
}

func::FuncOp FunctionEmitter::finish(ValueRange results, const Ports &ports) {
  func::ReturnOp::create(body, results);
  function.setType(
      body.getFunctionType(function.getArgumentTypes(), results.getTypes()));
  for (auto [index, port] : llvm::enumerate(ports))
    function.setResultAttrs(index, attributesOf(body, port));
  return function;
}

Value ensc::emitCall(TensorBuilder &b, const LearnerFunction &callee,
                     ValueRange params, const Bindings &bindings) {
  SmallVector<Value> operands(params);
  for (const Port &port : callee.extras) {
    bool isOwn = port.role == "seed" || port.role == "step";
    operands.push_back(
        bindings.lookup(isOwn ? port.role : port.name.getValue()));
  }
  return func::CallOp::create(b, func::FuncOp(callee.function), operands)
      .getResult(0);
}

Port ensc::seedPort(MLIRContext *context, StringRef name) {
  return {StringAttr::get(context, name),
          RankedTensorType::get({}, IntegerType::get(context, 64)), name};
}

Port ensc::stepPort(MLIRContext *context) {
  return {StringAttr::get(context, "step"),
          RankedTensorType::get({}, IntegerType::get(context, 64)), "step"};
}

Port ensc::rowNumbersPort(MLIRContext *context, StringRef name, int64_t count,
                          int64_t rows) {
  auto i64 = IntegerType::get(context, 64);
  Port port = {StringAttr::get(context, name),
               RankedTensorType::get({count}, i64), "rows"};
  port.classes = IntegerAttr::get(i64, rows);
  return port;
}

Ports ensc::concat(ArrayRef<const Ports *> lists) {
  Ports all;
  for (const Ports *list : lists)
    llvm::append_range(all, *list);
  return all;
}

Ports ensc::withRows(const Ports &data, int64_t rows, StringRef suffix) {
  return llvm::map_to_vector(data, [&](Port port) -> Port {
    auto type = cast<RankedTensorType>(port.type);
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = rows;
    port.type = type.clone(shape);
    port.name =
        StringAttr::get(port.name.getContext(), port.name.getValue() + suffix);
    return port;
  });
}
