//===- Elementwise.h - Elementwise ops of the interpreter -------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One evaluator per elementwise op. Operands have equal shapes and the element
// types that the op's verifier accepts; both are preconditions here. A NaN
// result of arithmetic is the canonical one.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REFERENCE_ELEMENTWISE_H
#define ENSC_REFERENCE_ELEMENTWISE_H

#include "ensc/API/Tensor.h"

namespace ensc::reference {

enum class UnaryKind {
  Neg,
  Abs,
  Sign,
  Not,
  Exp,
  Log,
  Log1p,
  Expm1,
  Sqrt,
  Rsqrt,
  Tanh,
  Logistic,
  Erf,
  ErfInv,
  Sin,
  Cos,
  Floor,
};

/// Neg, Abs and Sign take floats and integers (which wrap), Not takes i1 and
/// integers, the rest takes floats.
Tensor unary(UnaryKind kind, const Tensor &operand);

enum class BinaryKind {
  Add,
  Sub,
  Mul,
  MulHigh,
  Div,
  Pow,
  Max,
  Min,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRightLogical,
  ShiftRightArithmetic,
};

/// Integers wrap; x / 0 is 0; a shift by the width or more is 0. MulHigh takes
/// i32 and ui32, Pow floats, the bitwise kinds i1 and integers, shifts
/// integers.
Tensor binary(BinaryKind kind, const Tensor &lhs, const Tensor &rhs);

enum class ComparePredicate { Eq, Ne, Lt, Le, Gt, Ge };

/// An i1 tensor. NaN compares false, except that it is not equal to anything.
Tensor compare(ComparePredicate predicate, const Tensor &lhs,
               const Tensor &rhs);

/// `ifTrue` where the i1 tensor `condition` is 1, else `ifFalse`.
Tensor select(const Tensor &condition, const Tensor &ifTrue,
              const Tensor &ifFalse);

/// x < low ? low : (x > high ? high : x); a NaN in `x` stays.
Tensor clamp(const Tensor &low, const Tensor &x, const Tensor &high);

/// Float to integer truncates and saturates, NaN gives 0; integers wrap; to i1
/// is x != 0; everything else rounds to nearest even.
Tensor convert(const Tensor &operand, DType dtype);

/// The same bits as another type of equal width; NaN becomes canonical.
Tensor bitcast(const Tensor &operand, DType dtype);

/// A copy of `operand` in which every NaN is the canonical one.
Tensor withCanonicalNaNs(const Tensor &operand);

} // namespace ensc::reference

#endif // ENSC_REFERENCE_ELEMENTWISE_H
