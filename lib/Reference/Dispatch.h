//===- Dispatch.h - From element types to C++ types -------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the evaluators.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_REFERENCE_DISPATCH_H
#define ENSC_LIB_REFERENCE_DISPATCH_H

#include "ensc/API/Tensor.h"

namespace ensc::reference {

/// Names a C++ type in a function argument: `typename decltype(tag)::Type`.
template <typename T> struct TypeTag {
  using Type = T;
};

/// An operand that the op's verifier rejects. It stops the process, since a
/// made-up result would pass for an answer.
[[noreturn]] inline void rejectOperand() {
  assert(false && "an op met an element type that its verifier rejects");
  __builtin_trap();
}

/// Calls `function` with the TypeTag of `dtype`.
template <typename Function> auto dispatch(DType dtype, Function function) {
  switch (dtype) {
  case DType::F32:
    return function(TypeTag<float>());
  case DType::F64:
    return function(TypeTag<double>());
  case DType::I1:
    return function(TypeTag<bool>());
  case DType::I32:
    return function(TypeTag<int32_t>());
  case DType::I64:
    return function(TypeTag<int64_t>());
  case DType::UI32:
    return function(TypeTag<uint32_t>());
  }
  rejectOperand();
}

} // namespace ensc::reference

#endif // ENSC_LIB_REFERENCE_DISPATCH_H
