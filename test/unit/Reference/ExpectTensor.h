//===- ExpectTensor.h - Bitwise comparison of tensors in tests --*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_REFERENCE_EXPECTTENSOR_H
#define ENSC_TEST_UNIT_REFERENCE_EXPECTTENSOR_H

#include "ensc/API/Tensor.h"

#include "gtest/gtest.h"

#include <iomanip>
#include <sstream>

namespace ensc::test {

/// "2x2xf32 [1, -0, nan, 3]", with the digits that tell neighbours apart.
inline std::string describe(const Tensor &tensor) {
  std::ostringstream text;
  text << typeString(tensor.dtype(), tensor.shape()) << " ["
       << std::setprecision(17);
  for (int64_t i = 0; i < tensor.size(); ++i) {
    text << (i ? ", " : "");
    switch (tensor.dtype()) {
    case DType::F32:
      text << tensor.data<float>()[i];
      break;
    case DType::F64:
      text << tensor.data<double>()[i];
      break;
    case DType::I1:
      text << tensor.data<bool>()[i];
      break;
    case DType::I32:
      text << tensor.data<int32_t>()[i];
      break;
    case DType::I64:
      text << tensor.data<int64_t>()[i];
      break;
    case DType::UI32:
      text << tensor.data<uint32_t>()[i];
      break;
    }
  }
  text << "]";
  return text.str();
}

/// Same type and same bits.
inline void expectTensor(const Tensor &actual, const Tensor &expected) {
  EXPECT_TRUE(actual.bitwiseEquals(expected))
      << "actual   " << describe(actual) << "\nexpected " << describe(expected);
}

inline Tensor f32(Shape shape, const std::vector<float> &values) {
  return Tensor::of(std::move(shape), values);
}
inline Tensor f64(Shape shape, const std::vector<double> &values) {
  return Tensor::of(std::move(shape), values);
}
inline Tensor i1(Shape shape, const std::vector<bool> &values) {
  return Tensor::of(std::move(shape), values);
}
inline Tensor i32(Shape shape, const std::vector<int32_t> &values) {
  return Tensor::of(std::move(shape), values);
}
inline Tensor i64(Shape shape, const std::vector<int64_t> &values) {
  return Tensor::of(std::move(shape), values);
}
inline Tensor ui32(Shape shape, const std::vector<uint32_t> &values) {
  return Tensor::of(std::move(shape), values);
}

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_REFERENCE_EXPECTTENSOR_H
