//===- MathEmitterTest.cpp - Compiled math has the interpreter's bits -----===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles every emitted function for f32 and f64, as a scalar and as vectors
// of 8 and 16, into one object, and compares it with the interpreter's math.
//
//===----------------------------------------------------------------------===//

#include "ensc/Lower/CPU/MathEmitter.h"
#include "ensc/Reference/Math.h"
#include "ensc/Reference/Philox.h"

#include "../Numerics/SamplePoints.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

using namespace mlir;
using namespace ensc;

namespace {

using Kernel = void (*)(const void *, const void *, void *);
using EmitBody = std::function<Value(ImplicitLocOpBuilder &, Value, Value)>;
constexpr int widths[] = {1, 8, 16};

struct Function {
  const char *name;
  Value (*emit)(ImplicitLocOpBuilder &, Value);
  float (*inFloat)(float);
  double (*inDouble)(double);
};

/// What a function gives once it leaves the program, with a canonical NaN.
Value emitSqrtThatLeaves(ImplicitLocOpBuilder &builder, Value x) {
  return emitCanonicalNaN(builder, emitSqrt(builder, x));
}
Value emitTanhThatLeaves(ImplicitLocOpBuilder &builder, Value x) {
  return emitCanonicalNaN(builder, emitTanh(builder, x));
}
Value emitRsqrtThatLeaves(ImplicitLocOpBuilder &builder, Value x) {
  return emitCanonicalNaN(builder, emitRsqrt(builder, x));
}

#define ENSC_FUNCTION(Emit, name)                                              \
  {#name, emit##Emit, reference::name, reference::name}
const Function functions[] = {
    ENSC_FUNCTION(Exp, exp),
    ENSC_FUNCTION(Expm1, expm1),
    ENSC_FUNCTION(Log, log),
    ENSC_FUNCTION(Log1p, log1p),
    ENSC_FUNCTION(SqrtThatLeaves, sqrt),
    ENSC_FUNCTION(RsqrtThatLeaves, rsqrt),
    ENSC_FUNCTION(TanhThatLeaves, tanh),
    ENSC_FUNCTION(Logistic, logistic),
    ENSC_FUNCTION(Erf, erf),
    ENSC_FUNCTION(ErfInv, erfInv),
    ENSC_FUNCTION(Sin, sin),
    ENSC_FUNCTION(Cos, cos),
    ENSC_FUNCTION(Floor, floor),
    ENSC_FUNCTION(CanonicalNaN, canonicalize),
};
#undef ENSC_FUNCTION

struct BinaryFunction {
  const char *name;
  Value (*emit)(ImplicitLocOpBuilder &, Value, Value);
  float (*inFloat)(float, float);
  double (*inDouble)(double, double);
};

/// A NaN that arises in the program is canonical once it leaves.
template <typename T> T sum(T x, T y) { return reference::canonicalize(x + y); }
Value emitSum(ImplicitLocOpBuilder &builder, Value x, Value y) {
  return emitCanonicalNaN(builder, arith::AddFOp::create(builder, x, y));
}

const BinaryFunction binaryFunctions[] = {
    {"sum", emitSum, sum, sum},
    {"pow", emitPow, reference::pow, reference::pow},
    {"maximum", emitMaximum, reference::maximum, reference::maximum},
    {"minimum", emitMinimum, reference::minimum, reference::minimum},
};

/// The element type of `ens` for a C++ type.
template <typename T> Type elementOf(OpBuilder &builder) {
  if constexpr (std::is_same_v<T, float>)
    return builder.getF32Type();
  else if constexpr (std::is_same_v<T, double>)
    return builder.getF64Type();
  else if constexpr (std::is_same_v<T, bool>)
    return builder.getI1Type();
  else
    return IntegerType::get(builder.getContext(), 8 * sizeof(T),
                            std::is_signed_v<T> ? IntegerType::Signless
                                                : IntegerType::Unsigned);
}

template <typename T> const char *nameOf() {
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? "f32" : "f64";
  else if constexpr (std::is_same_v<T, bool>)
    return "i1";
  else if constexpr (std::is_unsigned_v<T>)
    return "ui32";
  else
    return sizeof(T) == 4 ? "i32" : "i64";
}

std::string kernelName(const std::string &name, const char *element,
                       int width) {
  return name + "." + element + "." + std::to_string(width);
}

/// One module with a kernel per function, element type and width.
class KernelModule {
public:
  KernelModule() : builder(UnknownLoc::get(&context), &context) {
    context.loadDialect<arith::ArithDialect, math::MathDialect,
                        LLVM::LLVMDialect>();
    registerBuiltinDialectTranslation(context);
    registerLLVMDialectTranslation(context);
    module = ModuleOp::create(builder.getLoc());
    addFunctions();
    addConversions();
    addPhilox();
  }

  std::unique_ptr<ExecutionEngine> compile(StringRef cpu);

private:
  void addFunctions();
  void addConversions();
  void addPhilox();

  template <typename From, typename... To> void addConversionsFrom() {
    (addConversion<From, To>(), ...);
  }
  template <typename From, typename To> void addConversion();

  /// A kernel that loads two operands of `element`, runs `body` and stores.
  void addKernel(const std::string &name, const char *elementName, Type element,
                 const EmitBody &body);

  MLIRContext context;
  ImplicitLocOpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

Type signless(OpBuilder &builder, Type element) {
  if (element.isInteger())
    return builder.getIntegerType(element.getIntOrFloatBitWidth());
  return element;
}

void KernelModule::addKernel(const std::string &name, const char *elementName,
                             Type element, const EmitBody &body) {
  auto pointer = LLVM::LLVMPointerType::get(&context);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&context),
                                          {pointer, pointer, pointer});
  for (int width : widths) {
    builder.setInsertionPointToEnd(module->getBody());
    auto function = LLVM::LLVMFuncOp::create(
        builder, kernelName(name, elementName, width), type);
    Block *block = function.addEntryBlock(builder);
    builder.setInsertionPointToStart(block);
    // i1 is a byte in memory.
    bool isBool = element.isInteger(1);
    auto shaped = [&](Type scalar) -> Type {
      return width == 1 ? scalar : VectorType::get({width}, scalar);
    };
    Type stored = isBool ? builder.getI8Type() : signless(builder, element);
    auto load = [&](unsigned index) -> Value {
      Value value = LLVM::LoadOp::create(builder, shaped(stored),
                                         block->getArgument(index), 1);
      if (isBool)
        value = arith::TruncIOp::create(builder, shaped(builder.getI1Type()),
                                        value);
      return value;
    };
    Value first = load(0), second = load(1);
    Value result = body(builder, first, second);
    if (getElementTypeOrSelf(result).isInteger(1))
      result =
          arith::ExtUIOp::create(builder, shaped(builder.getI8Type()), result);
    LLVM::StoreOp::create(builder, result, block->getArgument(2), 1);
    LLVM::ReturnOp::create(builder, ValueRange());
  }
}

void KernelModule::addFunctions() {
  for (Type element :
       {Type(builder.getF32Type()), Type(builder.getF64Type())}) {
    const char *name = element.isF32() ? "f32" : "f64";
    for (const Function &function : functions)
      addKernel(function.name, name, element,
                [&](ImplicitLocOpBuilder &b, Value x, Value) {
                  return function.emit(b, x);
                });
    for (const BinaryFunction &function : binaryFunctions)
      addKernel(function.name, name, element, function.emit);
  }
}

template <typename From, typename To> void KernelModule::addConversion() {
  Type from = elementOf<From>(builder), to = elementOf<To>(builder);
  addKernel(std::string("convert.") + nameOf<To>(), nameOf<From>(), from,
            [&](ImplicitLocOpBuilder &b, Value x, Value) {
              return emitConvert(b, x, from, to);
            });
}

void KernelModule::addConversions() {
  addConversionsFrom<float, double, bool, int32_t, int64_t, uint32_t>();
  addConversionsFrom<double, float, bool, int32_t, int64_t, uint32_t>();
  addConversionsFrom<bool, float, double, int32_t, int64_t, uint32_t>();
  addConversionsFrom<int32_t, float, double, bool, int64_t, uint32_t>();
  addConversionsFrom<int64_t, float, double, bool, int32_t, uint32_t>();
  addConversionsFrom<uint32_t, float, double, bool, int32_t, int64_t>();
}

/// One kernel per word, of the counter {x, y, x ^ y, 7} and the key {y, x}.
void KernelModule::addPhilox() {
  for (int word = 0; word < 4; ++word)
    addKernel("philox" + std::to_string(word), "i32", builder.getI32Type(),
              [&](ImplicitLocOpBuilder &b, Value x, Value y) {
                Value both = arith::XOrIOp::create(b, x, y);
                Type type = x.getType();
                TypedAttr seven = b.getI32IntegerAttr(7);
                if (auto vector = dyn_cast<VectorType>(type))
                  seven = DenseElementsAttr::get(vector, Attribute(seven));
                Value last = arith::ConstantOp::create(b, seven);
                return emitPhilox(b, {x, y, both, last}, {y, x})[word];
              });
}

std::unique_ptr<ExecutionEngine> KernelModule::compile(StringRef cpu) {
  PassManager passes(&context);
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  if (failed(passes.run(*module)))
    return nullptr;
  auto target =
      llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost());
  if (cpu != "native") {
    target = llvm::orc::JITTargetMachineBuilder(target.getTargetTriple());
    target.setCPU(cpu.str());
  }
  auto machine = llvm::cantFail(target.createTargetMachine());
  ExecutionEngineOptions options;
  options.enableObjectDump = true;
  auto optimize = makeOptimizingTransformer(3, 0, machine.get());
  options.transformer = optimize;
  auto engine = ExecutionEngine::create(*module, options, std::move(machine));
  return engine ? std::move(*engine) : nullptr;
}

/// Delicate points and random patterns; the number is a multiple of 16.
template <typename T> std::vector<T> arguments(size_t count) {
  std::vector<T> points = test::delicatePoints<T>();
  for (double x : test::randomDoubles(static_cast<int>(count / 8)))
    points.push_back(static_cast<T>(x));
  std::mt19937_64 engine(22);
  while (points.size() < count || points.size() % 16 != 0)
    points.push_back(reference::fromBits<T>(
        static_cast<typename numerics::FloatFormat<T>::Bits>(engine())));
  return points;
}

template <typename T>
void expectSameBits(const std::vector<T> &actual, const std::vector<T> &wanted,
                    const std::string &name) {
  ASSERT_EQ(actual.size(), wanted.size());
  if (std::memcmp(actual.data(), wanted.data(), sizeof(T) * wanted.size()) == 0)
    return;
  for (size_t i = 0; i < wanted.size(); ++i)
    ASSERT_EQ(std::memcmp(&actual[i], &wanted[i], sizeof(T)), 0)
        << name << ", argument " << i << ": " << actual[i] << " for "
        << wanted[i];
}

/// What a vector of `ens` elements of this C++ type is made of.
template <typename T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

template <typename T> std::vector<Stored<T>> convertArguments() {
  if constexpr (std::is_floating_point_v<T>) {
    std::vector<T> points = arguments<T>(4000);
    for (int power = 0; power <= 65; ++power)
      for (T offset : {T(-1), T(-0.5), T(0), T(0.5), T(1)})
        for (T sign : {T(-1), T(1)})
          points.push_back(sign * (std::ldexp(T(1), power) + offset));
    points.resize(points.size() / 16 * 16);
    return points;
  } else {
    std::vector<Stored<T>> points;
    std::mt19937_64 engine(23);
    for (int i = 0; i < 4096; ++i)
      points.push_back(static_cast<T>(engine() >> (i % 64)) *
                       static_cast<Stored<T>>(i % 2 ? 1 : -1));
    if constexpr (std::is_same_v<T, bool>)
      for (auto &point : points)
        point &= 1;
    return points;
  }
}

/// Compiled for a CPU: the parameter names it.
class MathEmitterTest : public testing::TestWithParam<const char *> {
protected:
  static void SetUpTestSuite() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  }
  static void TearDownTestSuite() { engines.clear(); }

  void SetUp() override {
    std::unique_ptr<ExecutionEngine> &slot = engines[GetParam()];
    if (!slot)
      slot = KernelModule().compile(GetParam());
    engine = slot.get();
    ASSERT_NE(engine, nullptr);
  }

  template <typename To, typename From>
  std::vector<To> run(const std::string &name, int width,
                      const std::vector<From> &first,
                      const std::vector<From> &second) {
    std::vector<To> result(first.size());
    auto kernel =
        reinterpret_cast<Kernel>(llvm::cantFail(engine->lookup(name)));
    for (size_t i = 0; i < first.size(); i += width)
      kernel(&first[i], &second[i], &result[i]);
    return result;
  }

  template <typename From, typename... To> void checkFrom() {
    (checkTo<From, To>(), ...);
  }
  template <typename From, typename To> void checkTo() {
    auto points = convertArguments<From>();
    std::vector<Stored<To>> wanted;
    for (auto x : points)
      wanted.push_back(reference::convert<To>(static_cast<From>(x)));
    for (int width : widths) {
      std::string name = kernelName(std::string("convert.") + nameOf<To>(),
                                    nameOf<From>(), width);
      expectSameBits(run<Stored<To>>(name, width, points, points), wanted,
                     name);
    }
  }

  ExecutionEngine *engine = nullptr;

private:
  static std::map<std::string, std::unique_ptr<ExecutionEngine>> engines;
};

std::map<std::string, std::unique_ptr<ExecutionEngine>>
    MathEmitterTest::engines;

// The vectors of the machine at hand, and those of a CPU without AVX-512.
INSTANTIATE_TEST_SUITE_P(, MathEmitterTest,
                         testing::Values("native", "haswell"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

TEST_P(MathEmitterTest, FunctionsHaveTheBitsOfTheInterpreter) {
  auto check = [&](auto zero, const char *element, auto member) {
    using T = decltype(zero);
    std::vector<T> points = arguments<T>(10000);
    for (const Function &function : functions) {
      std::vector<T> wanted;
      for (T x : points)
        wanted.push_back((function.*member)(x));
      for (int width : widths) {
        std::string name = kernelName(function.name, element, width);
        expectSameBits(run<T>(name, width, points, points), wanted, name);
      }
    }
  };
  check(0.0f, "f32", &Function::inFloat);
  check(0.0, "f64", &Function::inDouble);
}

TEST_P(MathEmitterTest, BinaryFunctionsHaveTheBitsOfTheInterpreter) {
  auto check = [&](auto zero, const char *element, auto member) {
    using T = decltype(zero);
    std::vector<T> first, second;
    // Every pair of delicate points, and pairs of everyday size.
    for (T x : test::delicatePoints<T>())
      for (T y : test::delicatePoints<T>()) {
        first.push_back(x);
        second.push_back(y);
      }
    std::vector<double> random = test::randomDoubles(4000);
    for (size_t i = 0; i + 1 < random.size() || first.size() % 16 != 0; ++i) {
      first.push_back(static_cast<T>(std::fabs(random[i])));
      second.push_back(static_cast<T>(random[i + 1]));
    }
    for (const BinaryFunction &function : binaryFunctions) {
      std::vector<T> wanted;
      for (size_t i = 0; i < first.size(); ++i)
        wanted.push_back((function.*member)(first[i], second[i]));
      for (int width : widths) {
        std::string name = kernelName(function.name, element, width);
        expectSameBits(run<T>(name, width, first, second), wanted, name);
      }
    }
  };
  check(0.0f, "f32", &BinaryFunction::inFloat);
  check(0.0, "f64", &BinaryFunction::inDouble);
}

TEST_P(MathEmitterTest, PhiloxHasTheBitsOfTheInterpreter) {
  std::vector<uint32_t> first, second;
  std::mt19937 engine(24);
  for (int i = 0; i < 256; ++i) {
    first.push_back(engine());
    second.push_back(engine());
  }
  for (int word = 0; word < 4; ++word) {
    std::vector<uint32_t> wanted;
    for (size_t i = 0; i < first.size(); ++i) {
      uint32_t x = first[i], y = second[i];
      wanted.push_back(reference::philox({x, y, x ^ y, 7}, {y, x})[word]);
    }
    for (int width : widths) {
      std::string name =
          kernelName("philox" + std::to_string(word), "i32", width);
      expectSameBits(run<uint32_t>(name, width, first, second), wanted, name);
    }
  }
}

TEST_P(MathEmitterTest, ConversionsHaveTheBitsOfTheInterpreter) {
  checkFrom<float, double, bool, int32_t, int64_t, uint32_t>();
  checkFrom<double, float, bool, int32_t, int64_t, uint32_t>();
  checkFrom<bool, float, double, int32_t, int64_t, uint32_t>();
  checkFrom<int32_t, float, double, bool, int64_t, uint32_t>();
  checkFrom<int64_t, float, double, bool, int32_t, uint32_t>();
  checkFrom<uint32_t, float, double, bool, int32_t, int64_t>();
}

TEST_P(MathEmitterTest, CallsNoLibrary) {
  llvm::cantFail(engine->lookup(kernelName("exp", "f32", 1)));
  llvm::SmallString<64> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("ensc-math", "o", path));
  engine->dumpToObjectFile(path);
  auto object = llvm::object::ObjectFile::createObjectFile(path);
  ASSERT_TRUE(bool(object));
  EXPECT_FALSE(object->getBinary()->symbols().empty());
  for (const llvm::object::SymbolRef &symbol : object->getBinary()->symbols()) {
    uint32_t flags = llvm::cantFail(symbol.getFlags());
    if (flags & llvm::object::BasicSymbolRef::SF_Undefined)
      EXPECT_EQ(llvm::cantFail(symbol.getName()).str(), "");
  }
  llvm::sys::fs::remove(path);
}

} // namespace
