//===- CheckInstances.cpp - Lanes instances against solo ones -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckInstances.h"

#include "ExpectTensor.h"
#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Differentiate/Rules.h"
#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Reference/Interpreter.h"
#include "ensc/Reference/TensorConversion.h"
#include "ensc/Vectorize/RunRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cstring>
#include <limits>

using namespace mlir;

namespace ensc::test {
namespace {

constexpr int64_t lanes = 8, nanLane = 3, infinityLane = 5, sharedLane = 100;

/// A program after the phases Expand, Differentiate and Vectorize.
class Instances {
public:
  /// Arguments whose bit in `shared` is set are equal in all runs.
  Instances(StringRef program, StringRef function,
            const std::vector<bool> &shared) {
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, ens::EnsDialect, func::FuncDialect,
                    scf::SCFDialect, tensor::TensorDialect>();
    func::registerInlinerExtension(registry);
    registerDerivativeRules(registry);
    registerRunRules(registry);
    context.appendDialectRegistry(registry);
    ParserConfig config(&context);
    module = parseSourceString<ModuleOp>(program, config, "test");
    if (!module)
      return;
    auto entry = module->lookupSymbol<func::FuncOp>(function);
    for (size_t index = 0; index < shared.size(); ++index)
      if (shared[index])
        entry.setArgAttr(index, ens::roleAttr,
                         StringAttr::get(&context, "data"));
    PassManager passes(&context);
    PipelineOptions options;
    options.lanes = lanes;
    options.entries = {function.str()};
    buildExpandPipeline(passes, options);
    buildDifferentiatePipeline(passes, options);
    buildVectorizePipeline(passes, options);
    if (failed(passes.run(*module)))
      module = nullptr;
  }

  func::FuncOp function(const Twine &name) {
    EXPECT_TRUE(module) << "the program does not parse or vectorize";
    return module ? module->lookupSymbol<func::FuncOp>(name.str()) : nullptr;
  }

  std::vector<Tensor> call(const Twine &name, ArrayRef<Tensor> arguments,
                           std::vector<int64_t> runIds) {
    func::FuncOp callee = function(name);
    if (!callee)
      return {};
    auto results = reference::interpret(callee, arguments, {std::move(runIds)});
    if (!results) {
      ADD_FAILURE() << results.error().message();
      return {};
    }
    return *results;
  }

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

uint64_t hashOf(uint64_t lane, uint64_t argument, uint64_t element) {
  uint64_t x = (lane * 1000003 + argument) * 1000003 + element + 1;
  x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9ull;
  return x ^ (x >> 32);
}

template <typename T> T numberOf(uint64_t hash, int64_t lane) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    if (lane == nanLane)
      return Limits::quiet_NaN();
    if (lane == infinityLane)
      return hash & 1 ? Limits::infinity() : -Limits::infinity();
    const T special[] = {T(0), -T(0), Limits::denorm_min(), T(1e30), T(1)};
    if (hash % 11 < 5)
      return special[hash % 11];
    return T(int64_t(hash >> 8 & 0xFFFF) - 0x8000) / T(0x2000);
  } else {
    const T special[] = {T(0), T(-1), Limits::min(), Limits::max()};
    return hash % 11 < 4 ? special[hash % 11] : T(int64_t(hash >> 8 & 15) - 4);
  }
}

template <typename T> Tensor fill(const Shape &shape, int64_t lane, size_t k) {
  std::vector<T> values(numElements(shape));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = numberOf<T>(hashOf(lane, k, i), lane);
  return Tensor::of<T>(shape, values);
}

Tensor fillBools(const Shape &shape, int64_t lane, size_t k) {
  Tensor tensor = Tensor::zeros(DType::I1, shape);
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.data<bool>()[i] = hashOf(lane, k, i) & 1;
  return tensor;
}

/// What argument `k` of `type` is in the run of `lane`.
Tensor dataFor(RankedTensorType type, int64_t lane, size_t k) {
  Shape shape(type.getShape());
  switch (*reference::toDType(type.getElementType())) {
  case DType::F32:
    return fill<float>(shape, lane, k);
  case DType::F64:
    return fill<double>(shape, lane, k);
  case DType::I1:
    return fillBools(shape, lane, k);
  case DType::I32:
    return fill<int32_t>(shape, lane, k);
  case DType::I64:
    return fill<int64_t>(shape, lane, k);
  case DType::UI32:
    return fill<uint32_t>(shape, lane, k);
  }
  return Tensor();
}

std::vector<int64_t> runIdsFrom(int64_t first) {
  std::vector<int64_t> ids(lanes);
  for (int64_t lane = 0; lane < lanes; ++lane)
    ids[lane] = first + lane;
  return ids;
}

/// Results of all lanes against those of the lane's run alone.
void compareLane(func::FuncOp function, int64_t lane,
                 const std::vector<Tensor> &together,
                 const std::vector<Tensor> &alone) {
  ASSERT_EQ(together.size(), alone.size());
  for (size_t result = 0; result < alone.size(); ++result) {
    SCOPED_TRACE("lane " + std::to_string(lane) + ", result " +
                 std::to_string(result));
    bool uniform =
        static_cast<bool>(function.getResultAttr(result, ens::uniformAttr));
    expectTensor(uniform ? together[result] : row(together[result], lane),
                 alone[result]);
  }
}

void checkFunction(StringRef program, StringRef name,
                   const std::vector<bool> &shared) {
  Instances instances(program, name, shared);
  func::FuncOp solo = instances.function(name);
  if (!solo)
    return;
  std::vector<std::vector<Tensor>> ofLane(lanes);
  std::vector<Tensor> together;
  for (size_t k = 0; k < shared.size(); ++k) {
    auto type = cast<RankedTensorType>(solo.getArgumentTypes()[k]);
    std::vector<Tensor> values;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      values.push_back(dataFor(type, shared[k] ? sharedLane : lane, k));
      ofLane[lane].push_back(values.back());
    }
    together.push_back(shared[k] ? values.front() : stack(values));
  }
  std::vector<Tensor> results =
      instances.call(name + ".lanes", together, runIdsFrom(40));
  for (int64_t lane = 0; lane < lanes; ++lane)
    compareLane(instances.function(name + ".lanes"), lane, results,
                instances.call(name, ofLane[lane], {40 + lane}));
}

/// Names and numbers of arguments of the public functions.
std::vector<std::pair<std::string, size_t>> entriesOf(StringRef program) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, ens::EnsDialect, func::FuncDialect,
                      scf::SCFDialect, tensor::TensorDialect>();
  ParserConfig config(&context);
  auto module = parseSourceString<ModuleOp>(program, config, "test");
  EXPECT_TRUE(module) << "the program does not parse";
  std::vector<std::pair<std::string, size_t>> entries;
  if (module)
    for (auto function : module->getOps<func::FuncOp>())
      if (function.isPublic())
        entries.emplace_back(function.getName().str(),
                             function.getNumArguments());
  return entries;
}

} // namespace

std::string functionText(const std::string &name, const std::string &arguments,
                         const std::vector<OpText> &ops) {
  std::string body, values, types;
  for (size_t i = 0; i < ops.size(); ++i) {
    std::string value = "%r" + std::to_string(i);
    body += "  " + value + " = " + ops[i].text + "\n";
    values += (i ? ", " : "") + value;
    types += (i ? ", " : "") + ops[i].resultType;
  }
  return "func.func @" + name + "(" + arguments + ") -> (" + types + ") {\n" +
         body + "  return " + values + " : " + types + "\n}\n";
}

void checkInstances(llvm::StringRef program) {
  for (const auto &[name, arguments] : entriesOf(program))
    for (unsigned mask = 0; mask < 1u << arguments; ++mask) {
      std::vector<bool> shared(arguments);
      for (size_t k = 0; k < arguments; ++k)
        shared[k] = mask >> k & 1;
      SCOPED_TRACE("@" + name + ", shared arguments " + std::to_string(mask));
      checkFunction(program, name, shared);
    }
}

std::vector<Tensor> callSolo(llvm::StringRef program, llvm::StringRef function,
                             std::vector<Tensor> arguments, int64_t runId) {
  return Instances(program, function, {}).call(function, arguments, {runId});
}

std::vector<Tensor> callLanes(llvm::StringRef program, llvm::StringRef function,
                              std::vector<Tensor> arguments,
                              const std::vector<bool> &shared,
                              int64_t firstRunId) {
  return Instances(program, function, shared)
      .call(function + ".lanes", arguments, runIdsFrom(firstRunId));
}

Tensor stack(const std::vector<Tensor> &tensors) {
  Shape shape = tensors.front().shape();
  shape.insert(shape.begin(), static_cast<int64_t>(tensors.size()));
  Tensor all = Tensor::zeros(tensors.front().dtype(), shape);
  size_t stride = tensors.front().sizeInBytes();
  for (size_t i = 0; i < tensors.size(); ++i)
    std::memcpy(static_cast<char *>(all.bytes()) + i * stride,
                tensors[i].bytes(), stride);
  return all;
}

Tensor row(const Tensor &tensor, int64_t index) {
  Shape shape(tensor.shape().begin() + 1, tensor.shape().end());
  Tensor one = Tensor::zeros(tensor.dtype(), shape);
  std::memcpy(one.bytes(),
              static_cast<const char *>(tensor.bytes()) +
                  index * one.sizeInBytes(),
              one.sizeInBytes());
  return one;
}

} // namespace ensc::test
