//===- Conversion.cpp - Type changing ops of the interpreter --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dispatch.h"
#include "ensc/Reference/Elementwise.h"
#include "ensc/Reference/Math.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace ensc;
using namespace ensc::reference;

namespace {
/// Truncates toward zero and saturates; NaN gives 0.
template <typename To, typename From> To floatToInteger(From x) {
  if (std::isnan(x))
    return 0;
  // 2^digits is the first value that is too large; the bounds of To themselves
  // need not be representable in From.
  From tooLarge = std::ldexp(From(1), std::numeric_limits<To>::digits);
  if (x >= tooLarge)
    return std::numeric_limits<To>::max();
  From least = std::is_signed_v<To> ? -tooLarge : From(0);
  return x <= least ? std::numeric_limits<To>::min() : static_cast<To>(x);
}

template <typename To, typename From> To convertElement(From x) {
  if constexpr (std::is_same_v<To, bool>)
    return x != 0;
  else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>)
    return floatToInteger<To>(x);
  else if constexpr (std::is_floating_point_v<To>)
    return canonical(static_cast<To>(x));
  else
    return static_cast<To>(x);
}

/// With the canonical payload in each NaN of a float tensor.
Tensor withCanonicalNaNs(const Tensor &tensor) {
  Tensor result = tensor.clone();
  dispatch(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_floating_point_v<T>)
      for (int64_t i = 0; i < result.size(); ++i)
        result.data<T>()[i] = canonical(result.data<T>()[i]);
  });
  return result;
}
} // namespace

Tensor ensc::reference::convert(const Tensor &operand, DType dtype) {
  Tensor result = Tensor::zeros(dtype, operand.shape());
  dispatch(operand.dtype(), [&](auto from) {
    using From = typename decltype(from)::Type;
    dispatch(dtype, [&](auto to) {
      using To = typename decltype(to)::Type;
      for (int64_t i = 0; i < result.size(); ++i)
        result.data<To>()[i] =
            convertElement<To, From>(operand.data<From>()[i]);
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
