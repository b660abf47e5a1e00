//===- EnsElementwise.td - Ops on corresponding elements ---*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSELEMENTWISE
#define ENSC_DIALECT_ENS_IR_ENSELEMENTWISE

include "ensc/Dialect/Ens/IR/EnsAttributes.td"

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

class Ens_UnaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Ens_Op<mnemonic, traits # [Pure, Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins type:$x);
  let results = (outs type:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

class Ens_FloatUnaryOp<string mnemonic, string formula, string notes = "">
    : Ens_UnaryOp<mnemonic, Ens_FloatLike> {
  let summary = formula;
  let description = notes # "\n\n```mlir\n%y = ens." # mnemonic #
                    " %x : tensor<4x3xf32>\n```\n";
}

def Ens_NegOp : Ens_UnaryOp<"neg", Ens_NumberLike> {
  let summary = "-x";
  let description = [{
    Flips the sign bit of a float; wraps for integers.

    ```mlir
    %y = ens.neg %x : tensor<4x3xf32>
    ```
  }];
  let hasFolder = 1;
}
def Ens_AbsOp : Ens_UnaryOp<"abs", Ens_NumberLike> {
  let summary = "|x|";
  let description = [{
    Clears the sign bit of a float; wraps for the least integer. The derivative
    is sign(x), 0 at 0.

    ```mlir
    %y = ens.abs %x : tensor<4x3xf32>
    ```
  }];
  let hasFolder = 1;
}
def Ens_SignOp : Ens_UnaryOp<"sign", Ens_NumberLike> {
  let summary = "-1, 0 or 1 with the sign of x";
  let description = [{
    Zeros keep their sign, NaN stays NaN. The derivative is 0.

    ```mlir
    %y = ens.sign %x : tensor<4x3xf32>
    ```
  }];
}
def Ens_NotOp : Ens_UnaryOp<"not", Ens_BitsLike> {
  let summary = "Every bit inverted";
  let description = [{
    ```mlir
    %y = ens.not %x : tensor<4x3xi1>
    ```
  }];
  let hasFolder = 1;
}
def Ens_StopGradientOp : Ens_UnaryOp<"stop_gradient", Ens_ElementLike> {
  let summary = "x, with a derivative of 0";
  let description = [{
    Expand and Differentiate keep it, nothing after them distinguishes it from
    its operand.

    ```mlir
    %y = ens.stop_gradient %x : tensor<4x3xf32>
    ```
  }];
}

def Ens_ExpOp : Ens_FloatUnaryOp<"exp", "e to the power x">;
def Ens_LogOp : Ens_FloatUnaryOp<"log", "Natural logarithm of x">;
def Ens_Log1pOp : Ens_FloatUnaryOp<"log1p", "log(1 + x), accurate near 0">;
def Ens_Expm1Op : Ens_FloatUnaryOp<"expm1", "exp(x) - 1, accurate near 0">;
def Ens_SqrtOp : Ens_FloatUnaryOp<"sqrt", "Square root, correctly rounded",
    "The derivative is 0 at 0, so that norms can be differentiated there.">;
def Ens_RsqrtOp : Ens_FloatUnaryOp<"rsqrt", "1 / sqrt(x), two roundings">;
def Ens_TanhOp : Ens_FloatUnaryOp<"tanh", "Hyperbolic tangent">;
def Ens_LogisticOp : Ens_FloatUnaryOp<"logistic", "1 / (1 + exp(-x))">;
def Ens_ErfOp : Ens_FloatUnaryOp<"erf", "Error function">;
def Ens_ErfInvOp : Ens_FloatUnaryOp<"erf_inv", "Inverse of the error function">;
def Ens_SinOp : Ens_FloatUnaryOp<"sin", "Sine of x radians">;
def Ens_CosOp : Ens_FloatUnaryOp<"cos", "Cosine of x radians">;
def Ens_FloorOp : Ens_FloatUnaryOp<"floor", "Greatest integer not above x",
    "The derivative is 0.">;

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

class Ens_BinaryOp<string mnemonic, string formula, Type type,
                   string notes = "", list<Trait> traits = []>
    : Ens_Op<mnemonic, traits # [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = formula;
  let description = notes # "\n\n```mlir\n%y = ens." # mnemonic #
                    " %a, %b : tensor<4x3x" #
                    !if(!eq(type, Ens_BitsLike), "i1",
                        !if(!eq(type, Ens_IntegerLike), "ui32", "f32")) #
                    ">\n```\n";
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Ens_AddOp : Ens_BinaryOp<"add", "lhs + rhs", Ens_NumberLike,
    "Integers wrap.", [Commutative]> {
  let hasFolder = 1;
}
def Ens_SubOp : Ens_BinaryOp<"sub", "lhs - rhs", Ens_NumberLike,
    "Integers wrap."> {
  let hasFolder = 1;
}
def Ens_MulOp : Ens_BinaryOp<"mul", "lhs * rhs", Ens_NumberLike,
    "Integers wrap.", [Commutative]> {
  let hasFolder = 1;
}
def Ens_MulHighOp : Ens_BinaryOp<"mul_high",
    "High half of the double-width product", Ens_IntegerLike,
    "For i32 and ui32. mul_high_c1: the element type is not i64."> {
  let hasVerifier = 1;
}
def Ens_DivOp : Ens_BinaryOp<"div", "lhs / rhs", Ens_NumberLike,
    "Integers truncate toward zero; x / 0 is 0 and the least integer divided "
    "by -1 is itself.">;
def Ens_PowOp : Ens_BinaryOp<"pow", "lhs to the power rhs", Ens_FloatLike,
    "The derivative by lhs is 0 where lhs is 0 and rhs < 1; the derivative by "
    "rhs is 0 where lhs is 0.">;
def Ens_MaxOp : Ens_BinaryOp<"max", "The greater of two", Ens_NumberLike,
    "IEEE 754-2019 maximum: NaN wins, -0 is less than +0. Where the operands are "
    "equal each gets half of the derivative.">;
def Ens_MinOp : Ens_BinaryOp<"min", "The lesser of two", Ens_NumberLike,
    "IEEE 754-2019 minimum: NaN wins, -0 is less than +0. Where the operands are "
    "equal each gets half of the derivative.">;
def Ens_AndOp : Ens_BinaryOp<"and", "Bitwise and", Ens_BitsLike, "",
    [Commutative]> {
  let hasFolder = 1;
}
def Ens_OrOp : Ens_BinaryOp<"or", "Bitwise or", Ens_BitsLike, "",
    [Commutative]> {
  let hasFolder = 1;
}
def Ens_XorOp : Ens_BinaryOp<"xor", "Bitwise exclusive or", Ens_BitsLike, "",
    [Commutative]> {
  let hasFolder = 1;
}
def Ens_ShiftLeftOp : Ens_BinaryOp<"shift_left",
    "lhs shifted left by rhs bits", Ens_IntegerLike,
    "0 where rhs, taken as unsigned, is at least the width.">;
def Ens_ShiftRightLogicalOp : Ens_BinaryOp<"shift_right_logical",
    "lhs shifted right by rhs bits, filled with 0", Ens_IntegerLike,
    "0 where rhs, taken as unsigned, is at least the width.">;
def Ens_ShiftRightArithmeticOp : Ens_BinaryOp<"shift_right_arithmetic",
    "lhs shifted right by rhs bits, filled with the sign", Ens_IntegerLike,
    "0 where rhs, taken as unsigned, is at least the width. The sign of ui32 is "
    "its top bit.">;

//===----------------------------------------------------------------------===//
// The others
//===----------------------------------------------------------------------===//

def Ens_CompareOp : Ens_Op<"compare", [Pure, Elementwise,
    SameTypeOperands, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Whether a relation holds between two elements";
  let description = [{
    A comparison with NaN is false, except `ne`, which is true. -0 equals +0.

    Constraints: compare_c1: i1 operands are compared with `eq` or `ne`.

    ```mlir
    %p = ens.compare lt, %a, %b : tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Ens_ComparePredicate:$predicate, Ens_ElementLike:$lhs,
                       Ens_ElementLike:$rhs);
  let results = (outs Ens_BoolLike:$result);
  let assemblyFormat = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasVerifier = 1;
}

def Ens_SelectOp : Ens_Op<"select", [Pure, Elementwise,
    AllTypesMatch<["onTrue", "onFalse", "result"]>,
    TypesMatchWith<"the predicate is i1 of the same shape", "result",
                   "predicate", "::ensc::ens::withElementType($_self, "
                   "::mlir::IntegerType::get($_self.getContext(), 1))">]> {
  let summary = "onTrue where the predicate holds, onFalse elsewhere";
  let description = [{
    ```mlir
    %y = ens.select %p, %a, %b : tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Ens_BoolLike:$predicate, Ens_ElementLike:$onTrue,
                       Ens_ElementLike:$onFalse);
  let results = (outs Ens_ElementLike:$result);
  let assemblyFormat = [{
    $predicate `,` $onTrue `,` $onFalse attr-dict `:` type($result)
  }];
  let hasFolder = 1;
}

def Ens_ClampOp : Ens_Op<"clamp", [Pure, Elementwise,
                                   SameOperandsAndResultType]> {
  let summary = "x, but no less than low and no greater than high";
  let description = [{
    `x < low ? low : (x > high ? high : x)`. NaN stays NaN. The derivative by x
    is 1 in the closed interval.

    ```mlir
    %y = ens.clamp %low, %x, %high : tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Ens_NumberLike:$low, Ens_NumberLike:$x,
                       Ens_NumberLike:$high);
  let results = (outs Ens_NumberLike:$result);
  let assemblyFormat = "$low `,` $x `,` $high attr-dict `:` type($result)";
}

class Ens_CastOp<string mnemonic> : Ens_Op<mnemonic, [Pure, Elementwise,
    SameOperandsAndResultShape]> {
  let arguments = (ins Ens_ElementLike:$x);
  let results = (outs Ens_ElementLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($result)";
}

def Ens_ConvertOp : Ens_CastOp<"convert"> {
  let summary = "The same number in another element type";
  let description = [{
    A float becomes an integer by truncation toward zero and saturates, NaN
    becomes 0; an integer becomes the nearest float, ties to even; integers
    wrap; i1 counts as 0 or 1, and what is not 0 becomes true.

    ```mlir
    %y = ens.convert %x : tensor<4x3xf32> to tensor<4x3xi32>
    ```
  }];
  let hasFolder = 1;
}

def Ens_BitcastOp : Ens_CastOp<"bitcast"> {
  let summary = "The same bits in another element type of equal width";
  let description = [{
    A NaN that leaves it is the canonical one.

    Constraints: bitcast_c1: the widths are equal and not 1.

    ```mlir
    %y = ens.bitcast %x : tensor<4x3xf32> to tensor<4x3xui32>
    ```
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // ENSC_DIALECT_ENS_IR_ENSELEMENTWISE
