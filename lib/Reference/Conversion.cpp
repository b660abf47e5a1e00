//===- Conversion.cpp - Type changing ops of the interpreter --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dispatch.h"
#include "ensc/Reference/Elementwise.h"
#include "ensc/Reference/Math.h"

#include <cstring>

using namespace ensc;
using namespace ensc::reference;

Tensor ensc::reference::convert(const Tensor &operand, DType dtype) {
  Tensor result = Tensor::zeros(dtype, operand.shape());
  dispatch(operand.dtype(), [&](auto from) {
    using From = typename decltype(from)::Type;
    dispatch(dtype, [&](auto to) {
      using To = typename decltype(to)::Type;
      for (int64_t i = 0, count = result.size(); i < count; ++i)
        result.data<To>()[i] = convert<To>(operand.data<From>()[i]);
    });
  });
  return result;
}

Tensor ensc::reference::bitcast(const Tensor &operand, DType dtype) {
  assert(sizeOf(operand.dtype()) == sizeOf(dtype) && "bitcast changes width");
  Tensor result = Tensor::zeros(dtype, operand.shape());
  Tensor source = withCanonicalNaNs(operand);
  std::memcpy(result.bytes(), source.bytes(), result.sizeInBytes());
  return withCanonicalNaNs(result);
}

Tensor ensc::reference::withCanonicalNaNs(const Tensor &tensor) {
  Tensor result = tensor.clone();
  dispatch(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_floating_point_v<T>)
      for (int64_t i = 0, count = result.size(); i < count; ++i)
        result.data<T>()[i] = canonicalize(result.data<T>()[i]);
  });
  return result;
}
