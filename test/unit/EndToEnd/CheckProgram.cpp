//===- CheckProgram.cpp - Compiled code against the interpreter -----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckProgram.h"

#include "ensc/API/Compiler.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

using namespace ensc;

static constexpr int64_t mostRuns = 64;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

using Engine = std::mt19937_64;

/// Everyday numbers, and in every third run any of the special ones.
template <typename Float, typename Bits>
static Float randomFloat(Engine &engine, bool special) {
  using Limits = std::numeric_limits<Float>;
  const Float values[] = {Float(0),
                          -Float(0),
                          Float(1),
                          -Float(1),
                          Float(0.5),
                          Limits::infinity(),
                          -Limits::infinity(),
                          Limits::quiet_NaN(),
                          -Limits::quiet_NaN(),
                          Limits::denorm_min(),
                          -Limits::denorm_min(),
                          Limits::min() / 2,
                          Limits::max(),
                          Limits::lowest(),
                          Limits::min(),
                          Float(1e-20)};
  if (special && engine() % 2 == 0)
    return values[engine() % std::size(values)];
  if (special && engine() % 4 == 0) {
    Bits bits = static_cast<Bits>(engine());
    Float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  Float scale = engine() % 4 == 0 ? Float(30) : Float(1);
  return std::uniform_real_distribution<Float>(-scale, scale)(engine);
}

template <typename Int> static Int randomInteger(Engine &engine, bool special) {
  using Limits = std::numeric_limits<Int>;
  const Int values[] = {0, 1, 2, Int(-1), Limits::min(), Limits::max(), 31, 64};
  if (special)
    return values[engine() % std::size(values)];
  return engine() % 2 == 0 ? static_cast<Int>(engine() % 8)
                           : static_cast<Int>(engine());
}

static void fillElement(Tensor &tensor, int64_t index, Engine &engine,
                        bool special) {
  switch (tensor.dtype()) {
  case DType::F32:
    tensor.data<float>()[index] = randomFloat<float, uint32_t>(engine, special);
    return;
  case DType::F64:
    tensor.data<double>()[index] =
        randomFloat<double, uint64_t>(engine, special);
    return;
  case DType::I1:
    tensor.data<bool>()[index] = engine() % 2;
    return;
  case DType::I32:
    tensor.data<int32_t>()[index] = randomInteger<int32_t>(engine, special);
    return;
  case DType::I64:
    tensor.data<int64_t>()[index] = randomInteger<int64_t>(engine, special);
    return;
  case DType::UI32:
    tensor.data<uint32_t>()[index] = randomInteger<uint32_t>(engine, special);
    return;
  }
}

/// Labels out of range are refused.
template <typename Int>
static void takeModulo(Tensor &tensor, int64_t index, int64_t classes) {
  Int &label = tensor.data<Int>()[index];
  label = static_cast<Int>(static_cast<uint64_t>(label) %
                           static_cast<uint64_t>(classes));
}

static void makeLabel(Tensor &tensor, int64_t index, int64_t classes) {
  if (tensor.dtype() == DType::I32)
    takeModulo<int32_t>(tensor, index, classes);
  else if (tensor.dtype() == DType::I64)
    takeModulo<int64_t>(tensor, index, classes);
  else
    takeModulo<uint32_t>(tensor, index, classes);
}

/// Hyper-parameters out of range are refused; a half is in all ranges.
template <typename Float>
static void moveIntoRange(Float &value, const NumberRange &range) {
  if (!range.contains(value))
    value = Float(0.5);
}

static void moveIntoRange(Tensor &tensor, int64_t index,
                          const NumberRange &range) {
  if (tensor.dtype() == DType::F32)
    moveIntoRange(tensor.data<float>()[index], range);
  else if (tensor.dtype() == DType::F64)
    moveIntoRange(tensor.data<double>()[index], range);
}

static Tensor randomArgument(const ManifestValue &argument, Engine &engine) {
  Shape shape = argument.shape;
  int64_t perRun = std::max<int64_t>(numElements(shape), 1);
  if (argument.perRun)
    shape.insert(shape.begin(), mostRuns);
  Tensor tensor = Tensor::zeros(argument.dtype, shape);
  for (int64_t i = 0; i < tensor.size(); ++i) {
    fillElement(tensor, i, engine, argument.perRun && i / perRun % 3 == 1);
    if (argument.classes > 0)
      makeLabel(tensor, i, argument.classes);
    moveIntoRange(tensor, i, argument.range);
  }
  return tensor;
}

/// Hyper-parameters above their limit are refused: the limit is moved.
template <typename Float>
static void moveLimit(const Tensor &values, Tensor &limits) {
  for (int64_t i = 0; i < limits.size(); ++i)
    limits.data<Float>()[i] =
        std::max(limits.data<Float>()[i], values.data<Float>()[i]);
}

static void moveLimits(const ManifestEntry &entry,
                       std::vector<Tensor> &arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::optional<size_t> limit = entry.findArgument(entry.arguments[i].limit);
    if (entry.arguments[i].limit.empty() || !limit)
      continue;
    if (arguments[i].dtype() == DType::F32)
      moveLimit<float>(arguments[i], arguments[*limit]);
    else
      moveLimit<double>(arguments[i], arguments[*limit]);
  }
}

/// What the first `runs` runs take.
static std::vector<Tensor> ofRuns(const ManifestEntry &entry,
                                  const std::vector<Tensor> &arguments,
                                  int64_t runs) {
  std::vector<Tensor> taken;
  for (size_t i = 0; i < arguments.size(); ++i) {
    Tensor tensor = arguments[i];
    Shape shape = tensor.shape();
    if (entry.arguments[i].perRun)
      shape[0] = runs;
    taken.push_back(Tensor::borrow(tensor.dtype(), shape, tensor.bytes()));
  }
  return taken;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static std::string hex(const char *bytes, size_t size) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, size);
  char text[24];
  std::snprintf(text, sizeof(text), "0x%0*llx", static_cast<int>(2 * size),
                static_cast<unsigned long long>(bits));
  return text;
}

/// Compares the runs that `actual` has, one element after the other.
static bool equals(const ManifestEntry &entry, size_t result,
                   const Tensor &actual, const Tensor &expected,
                   const std::string &how) {
  if (std::memcmp(actual.bytes(), expected.bytes(), actual.sizeInBytes()) == 0)
    return true;
  const auto *found = static_cast<const char *>(actual.bytes());
  const auto *wanted = static_cast<const char *>(expected.bytes());
  size_t size = sizeOf(actual.dtype());
  int64_t perRun =
      std::max<int64_t>(numElements(entry.results[result].shape), 1);
  for (int64_t i = 0; i < actual.size(); ++i)
    if (std::memcmp(found + i * size, wanted + i * size, size) != 0) {
      ADD_FAILURE() << "@" << entry.name << ", " << how << ": result "
                    << entry.results[result].name << " of run " << i / perRun
                    << ", element " << i % perRun << ": got "
                    << hex(found + i * size, size) << ", expected "
                    << hex(wanted + i * size, size);
      break;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// What one entry is called with, and what must come out.
struct Case {
  const ManifestEntry *entry;
  std::vector<Tensor> arguments, expected;
};
} // namespace

static Expected<Executable> compile(const std::string &text,
                                    CompileOptions options, Backend backend,
                                    int64_t lanes) {
  options.backend = backend;
  options.lanes = lanes;
  Compiler compiler(options);
  return compiler.compile(text, "program");
}

static constexpr int64_t lastStep = 3;

static std::vector<Case> makeCases(const Executable &interpreter) {
  Engine engine(17);
  std::vector<Case> cases;
  for (const ManifestEntry &entry : interpreter.manifest().entries) {
    Case checked{&entry, {}, {}};
    for (const ManifestValue &argument : entry.arguments)
      checked.arguments.push_back(randomArgument(argument, engine));
    moveLimits(entry, checked.arguments);
    CallOptions options;
    options.runs = mostRuns;
    options.endStep = lastStep;
    options.threads = 1;
    auto results = interpreter.call(entry.name, checked.arguments, options);
    EXPECT_TRUE(results) << results.error().message();
    if (!results)
      return cases;
    checked.expected = *results;
    cases.push_back(std::move(checked));
  }
  return cases;
}

/// Returns false, and says what differs, at the first difference.
static bool checkCall(const Executable &compiled, const Case &checked,
                      const CallOptions &options, const std::string &how) {
  std::string context = how + ", " + std::to_string(options.runs) + " runs, " +
                        std::to_string(options.threads) + " threads";
  auto results = compiled.call(
      checked.entry->name,
      ofRuns(*checked.entry, checked.arguments, options.runs), options);
  EXPECT_TRUE(results) << results.error().message();
  if (!results)
    return false;
  bool same = true;
  for (size_t i = 0; i < results->size(); ++i)
    same &=
        equals(*checked.entry, i, (*results)[i], checked.expected[i], context);
  return same;
}

/// One difference per schedule says enough.
static void checkSchedule(const Executable &compiled, const Case &checked,
                          RunSchedule schedule, const std::string &how) {
  for (int64_t runs : {64, 0, 1, 2, 3, 7, 8, 9, 15, 16, 17})
    for (int threads : {1, 2}) {
      CallOptions options;
      options.runs = runs;
      options.threads = threads;
      options.schedule = schedule;
      options.endStep = lastStep;
      if (!checkCall(compiled, checked, options, how))
        return;
    }
}

void ensc::test::checkProgram(const std::string &text,
                              const CompileOptions &options) {
  auto interpreter = compile(text, options, Backend::Interpret, 0);
  ASSERT_TRUE(interpreter) << interpreter.error().message() << "\n" << text;
  std::vector<Case> cases = makeCases(*interpreter);
  ASSERT_FALSE(cases.empty());
  for (int64_t lanes : {8, 16}) {
    auto compiled = compile(text, options, Backend::Jit, lanes);
    ASSERT_TRUE(compiled) << compiled.error().message() << "\n" << text;
    for (const Case &checked : cases) {
      checkSchedule(*compiled, checked, RunSchedule::Solo, "solo");
      checkSchedule(*compiled, checked, RunSchedule::Lanes,
                    std::to_string(lanes) + " lanes");
    }
  }
}
