//===- EnsShape.td - Ops that rearrange elements -----------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSSHAPE
#define ENSC_DIALECT_ENS_IR_ENSSHAPE

include "ensc/Dialect/Ens/IR/EnsAttributes.td"

def Ens_ConstantOp : Ens_Op<"constant", [Pure, ConstantLike,
    AllTypesMatch<["value", "result"]>]> {
  let summary = "A tensor known at compile time";
  let description = [{
    ```mlir
    %half = ens.constant dense<0.5> : tensor<4x3xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Ens_IotaOp : Ens_Op<"iota", [Pure]> {
  let summary = "Each element is its index along one dimension";
  let description = [{
    Constraints: iota_c1: `dim` is a dimension of the result.

    ```mlir
    %i = ens.iota dim = 1 : tensor<4x3xi32>
    ```
  }];
  let arguments = (ins I64Attr:$dim);
  let results = (outs Ens_NumberTensor:$result);
  let assemblyFormat = "`dim` `=` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Ens_FromIndexOp : Ens_Op<"from_index", [Pure]> {
  let summary = "A loop counter as a tensor of rank 0";
  let description = [{
    The only way from the `index` values of loops to tensors. All runs share the
    counter, so the result is uniform.

    ```mlir
    scf.for %i = %begin to %end step %one {
      %step = ens.from_index %i : tensor<i64>
    }
    ```
  }];
  let arguments = (ins Index:$x);
  let results = (outs Ens_SeedScalar:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

def Ens_BroadcastOp : Ens_Op<"broadcast", [Pure, SameOperandsAndResultElementType]> {
  let summary = "Repeats a tensor along new dimensions";
  let description = [{
    Dimension i of the operand becomes dimension `dims[i]` of the result; the
    element is repeated along all others.

    With `runs` the first dimension of the result counts runs: Vectorize gives a
    uniform value to an op of varying values that way, and what follows knows by
    it that the result is one value per run.

    Constraints: broadcast_c1: `dims` has one entry per dimension of the
    operand, strictly increasing, each a dimension of the result.
    broadcast_c2: the extents of dimensions that meet are equal. broadcast_c3:
    with `runs` the first dimension of the result is a new one.

    ```mlir
    %rows = ens.broadcast %bias dims = [1] : tensor<3xf32> to tensor<4x3xf32>
    %lanes = ens.broadcast %bias dims = [1] {runs} : tensor<3xf32> to tensor<8x3xf32>
    ```
  }];
  let arguments = (ins Ens_Tensor:$x, DenseI64ArrayAttr:$dims,
                       UnitAttr:$runs);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims attr-dict `:` type($x) `to` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Ens_ReshapeOp : Ens_Op<"reshape", [Pure, SameOperandsAndResultElementType]> {
  let summary = "The same elements in row-major order under another shape";
  let description = [{
    Constraints: reshape_c1: operand and result have equally many elements.

    ```mlir
    %flat = ens.reshape %x : tensor<4x3xf32> to tensor<12xf32>
    ```
  }];
  let arguments = (ins Ens_Tensor:$x);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Ens_TransposeOp : Ens_InferredOp<"transpose"> {
  let summary = "Permutes dimensions";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of the operand.

    Constraints: transpose_c1: `permutation` holds each dimension of the operand
    once.

    ```mlir
    %t = ens.transpose %x permutation = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    ```
  }];
  let arguments = (ins Ens_Tensor:$x, DenseI64ArrayAttr:$permutation);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = [{
    $x `permutation` `=` $permutation attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Ens_ReverseOp : Ens_InferredOp<"reverse"> {
  let summary = "Reverses the order along some dimensions";
  let description = [{
    Constraints: reverse_c1: `dims` are dimensions of the operand, strictly
    increasing.

    ```mlir
    %r = ens.reverse %x dims = [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Ens_Tensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Ens_SliceOp : Ens_InferredOp<"slice"> {
  let summary = "Every strides[d]-th element from starts[d] below limits[d]";
  let description = [{
    Constraints: slice_c1: `starts`, `limits` and `strides` have one entry per
    dimension. slice_c2: 0 <= start <= limit <= extent. slice_c3: strides are
    positive and at most 2^40.

    ```mlir
    %s = ens.slice %x starts = [1, 0] limits = [4, 3] strides = [2, 1] : (tensor<4x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Ens_Tensor:$x, DenseI64ArrayAttr:$starts,
                       DenseI64ArrayAttr:$limits, DenseI64ArrayAttr:$strides);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = [{
    $x `starts` `=` $starts `limits` `=` $limits `strides` `=` $strides
    attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Ens_DynamicSliceOp : Ens_InferredOp<"dynamic_slice"> {
  let summary = "A window whose position is known at run time";
  let description = [{
    The leading `batch_dims` dimensions of `x` are batch dimensions and are the
    shape of each start; the others have one start each. A start is clamped to
    [0, extent - size], so that the window always lies inside.

    Constraints: dynamic_slice_c1: 0 <= batch_dims <= rank, and there is one
    start and one size per other dimension. dynamic_slice_c2: starts have the
    batch dimensions' shape. dynamic_slice_c3: 0 <= size <= extent.

    ```mlir
    %w = ens.dynamic_slice %x [%i, %j] sizes = [2, 2] : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
    ```
  }];
  let arguments = (ins Ens_Tensor:$x, Variadic<Ens_IndexTensor>:$starts,
                       DenseI64ArrayAttr:$sizes,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = [{
    $x `[` $starts `]` `sizes` `=` $sizes attr-dict `:`
    functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Ens_DynamicUpdateSliceOp : Ens_InferredOp<"dynamic_update_slice"> {
  let summary = "x with a window, placed at run time, replaced";
  let description = [{
    Starts are clamped as in `ens.dynamic_slice`.

    Constraints: dynamic_update_slice_c1: 0 <= batch_dims <= rank, one start per
    other dimension. dynamic_update_slice_c2: starts have the batch dimensions'
    shape. dynamic_update_slice_c3: the update has the element type, the rank and
    the batch dimensions of `x` and fits into it.

    ```mlir
    %y = ens.dynamic_update_slice %x, %w [%i, %j] : (tensor<4x3xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Ens_Tensor:$x, Ens_Tensor:$update,
                       Variadic<Ens_IndexTensor>:$starts,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $update `[` $starts `]` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Ens_ConcatOp : Ens_InferredOp<"concat"> {
  let summary = "Tensors one behind the other along a dimension";
  let description = [{
    Constraints: concat_c1: there is at least one operand. concat_c2: `dim` is a
    dimension of all of them. concat_c3: element types, ranks and all other
    extents are equal.

    ```mlir
    %c = ens.concat %a, %b dim = 0 : (tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<5x3xf32>
    ```
  }];
  let arguments = (ins Variadic<Ens_Tensor>:$operands, I64Attr:$dim);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = [{
    $operands `dim` `=` $dim attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Ens_PadOp : Ens_InferredOp<"pad"> {
  let summary = "Adds elements around and between those of a tensor";
  let description = [{
    `low` and `high` elements before and after each dimension (negative: that
    many are cut off, after `interior` elements have been put between
    neighbours). The shape of `value` is that of the leading `batch_dims`
    dimensions of `x`, which are not padded.

    Constraints: pad_c1: `low`, `high` and `interior` have one entry per
    dimension. pad_c2: 0 <= interior < 2^40; low and high are from -2^40 to 2^40.
    pad_c3: extents with `interior` are at most 2^40, those of the result at
    least 0. pad_c4: `value` has the element type of `x` and the shape of its
    batch dimensions. pad_c5: batch dimensions are not padded.

    ```mlir
    %p = ens.pad %x, %zero low = [0, 1] high = [2, 0] interior = [0, 0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<6x4xf32>
    ```
  }];
  let arguments = (ins Ens_Tensor:$x, Ens_Tensor:$value,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       DenseI64ArrayAttr:$interior,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $value `low` `=` $low `high` `=` $high `interior` `=` $interior
    attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

#endif // ENSC_DIALECT_ENS_IR_ENSSHAPE
