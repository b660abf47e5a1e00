//===- MakeInstances.cpp - A solo and a lanes instance per entry ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Vectorize/Passes.h"
#include "ensc/Vectorize/RunRules.h"
#include "ensc/Vectorize/RunVectorizer.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace ensc {
#define GEN_PASS_DEF_MAKEINSTANCES
#include "ensc/Vectorize/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

namespace {
struct MakeInstances : ensc::impl::MakeInstancesBase<MakeInstances> {
  using MakeInstancesBase::MakeInstancesBase;

  void runOnOperation() override;

private:
  FailureOr<SmallVector<func::FuncOp>> findEntries();
  LogicalResult markPerRun(ArrayRef<func::FuncOp> entries);
  LogicalResult makeLanes(func::FuncOp entry,
                          const RunVarianceAnalysis &variance);
};
} // namespace

//===----------------------------------------------------------------------===//
// Entries and their arguments
//===----------------------------------------------------------------------===//

/// The functions of the user's, and those that Expand made of learners.
static std::string listFunctions(ModuleOp module) {
  SmallVector<StringRef> names;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.getName().starts_with("ens."))
      names.push_back(function.getName());
  return llvm::join(names, ", ");
}

FailureOr<SmallVector<func::FuncOp>> MakeInstances::findEntries() {
  ModuleOp module = getOperation();
  SmallVector<func::FuncOp> found;
  for (const std::string &name : entries) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function)
      return module.emitError("the program has no public function '")
             << name << "' to compile; it has " << listFunctions(module);
    found.push_back(function);
  }
  if (entries.empty())
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic())
        found.push_back(function);
  for (func::FuncOp function : found)
    if (function.isDeclaration())
      return function.emitOpError("cannot be an entry: it has no body");
  return found;
}

static bool variesByRole(StringAttr role) {
  return !role || !llvm::is_contained({"data", "order_seed", "begin", "end"},
                                      role.getValue());
}

LogicalResult MakeInstances::markPerRun(ArrayRef<func::FuncOp> entries) {
  llvm::StringSet<> unmet;
  for (const std::string &name : perRun)
    unmet.insert(name);
  UnitAttr mark = UnitAttr::get(&getContext());
  for (func::FuncOp entry : entries) {
    for (unsigned index = 0; index < entry.getNumArguments(); ++index) {
      auto name = entry.getArgAttrOfType<StringAttr>(index, nameAttr);
      bool named = name && llvm::is_contained(perRun, name.getValue());
      if (!isa<RankedTensorType>(entry.getArgumentTypes()[index])) {
        if (named)
          return entry.emitOpError("argument '")
                 << name.getValue() << "' cannot differ between runs: it is "
                 << entry.getArgumentTypes()[index] << ", not a tensor";
        continue;
      }
      if (named)
        unmet.erase(name.getValue());
      if (named ||
          variesByRole(entry.getArgAttrOfType<StringAttr>(index, roleAttr)))
        entry.setArgAttr(index, perRunAttr, mark);
    }
  }
  for (const std::string &name : perRun)
    if (unmet.contains(name))
      return getOperation().emitError(
                 "expects an entry with an argument named '")
             << name << "', which is to differ between runs";
  return success();
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

/// An empty function for `lanes` runs of `entry`.
static func::FuncOp declareLanes(func::FuncOp entry, int64_t lanes,
                                 const RunVarianceAnalysis &variance) {
  auto typeOf = [&](Value value) -> Type {
    return variance.isVarying(value) ? typeForRuns(value.getType(), lanes)
                                     : value.getType();
  };
  Operation *terminator = entry.getBody().front().getTerminator();
  auto type = FunctionType::get(
      entry.getContext(), llvm::map_to_vector(entry.getArguments(), typeOf),
      llvm::map_to_vector(terminator->getOperands(), typeOf));
  OpBuilder builder(entry->getContext());
  builder.setInsertionPointAfter(entry);
  auto instance = cast<func::FuncOp>(builder.cloneWithoutRegions(*entry));
  instance.setName((entry.getName() + ".lanes").str());
  instance.setFunctionType(type);
  instance->setAttr(instanceAttr, builder.getStringAttr("lanes"));
  instance->setAttr(lanesAttr, builder.getI64IntegerAttr(lanes));
  return instance;
}

LogicalResult MakeInstances::makeLanes(func::FuncOp entry,
                                       const RunVarianceAnalysis &variance) {
  std::string name = (entry.getName() + ".lanes").str();
  if (getOperation().lookupSymbol(name))
    return entry.emitOpError("cannot get a lanes instance: @")
           << name << " is already there";
  func::FuncOp instance = declareLanes(entry, lanes, variance);
  Block *body = instance.addEntryBlock();
  auto builder = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  mapping.map(entry.getArguments(), body->getArguments());
  Block &single = entry.getBody().front();
  if (failed(RunVectorizer(variance, lanes)
                 .vectorizeBlock(builder, single, mapping)))
    return failure();
  SmallVector<Value> results =
      llvm::map_to_vector(single.getTerminator()->getOperands(),
                          [&](Value value) { return mapping.lookup(value); });
  func::ReturnOp::create(builder, single.getTerminator()->getLoc(), results);
  return success();
}

void MakeInstances::runOnOperation() {
  if (lanes != 0 && lanes != 8 && lanes != 16) {
    getOperation().emitError("expects lanes to be 0, 8 or 16, got ")
        << lanes.getValue();
    return signalPassFailure();
  }
  FailureOr<SmallVector<func::FuncOp>> found = findEntries();
  if (failed(found) || failed(markPerRun(*found)))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    function.setVisibility(llvm::is_contained(*found, function)
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);

  Builder builder(&getContext());
  for (func::FuncOp entry : *found) {
    RunVarianceAnalysis variance(entry);
    entry->setAttr(instanceAttr, builder.getStringAttr("solo"));
    Operation *terminator = entry.getBody().front().getTerminator();
    for (auto [index, value] : llvm::enumerate(terminator->getOperands()))
      if (!variance.isVarying(value))
        entry.setResultAttr(index, uniformAttr, builder.getUnitAttr());
    if (lanes != 0 && failed(makeLanes(entry, variance)))
      return signalPassFailure();
  }
}
