//===- EnsIndexing.td - Access by index --------------------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSINDEXING
#define ENSC_DIALECT_ENS_IR_ENSINDEXING

include "ensc/Dialect/Ens/IR/EnsAttributes.td"

def Ens_GatherOp : Ens_InferredOp<"gather"> {
  let summary = "Elements or rows at given indices of a dimension";
  let description = [{
    With `x` of shape B ++ M ++ [n] ++ R, where B are the leading `batch_dims`
    dimensions and n is the extent of `axis`, and `indices` of shape B ++ I, the
    result has shape B ++ M ++ I ++ R:
    `result[b, m, i, r] = x[b, m, indices[b, i], r]`. An index out of [0, n) is
    clamped into it (`clamp`) or reads 0 (`fill`). Indices of a `clamp` that are
    an argument with the role `data` are checked before anything runs, unless
    they have no effect on a result or stand in a branch: see
    `ens-annotate-classes`.

    Constraints: gather_c1: 0 <= batch_dims <= axis < rank of `x`, and
    batch_dims <= rank of `indices`. gather_c2: batch dimensions have equal
    extents. gather_c3: in `clamp` mode n is at least 1 or there is no index.

    ```mlir
    %rows = ens.gather clamp, %x, %i axis = 0 : (tensor<9x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
    %picked = ens.gather clamp, %logits, %label axis = 1 {batch_dims = 1 : i64} : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Ens_GatherMode:$mode, Ens_Tensor:$x,
                       Ens_IndexTensor:$indices, I64Attr:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = [{
    $mode `,` $x `,` $indices `axis` `=` $axis attr-dict `:`
    functional-type(operands, results)
  }];
}

def Ens_ScatterOp : Ens_InferredOp<"scatter"> {
  let summary = "Adds or writes updates at given indices of a dimension";
  let description = [{
    The updates have the shape that `ens.gather` with the same attributes gives.
    They are applied in ascending row-major order of the updates: `add` adds to
    what is there, `set` replaces it, so that the last writer wins. An index out
    of range is clamped (`clamp`, checked in data as for `ens.gather`) or its
    update dropped (`drop`).

    Constraints: scatter_c1: 0 <= batch_dims <= axis < rank of `x`, and
    batch_dims <= rank of `indices`. scatter_c2: batch dimensions have equal
    extents. scatter_c3: updates have the element type of `x` and the shape that
    gather gives. scatter_c4: i1 elements are only `set`. scatter_c5: in `clamp`
    mode the extent is at least 1 or there is no index.

    ```mlir
    %y = ens.scatter add, drop, %x, %i, %u axis = 0 : (tensor<9x3xf32>, tensor<4xi32>, tensor<4x3xf32>) -> tensor<9x3xf32>
    ```
  }];
  let arguments = (ins Ens_ScatterKind:$kind, Ens_ScatterMode:$mode,
                       Ens_Tensor:$x, Ens_IndexTensor:$indices,
                       Ens_Tensor:$updates, I64Attr:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Ens_Tensor:$result);
  let assemblyFormat = [{
    $kind `,` $mode `,` $x `,` $indices `,` $updates `axis` `=` $axis attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // ENSC_DIALECT_ENS_IR_ENSINDEXING
