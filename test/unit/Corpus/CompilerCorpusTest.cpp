//===- CompilerCorpusTest.cpp - Conformance cases about the compiler ------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Compiler.h"
#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Pipelines/Pipelines.h"
#include "ensc/Support/DiagnosticCollector.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace ensc;

namespace {
std::string textAfter(const std::string &program, const std::string &phase) {
  EmitOptions options;
  options.until = phase;
  Expected<std::string> text = Compiler().emit(program, "test", options);
  EXPECT_TRUE(text) << text.error().message();
  return text ? *text : "";
}

std::string errorOf(const std::string &program) {
  Expected<std::string> text = Compiler().emit(program, "test", {});
  return text ? "no error" : text.error().message();
}

TEST(CompilerCorpusTest, MEM_A05_AnEnsembleHasTheSameOpsForAnyNumberOfRuns) {
  auto program = [](int64_t runs) {
    std::string k = std::to_string(runs);
    return "func.func private @member(%w: tensor<f32>, %x: tensor<f32>) -> "
           "tensor<f32> {\n%y = ens.mul %w, %x : tensor<f32>\nreturn %y : "
           "tensor<f32>\n}\nfunc.func @all(%w: tensor<" +
           k + "xf32>, %x: tensor<f32>) -> tensor<" + k +
           "xf32> {\n%y = ens.ensemble @member(%w, %x) runs = " + k +
           " per_run = [true, false] : (tensor<" + k +
           "xf32>, tensor<f32>) -> tensor<" + k + "xf32>\nreturn %y : tensor<" +
           k + "xf32>\n}";
  };
  for (const char *phase : {"differentiate", "vectorize", "schedule"}) {
    auto lines = [&](int64_t runs) {
      std::string text = textAfter(program(runs), phase);
      return std::count(text.begin(), text.end(), '\n');
    };
    EXPECT_EQ(lines(64), lines(2)) << phase;
    EXPECT_EQ(lines(512), lines(2)) << phase;
  }
  // Code has a part for the elements beside the last whole vector, or none.
  auto size = [&](int64_t runs) {
    return textAfter(program(runs), "lower").size();
  };
  EXPECT_LE(size(512), size(64) + size(64) / 10);

  constexpr int64_t runs = 512;
  for (Backend backend : {Backend::Jit, Backend::Interpret}) {
    CompileOptions options;
    options.backend = backend;
    options.cache = false;
    auto executable = Compiler(options).compile(program(runs), "test");
    ASSERT_TRUE(executable) << executable.error().message();
    const ManifestEntry &entry = *executable->manifest().findEntry("all");
    Tensor w = Tensor::zeros(DType::F32, entry.arguments[0].shapeFor(1));
    Tensor x = Tensor::zeros(DType::F32, entry.arguments[1].shapeFor(1));
    x.data<float>()[0] = 3.0f;
    for (int64_t run = 0; run < runs; ++run)
      w.data<float>()[run] = static_cast<float>(run);
    auto results = executable->call("all", {w, x});
    ASSERT_TRUE(results) << results.error().message();
    for (int64_t run = 0; run < runs; ++run)
      EXPECT_EQ((*results)[0].data<float>()[run], 3.0f * run);
  }
}

// A literal goes through f64, and one that is too large is infinite: Numerics
// says so.
TEST(CompilerCorpusTest, PVD_A01_LiteralsAreRoundedToTheirType) {
  const std::string program = R"mlir(
func.func @literals() -> (tensor<4xf32>, tensor<f64>) {
  %0 = ens.constant dense<[0.1, 16777217.0, 1.0e39, 1.0e-46]> : tensor<4xf32>
  %1 = ens.constant dense<1.0e309> : tensor<f64>
  return %0, %1 : tensor<4xf32>, tensor<f64>
})mlir";
  for (Backend backend : {Backend::Jit, Backend::Interpret}) {
    CompileOptions options;
    options.backend = backend;
    options.cache = false;
    auto executable = Compiler(options).compile(program, "test");
    ASSERT_TRUE(executable) << executable.error().message();
    auto results = executable->call("literals", {});
    ASSERT_TRUE(results) << results.error().message();
    const uint32_t expected[] = {0x3DCCCCCD, 0x4B800000, 0x7F800000, 0};
    EXPECT_EQ(std::memcmp((*results)[0].bytes(), expected, sizeof(expected)),
              0);
    EXPECT_EQ((*results)[1].data<double>()[0], HUGE_VAL);
  }
}

TEST(CompilerCorpusTest, PVD_A04_AMismatchOfRunsNamesTheOperands) {
  std::string error = errorOf(R"mlir(
func.func private @member(%a: tensor<4xf32>, %n: tensor<i32>, %b: tensor<2xf32>)
    -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @all(%a: tensor<10x4xf32>, %n: tensor<i32>, %b: tensor<2x10xf32>)
    -> tensor<10x4xf32> {
  %y = ens.ensemble @member(%a, %n, %b) runs = 10 per_run = [true, false, true]
      : (tensor<10x4xf32>, tensor<i32>, tensor<2x10xf32>) -> tensor<10x4xf32>
  return %y : tensor<10x4xf32>
})mlir");
  EXPECT_NE(error.find("test:8:8: error: 'ens.ensemble' op expects operands"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("; of 10 runs operand 0 has 10, operand 2 has 2"),
            std::string::npos)
      << error;
}

/// Text of a module that is not verified; empty if it cannot be read.
std::string dumpUnverified(const std::string &program, std::string &error) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  DiagnosticCollector diagnostics(&context);
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, config);
  if (!module)
    return "";
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  error = failed(mlir::verify(*module)) ? diagnostics.text() : "no error";
  return text;
}

TEST(CompilerCorpusTest, PVD_A05_InvalidModulesCanBeDumped) {
  std::string error;
  std::string text = dumpUnverified(R"mlir(
"func.func"() ({
^bb0(%x: tensor<2xf32>, %y: tensor<3xf32>):
  %0 = "ens.add"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}) {sym_name = "f", function_type = (tensor<2xf32>, tensor<3xf32>) -> tensor<4xf32>} : () -> ()
)mlir",
                                    error);
  EXPECT_NE(text.find("\"ens.add\"(%arg0, %arg1)"), std::string::npos) << text;
  EXPECT_NE(error.find("'ens.add' op"), std::string::npos) << error;

  // Every op of the dialect, without all that it needs.
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  int ops = 0;
  for (mlir::RegisteredOperationName name :
       context.getRegisteredOperationsByDialect(
           ens::EnsDialect::getDialectNamespace())) {
    std::string op = ("\"" + name.getStringRef() + "\"").str();
    std::string bare = dumpUnverified(op + "() : () -> ()", error);
    // Some ops cannot even be read like that: then that is the error.
    EXPECT_TRUE(bare.empty() ||
                bare.find(name.getStringRef().str()) != std::string::npos)
        << op << ": " << bare;
    ++ops;
  }
  EXPECT_GT(ops, 60);
}
} // namespace
