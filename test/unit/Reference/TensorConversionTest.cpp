//===- TensorConversionTest.cpp - Tests of tensors as attributes ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/TensorConversion.h"
#include "ExpectTensor.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::test;

namespace {

TEST(TensorConversionTest, EveryElementTypeThereAndBack) {
  mlir::MLIRContext context;
  for (DType dtype :
       {DType::F32, DType::F64, DType::I1, DType::I32, DType::I64, DType::UI32})
    EXPECT_EQ(toDType(toElementType(&context, dtype)), dtype);
  mlir::Builder builder(&context);
  EXPECT_EQ(toDType(builder.getIndexType()), DType::I64);
  EXPECT_EQ(toDType(builder.getF16Type()), std::nullopt);
  EXPECT_EQ(toDType(builder.getIntegerType(64, /*isSigned=*/false)),
            std::nullopt);
}

TEST(TensorConversionTest, AttributesKeepBits) {
  mlir::MLIRContext context;
  Tensor oddNaN = Tensor::zeros(DType::F32, {1});
  *static_cast<uint32_t *>(oddNaN.bytes()) = 0xffc12345;
  for (const Tensor &tensor :
       {f32({2, 2}, {0.1f, -0.0f, 3, 4}), f64({}, {0.1}),
        i1({10}, {1, 0, 1, 1, 0, 0, 0, 1, 1, 0}), i1({2}, {true, true}),
        i32({2}, {-1, 7}), i64({1}, {INT64_MIN}), ui32({2}, {UINT32_MAX, 1}),
        f32({0, 3}, {}), oddNaN}) {
    Expected<Tensor> back = toTensor(toAttribute(&context, tensor));
    ASSERT_TRUE(back) << back.error().message();
    expectTensor(*back, tensor);
  }
}

TEST(TensorConversionTest, ScalarAttributes) {
  mlir::MLIRContext context;
  mlir::Builder builder(&context);
  expectTensor(*toTensor(builder.getIndexAttr(-3)), i64({}, {-3}));
  expectTensor(*toTensor(builder.getI32IntegerAttr(-3)), i32({}, {-3}));
  expectTensor(*toTensor(builder.getBoolAttr(true)), i1({}, {true}));
  expectTensor(*toTensor(builder.getF32FloatAttr(0.1f)), f32({}, {0.1f}));
  expectTensor(*toTensor(builder.getF64FloatAttr(0.1)), f64({}, {0.1}));
}

TEST(TensorConversionTest, OthersAreErrors) {
  mlir::MLIRContext context;
  mlir::Builder builder(&context);
  Expected<Tensor> text = toTensor(builder.getStringAttr("x"));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message(),
            "cannot read the constant \"x\" as a tensor; expected a static "
            "dense<...> of f32, f64, i1, i32, i64 or ui32, or a scalar of "
            "these");
  EXPECT_FALSE(toTensor(builder.getI8IntegerAttr(1)));
  EXPECT_FALSE(toTensor(builder.getF16FloatAttr(1)));
}

TEST(TensorConversionTest, TypesOfValues) {
  mlir::MLIRContext context;
  mlir::Builder builder(&context);
  Tensor matrix = f32({2, 1}, {1, 2});
  EXPECT_TRUE(hasType(matrix, toTensorType(&context, matrix)));
  EXPECT_FALSE(hasType(matrix, builder.getF32Type()));
  EXPECT_FALSE(hasType(
      matrix, mlir::RankedTensorType::get({1, 2}, builder.getF32Type())));
  EXPECT_TRUE(hasType(f32({}, {1}), builder.getF32Type()));
  EXPECT_TRUE(hasType(i64({}, {1}), builder.getIndexType()));
  EXPECT_FALSE(hasType(i64({}, {1}), builder.getI32Type()));
}

} // namespace
