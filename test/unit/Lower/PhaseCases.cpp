//===- PhaseCases.cpp - Phases compiled and compared ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseCases.h"
#include "ensc/Emit/Emit.h"
#include "ensc/Execution/Jit.h"
#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Reference/Elementwise.h"

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace ensc;
using namespace ensc::test;

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

template <typename T> static T draw(std::mt19937 &random, bool special) {
  unsigned kind = random() % 32;
  if constexpr (std::is_same_v<T, bool>) {
    return kind % 2;
  } else if constexpr (std::is_floating_point_v<T>) {
    using Limits = std::numeric_limits<T>;
    const T specials[] = {Limits::quiet_NaN(),    Limits::infinity(),
                          -Limits::infinity(),    Limits::denorm_min(),
                          -3 * Limits::min() / 8, Limits::max()};
    if (special && kind < 6)
      return specials[kind];
    if (kind == 7 || kind == 8)
      return kind == 7 ? T(0) : -T(0);
    T value = std::uniform_real_distribution<T>(-2, 2)(random);
    return kind < 12 ? value * T(1e-3) : value;
  } else {
    using Limits = std::numeric_limits<T>;
    const T specials[] = {Limits::min(), Limits::max(), T(-1), T(0)};
    if (special && kind < 4)
      return specials[kind];
    return static_cast<T>(static_cast<int>(random() % 40) - 20);
  }
}

template <typename T>
static void fill(Tensor &tensor, std::mt19937 &random, bool special) {
  for (int64_t i = 0; i < tensor.size(); ++i)
    tensor.data<T>()[i] = draw<T>(random, special);
}

static void fill(Tensors &in, std::mt19937 &random, bool special) {
  for (Tensor &tensor : in)
    switch (tensor.dtype()) {
    case DType::F32:
      fill<float>(tensor, random, special);
      break;
    case DType::F64:
      fill<double>(tensor, random, special);
      break;
    case DType::I1:
      fill<bool>(tensor, random, special);
      break;
    case DType::I32:
      fill<int32_t>(tensor, random, special);
      break;
    case DType::I64:
      fill<int64_t>(tensor, random, special);
      break;
    case DType::UI32:
      fill<uint32_t>(tensor, random, special);
      break;
    }
}

void test::fillOrdinary(Tensors &in, std::mt19937 &random) {
  fill(in, random, false);
}

void test::fillSpecial(Tensors &in, std::mt19937 &random) {
  fill(in, random, true);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void replaceAll(std::string &text, const std::string &from,
                       const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

namespace {
/// Writes one instance.
class InstanceText {
public:
  InstanceText(const PhaseCase &phases, int64_t lanes)
      : phases(phases), lanes(lanes) {}

  std::string str() {
    std::string reads, writes, views, arguments, results;
    for (size_t i = 0; i < phases.inputs.size(); ++i) {
      std::string number = std::to_string(i), buffer = "%in" + number;
      arguments +=
          (i ? ", " : "") + described(phases.inputs[i], i >= phases.numShared);
      if (i < phases.numShared) {
        views +=
            "  " + buffer + " = ens.shared " + number + " : memref<" +
            typeString(phases.inputs[i].dtype(), phases.inputs[i].shape()) +
            ">\n";
        continue;
      }
      views += view(buffer, phases.inputs[i]);
      reads += "  ens.read_runs " + number + " into " + buffer + laneWord() +
               " : " + memref(phases.inputs[i]) + "\n";
    }
    for (size_t i = 0; i < phases.outputs.size(); ++i) {
      std::string number = std::to_string(i), buffer = "%out" + number;
      views += view(buffer, phases.outputs[i]);
      writes += "  ens.write_runs " + buffer + " to " + number + laneWord() +
                " : " + memref(phases.outputs[i]) + "\n";
      results += (i ? ", " : "") + described(phases.outputs[i], true);
    }
    std::string arena = "memref<" + std::to_string(offset + 64) + "xi8>";
    replaceAll(views, "ARENA", arena);
    std::string suffix = lanes ? "lanes" : "solo";
    std::string name = phases.name + (lanes ? std::to_string(lanes) : "");
    return "func.func @\"" + name + "." + suffix + "\"(%arena: " + arena +
           ", %begin: index, %end: index) -> index attributes {ens.entry = "
           "{name = \"" +
           name + "\", instance = \"" + suffix + "\"" +
           ", lanes = " + std::to_string(std::max<int64_t>(lanes, 1)) +
           " : i64, arena_bytes = " + std::to_string(offset + 64) +
           " : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, "
           "bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [" +
           arguments + "], results = [" + results + "]}} {\n" + views + reads +
           body() + writes + "  return %end : index\n}\n";
  }

private:
  std::string laneWord() const { return lanes ? " lanes" : ""; }

  std::string memref(const Tensor &tensor) const {
    std::string text = "memref<";
    for (int64_t extent : tensor.shape())
      text += std::to_string(extent) + "x";
    if (lanes)
      text += std::to_string(lanes) + "x";
    return text + nameOf(tensor.dtype()) + ">";
  }

  std::string described(const Tensor &tensor, bool perRun) const {
    return "{name = \"v\", role = \"state\", type = tensor<" +
           typeString(tensor.dtype(), tensor.shape()) + ">" +
           (perRun ? ", per_run}" : "}");
  }

  std::string view(const std::string &buffer, const Tensor &tensor) {
    std::string constant = buffer + "_offset";
    std::string text = "  " + constant + " = arith.constant " +
                       std::to_string(offset) + " : index\n  " + buffer +
                       " = memref.view %arena[" + constant + "][] : ARENA to " +
                       memref(tensor) + "\n";
    offset += tensor.sizeInBytes() * std::max<int64_t>(lanes, 1);
    offset = (offset + 63) / 64 * 64;
    return text;
  }

  std::string body() const {
    std::string text = phases.body, width = std::to_string(lanes);
    replaceAll(text, "@lanes", lanes ? "lanes" : "");
    replaceAll(text, "@W", lanes ? ", " + width : "");
    replaceAll(text, "@x", lanes ? width + "x" : "");
    replaceAll(text, "@L", lanes ? ", %l: index" : "");
    replaceAll(text, "@first", lanes ? "%l" : "");
    replaceAll(text, "@l", lanes ? ", %l" : "");
    return text;
  }

  const PhaseCase &phases;
  int64_t lanes;
  size_t offset = 0;
};
} // namespace

std::string test::instanceText(const PhaseCase &phases, int64_t lanes) {
  return InstanceText(phases, lanes).str();
}

//===----------------------------------------------------------------------===//
// Compiling and running
//===----------------------------------------------------------------------===//

struct LoadedProgram::Impl {
  std::unique_ptr<Jit> jit;
};

LoadedProgram::~LoadedProgram() = default;

LoadedProgram::LoadedProgram(const std::string &text, const std::string &cpu) {
  load(text, cpu);
}

void LoadedProgram::load(const std::string &text, const std::string &cpu) {
  mlir::DialectRegistry registry;
  registry.insert<ens::EnsDialect, mlir::arith::ArithDialect,
                  mlir::func::FuncDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module) << text;
  mlir::PassManager passes(&context);
  PipelineOptions options;
  options.cpu = cpu;
  buildLowerCPUPipeline(passes, options);
  ASSERT_TRUE(mlir::succeeded(passes.run(*module))) << text;
  llvm::Expected<TargetCpu> target = resolveCpu(cpu);
  ASSERT_TRUE(bool(target));
  llvm::LLVMContext llvmContext;
  auto code = emitLLVMIR(*module, llvmContext, *target);
  ASSERT_TRUE(bool(code)) << code.error().message();
  auto object = emitObject(**code, *target);
  ASSERT_TRUE(bool(object)) << object.error().message();
  auto jit = Jit::load(llvm::StringRef(object->data(), object->size()));
  ASSERT_TRUE(bool(jit)) << jit.error().message();
  impl = std::make_unique<Impl>(Impl{std::move(*jit)});
}

ensc_entry LoadedProgram::lookup(const std::string &symbol) {
  if (!impl)
    return nullptr;
  auto address = impl->jit->lookup(symbol);
  if (!address) {
    ADD_FAILURE() << address.error().message();
    return nullptr;
  }
  return reinterpret_cast<ensc_entry>(*address);
}

static Tensors cloned(const Tensors &tensors) {
  Tensors copies;
  for (const Tensor &tensor : tensors)
    copies.push_back(tensor.clone());
  return copies;
}

/// Runs one instance on its own data and compares every run.
static void checkInstance(const PhaseCase &phases, LoadedProgram &program,
                          int64_t lanes) {
  std::string symbol = phases.name + (lanes ? std::to_string(lanes) : "") +
                       (lanes ? "_lanes" : "_solo");
  SCOPED_TRACE(symbol);
  ensc_entry entry = program.lookup(symbol);
  if (!entry)
    return;
  int64_t runs = std::max<int64_t>(lanes, 1);
  std::vector<Tensors> inputs, outputs;
  std::vector<int64_t> ids;
  std::mt19937 random(12345 + lanes);
  for (int64_t run = 0; run < runs; ++run) {
    inputs.push_back(cloned(phases.inputs));
    outputs.push_back(cloned(phases.outputs));
    (phases.fill ? phases.fill : fillOrdinary)(inputs.back(), random);
    for (size_t i = 0; i < phases.numShared; ++i)
      inputs[run][i] = inputs[0][i];
    ids.push_back(100 + run);
  }
  std::vector<const void *> arguments;
  for (size_t i = 0; i < phases.inputs.size(); ++i)
    for (int64_t run = 0; run < (i < phases.numShared ? 1 : runs); ++run)
      arguments.push_back(inputs[run][i].bytes());
  std::vector<void *> results;
  for (size_t i = 0; i < phases.outputs.size(); ++i)
    for (int64_t run = 0; run < runs; ++run)
      results.push_back(outputs[run][i].bytes());
  Tensor arena = Tensor::zeros(DType::I64, {1 << 20});
  // What a kernel reads, it must have written.
  std::memset(arena.bytes(), 0xFE, arena.sizeInBytes());
  ensc_group group{ENSC_ABI_VERSION, static_cast<uint32_t>(runs),
                   arguments.data(), results.data(),
                   ids.data(),       arena.bytes()};
  EXPECT_EQ(entry(&group, 0, 3), 3);
  for (int64_t run = 0; run < runs; ++run) {
    Tensors expected = cloned(phases.outputs);
    phases.expected(inputs[run], expected);
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(reference::withCanonicalNaNs(expected[i])
                      .bitwiseEquals(outputs[run][i]))
          << "result " << i << " of run " << run;
  }
}

void test::checkCases(const std::vector<PhaseCase> &cases,
                      const std::string &cpu) {
  std::string text;
  for (const PhaseCase &phases : cases)
    for (int64_t lanes : {0, 8, 16})
      text += instanceText(phases, lanes);
  LoadedProgram program(text, cpu);
  for (const PhaseCase &phases : cases)
    for (int64_t lanes : {0, 8, 16})
      checkInstance(phases, program, lanes);
}
