//===- GeneratedFunctions.cpp - Functions behind custom gradients ---------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composites.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ensc;

std::string ensc::typeSuffix(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t extent : tensor.getShape())
    os << extent << "x";
  os << tensor.getElementType();
  return text;
}

FlatSymbolRefAttr ensc::getOrCreateFunction(TensorBuilder &builder,
                                            StringRef name, TypeRange arguments,
                                            FunctionBody body) {
  auto symbol = FlatSymbolRefAttr::get(builder.getContext(), name);
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (SymbolTable::lookupSymbolIn(module, name))
    return symbol;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, name, builder.getFunctionType(arguments, TypeRange()));
  function.setPrivate();
  builder.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<Value> results = body(builder, function.getArguments());
  func::ReturnOp::create(builder, results);
  function.setType(
      builder.getFunctionType(arguments, ValueRange(results).getTypes()));
  return symbol;
}
