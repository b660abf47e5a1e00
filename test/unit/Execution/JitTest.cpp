//===- JitTest.cpp - Objects in this process ------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Execution/Jit.h"
#include "ensc/API/Compiler.h"
#include "ensc/Emit/Target.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

using namespace ensc;

namespace {

std::string compileObject() {
  EmitOptions options;
  options.kind = EmitKind::Object;
  Expected<std::string> object = Compiler().emit(
      "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
      "  %y = ens.neg %x : tensor<f32>\n  return %y : tensor<f32>\n}",
      "f.mlir", options);
  EXPECT_TRUE(object) << object.error().message();
  return object ? *object : "";
}

TEST(Jit, FindsTheSymbolsOfAnObject) {
  std::string object = compileObject();
  Expected<std::unique_ptr<Jit>> jit = Jit::load(llvm::StringRef(object));
  ASSERT_TRUE(jit) << jit.error().message();
  Expected<void *> solo = (*jit)->lookup("f_solo");
  ASSERT_TRUE(solo) << solo.error().message();
  Expected<void *> manifest = (*jit)->lookup("ensc_manifest");
  ASSERT_TRUE(manifest);
  EXPECT_EQ(std::strncmp(static_cast<const char *>(*manifest), "{", 1), 0);
  Expected<void *> missing = (*jit)->lookup("g_solo");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message().find("g_solo"), std::string::npos);
}

TEST(Jit, SeveralThreadsMayLoadAndCompileAtOnce) {
  std::string object = compileObject();
  std::atomic<int> loaded{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      loaded += bool(Jit::load(llvm::StringRef(object)));
      loaded += bool(resolveCpu("native"));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(loaded, 8);
}

TEST(Jit, RefusesWhatIsNoObject) {
  Expected<std::unique_ptr<Jit>> jit = Jit::load(llvm::StringRef("no object"));
  ASSERT_FALSE(jit);
  EXPECT_EQ(jit.error().message().find("loading compiled code failed: "), 0u);
}

} // namespace
