//===- InterpretedProgram.cpp - A program that the interpreter executes ---===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Execution/InterpretedProgram.h"

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Emit/Emit.h"
#include "ensc/Reference/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"

#include <cstring>
#include <mutex>

using namespace mlir;
using namespace ensc;

namespace {
/// What an interpreted program keeps alive.
struct InterpretedModule {
  // The module must go before its context.
  std::shared_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  std::mutex mutex;
};
} // namespace

//===----------------------------------------------------------------------===//
// Manifest
//===----------------------------------------------------------------------===//

/// What the attributes of a function say of an argument or a result.
static Expected<ManifestValue> describe(Type type, DictionaryAttr attributes) {
  return describeValue(cast<RankedTensorType>(type), attributes, "ens.");
}

static Expected<ManifestEntry> describe(func::FuncOp function) {
  ManifestEntry entry;
  entry.name = function.getName().str();
  entry.solo = ManifestInstance{entry.name, 1, 0, 0};
  for (auto [position, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (type.isIndex())
      continue;
    Expected<ManifestValue> value =
        describe(type, function.getArgAttrDict(position));
    if (!value)
      return value.error();
    entry.arguments.push_back(std::move(*value));
  }
  for (auto [position, type] : llvm::enumerate(function.getResultTypes())) {
    Expected<ManifestValue> value =
        describe(type, function.getResultAttrDict(position));
    if (!value)
      return value.error();
    entry.results.push_back(std::move(*value));
  }
  return entry;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// A run's own arguments lie in a record without padding: they are copied to
/// where elements are aligned.
static Tensor readArgument(const ManifestValue &argument, const void *memory) {
  if (!argument.perRun)
    return Tensor::borrow(argument.dtype, argument.shape,
                          const_cast<void *>(memory));
  Tensor copy = Tensor::zeros(argument.dtype, argument.shape);
  std::memcpy(copy.bytes(), memory, copy.sizeInBytes());
  return copy;
}

/// Calls a function as a kernel is called: inputs and outputs behind pointers.
/// Returns -1, and leaves the outputs, if the interpreter refuses the function.
static int64_t callInterpreted(InterpretedModule &state, func::FuncOp function,
                               const ManifestEntry &entry,
                               const ensc_group &group, int64_t begin,
                               int64_t end) {
  std::vector<Tensor> arguments;
  size_t slot = 0;
  for (auto [position, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (type.isIndex()) {
      auto role =
          function.getArgAttrOfType<StringAttr>(position, ens::roleAttr);
      bool isEnd = role && role.getValue() == "end";
      arguments.push_back(Tensor::scalar<int64_t>(isEnd ? end : begin));
      continue;
    }
    arguments.push_back(
        readArgument(entry.arguments[slot], group.arguments[slot]));
    ++slot;
  }
  reference::RunContext context;
  context.runIds = {group.run_ids[0]};
  std::lock_guard<std::mutex> lock(state.mutex);
  Expected<std::vector<Tensor>> results =
      reference::interpret(function, arguments, context);
  if (!results)
    return -1;
  for (auto [position, result] : llvm::enumerate(*results))
    std::memcpy(group.results[position], result.bytes(), result.sizeInBytes());
  return end;
}

Expected<Program>
ensc::createInterpretedProgram(std::shared_ptr<MLIRContext> context,
                               OwningOpRef<ModuleOp> module) {
  auto state = std::make_shared<InterpretedModule>();
  state->context = std::move(context);
  state->module = std::move(module);

  // Learners are described by the same attribute as in compiled programs.
  Manifest manifest = buildManifest(*state->module, TargetCpu());
  manifest.cpu = "interpreter";
  std::vector<EntryKernels> kernels;
  for (auto function : state->module->getOps<func::FuncOp>()) {
    Expected<ManifestEntry> entry = describe(function);
    if (!entry)
      return entry.error();
    kernels.push_back(
        {[state = state.get(), function,
          entry = *entry](const ensc_group *group, int64_t begin, int64_t end) {
           return callInterpreted(*state, function, entry, *group, begin, end);
         },
         {}});
    manifest.entries.push_back(std::move(*entry));
  }
  return Program(std::move(manifest), std::move(kernels), state);
}
