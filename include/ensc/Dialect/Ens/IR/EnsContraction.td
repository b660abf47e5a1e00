//===- EnsContraction.td - Contractions and reductions -----*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSCONTRACTION
#define ENSC_DIALECT_ENS_IR_ENSCONTRACTION

include "ensc/Dialect/Ens/IR/EnsAttributes.td"

def Ens_DotOp : Ens_InferredOp<"dot"> {
  let summary = "Sums products over contracted dimensions";
  let description = [{
    Batch dimensions of both sides correspond in the order listed, and so do
    contracted ones. The result's dimensions are the batch dimensions, the free
    dimensions of `lhs`, the free dimensions of `rhs`. The order of summation is
    that of the contracted dimensions as listed, see Numerics.

    Constraints: dot_c1: both sides have the same float element type. dot_c2:
    dimension lists name dimensions of their side, none twice. dot_c3: the lists
    of both sides are equally long. dot_c4: extents that meet are equal.

    ```mlir
    %y = ens.dot %x, %w lhs_contract = [1] rhs_contract = [0] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
    %z = ens.dot %u, %v lhs_batch = [0] rhs_batch = [0] lhs_contract = [2] rhs_contract = [1] : (tensor<2x4x3xf32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
    ```
  }];
  let arguments = (ins Ens_FloatTensor:$lhs, Ens_FloatTensor:$rhs,
      DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$lhs_batch,
      DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$rhs_batch,
      DenseI64ArrayAttr:$lhs_contract, DenseI64ArrayAttr:$rhs_contract);
  let results = (outs Ens_FloatTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs
    (`lhs_batch` `=` $lhs_batch^ `rhs_batch` `=` $rhs_batch)?
    `lhs_contract` `=` $lhs_contract `rhs_contract` `=` $rhs_contract
    attr-dict `:` functional-type(operands, results)
  }];
}

def Ens_ReduceOp : Ens_InferredOp<"reduce"> {
  let summary = "Combines all elements along some dimensions";
  let description = [{
    Over no element: `sum` is 0, `max` and `min` are the least and the greatest
    value of the type (infinities for floats). Sums of floats use 16 strided
    partial sums and a tree, see Numerics. Where several elements are the `max`
    or `min` each gets an equal part of the derivative.

    Constraints: reduce_c1: `dims` are dimensions of the operand, strictly
    increasing.

    ```mlir
    %s = ens.reduce sum, %x dims = [1] : (tensor<4x3xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Ens_ReduceKind:$kind, Ens_NumberTensor:$x,
                       DenseI64ArrayAttr:$dims);
  let results = (outs Ens_NumberTensor:$result);
  let assemblyFormat = [{
    $kind `,` $x `dims` `=` $dims attr-dict `:` functional-type(operands, results)
  }];
}

def Ens_ArgReduceOp : Ens_InferredOp<"arg_reduce"> {
  let summary = "The index of the greatest or least element along a dimension";
  let description = [{
    The first one where several are equal; the first NaN where there is one. -0
    and +0 are equal.

    Constraints: arg_reduce_c1: `dim` is a dimension of the operand.
    arg_reduce_c2: its extent is at least 1.

    ```mlir
    %i = ens.arg_reduce max, %x dim = 1 : (tensor<4x3xf32>) -> tensor<4xi32>
    ```
  }];
  let arguments = (ins Ens_ArgReduceKind:$kind, Ens_NumberTensor:$x,
                       I64Attr:$dim);
  let results = (outs Ens_TensorOf<I32>:$result);
  let assemblyFormat = [{
    $kind `,` $x `dim` `=` $dim attr-dict `:` functional-type(operands, results)
  }];
}

#endif // ENSC_DIALECT_ENS_IR_ENSCONTRACTION
