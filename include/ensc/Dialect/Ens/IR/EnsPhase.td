//===- EnsPhase.td - The phase program that Schedule makes -*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSPHASE
#define ENSC_DIALECT_ENS_IR_ENSPHASE

include "ensc/Dialect/Ens/IR/EnsAttributes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

// A phase program is a function on one arena: views of it, `scf.for` loops of
// steps, and phases. Inside a phase, elementwise ops of this dialect apply to
// scalars, `memref.load` and `memref.store` access buffers, and `arith` computes
// indices. A buffer of i1 holds one byte per element.

def Ens_Buffer : MemRefOf<[Ens_Element]>;

def Ens_YieldOp : Ens_Op<"yield", [Pure, Terminator,
    ParentOneOf<["FoldOp", "ContractOp"]>]> {
  let summary = "The scalars that a region hands to its op";
  let description = [{
    ```mlir
    ens.yield %a, %b : f32, f32
    ```
  }];
  let arguments = (ins Variadic<Ens_Element>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def Ens_MapOp : Ens_Op<"map", [NoTerminator, SingleBlock,
                               RecursiveMemoryEffects]> {
  let summary = "Runs its body at every point of a domain";
  let description = [{
    The body takes one index per extent of `domain`. Its points are independent
    of each other, unless the map is `sequential`: then they run in ascending
    row-major order, except that with `lanes` each lane is such a sequence of
    its own. `lanes` says that the last extent counts the runs of a group.

    Constraints: map_c1: the body takes one index per extent. map_c2: extents
    are not negative. map_c3: a map with `lanes` has at least one extent.

    ```mlir
    ens.map domain = [4, 3] {
    ^bb0(%i: index, %j: index):
      %x = memref.load %a[%i, %j] : memref<4x3xf32>
      %y = ens.exp %x : f32
      memref.store %y, %b[%i, %j] : memref<4x3xf32>
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$domain, UnitAttr:$lanes,
                       UnitAttr:$sequential);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `domain` `=` $domain (`lanes` $lanes^)? (`sequential` $sequential^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Ens_FoldOp : Ens_Op<"fold", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "Combines a scalar over a domain, inside a phase";
  let description = [{
    The orders are those of `ens.reduce` and `ens.arg_reduce`, with `over`
    flattened row-major. `argmax` and `argmin` give an i32.

    Constraints: fold_c1: the body takes one index per extent and yields one
    number. fold_c2: the result has the yielded type, or i32 for `argmax` and
    `argmin`.

    ```mlir
    %s = ens.fold sum over = [3] : f32 {
    ^bb0(%j: index):
      %x = memref.load %a[%i, %j] : memref<4x3xf32>
      ens.yield %x : f32
    }
    ```
  }];
  let arguments = (ins Ens_FoldKind:$kind, DenseI64ArrayAttr:$over);
  let results = (outs Ens_Number:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $kind `over` `=` $over attr-dict `:` type($result) $body
  }];
  let hasVerifier = 1;
}

def Ens_ContractOp : Ens_Op<"contract", [NoTerminator, SingleBlock,
                                         RecursiveMemoryEffects]> {
  let summary = "Sums products at every point of a domain";
  let description = [{
    For each point of `domain`, the products of the two scalars that the first
    region yields are summed over `over` in the order of `ens.dot`, and the
    second region, the epilogue, does with the sum what it likes: at least one
    store, usually after a bias, an activation or an optimizer's update.

    The first region takes the indices of `domain`, then those of `over`. The
    epilogue takes the indices of `domain`, then the sum. `lanes` says that the
    last extent of `domain` counts the runs of a group.

    Constraints: contract_c1: the regions take these arguments. contract_c2: the
    first region yields two values of the sum's type.

    ```mlir
    ens.contract domain = [4, 5] over = [3] : f32 {
    ^bb0(%i: index, %j: index, %k: index):
      %x = memref.load %a[%i, %k] : memref<4x3xf32>
      %w = memref.load %b[%k, %j] : memref<3x5xf32>
      ens.yield %x, %w : f32, f32
    } epilogue {
    ^bb0(%i: index, %j: index, %sum: f32):
      memref.store %sum, %c[%i, %j] : memref<4x5xf32>
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$domain, UnitAttr:$lanes,
                       DenseI64ArrayAttr:$over, TypeAttr:$type);
  let regions = (region SizedRegion<1>:$factors, SizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    `domain` `=` $domain (`lanes` $lanes^)? `over` `=` $over `:` $type
    attr-dict-with-keyword $factors `epilogue` $epilogue
  }];
  let hasVerifier = 1;
}

def Ens_PhiloxOp : Ens_Op<"philox", [Pure]> {
  let summary = "Philox4x32-10 of a counter and a key, inside a phase";
  let description = [{
    ```mlir
    %w:4 = ens.philox %c0, %c1, %c2, %c3 key %k0, %k1
    ```
  }];
  let arguments = (ins UI32:$c0, UI32:$c1, UI32:$c2, UI32:$c3, UI32:$k0,
                       UI32:$k1);
  let results = (outs UI32:$w0, UI32:$w1, UI32:$w2, UI32:$w3);
  let assemblyFormat = [{
    $c0 `,` $c1 `,` $c2 `,` $c3 `key` $k0 `,` $k1 attr-dict
  }];
}

//===----------------------------------------------------------------------===//
// The boundary: what a kernel is called with
//===----------------------------------------------------------------------===//

def Ens_SharedOp : Ens_Op<"shared", [Pure]> {
  let summary = "The memory of an argument that all runs share";
  let description = [{
    `argument` counts the arguments of the entry. The memory is read only,
    row-major.

    ```mlir
    %x = ens.shared 4 : memref<1437x64xf32>
    ```
  }];
  let arguments = (ins I64Attr:$argument);
  let results = (outs Ens_Buffer:$result);
  let assemblyFormat = "$argument attr-dict `:` type($result)";
}

def Ens_TableOp : Ens_Op<"table", [Pure]> {
  let summary = "The memory of a constant";
  let description = [{
    For constants whose elements differ. The memory is read only, row-major.

    Constraints: table_c1: the memory has the type of the value.

    ```mlir
    %t = ens.table dense<[1.0, 2.0, 4.0]> : tensor<3xf32> to memref<3xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Ens_Buffer:$result);
  let assemblyFormat = "$value `to` type($result) attr-dict";
  let hasVerifier = 1;
}

def Ens_ReadRunsOp : Ens_Op<"read_runs"> {
  let summary = "Copies an argument of each run of the group into a buffer";
  let description = [{
    With `lanes` the last dimension of the buffer counts the runs of the group,
    otherwise there is one run.

    ```mlir
    ens.read_runs 0 into %w lanes : memref<64x32x16xf32>
    ```
  }];
  let arguments = (ins I64Attr:$argument,
                       Arg<Ens_Buffer, "", [MemWrite]>:$buffer,
                       UnitAttr:$lanes);
  let assemblyFormat = [{
    $argument `into` $buffer (`lanes` $lanes^)? attr-dict `:` type($buffer)
  }];
}

def Ens_WriteRunsOp : Ens_Op<"write_runs", [MemoryEffects<[MemWrite]>]> {
  let summary = "Copies a buffer out as a result of each run of the group";
  let description = [{
    `result_index` counts the results of the entry. With `lanes` the last
    dimension of the buffer counts the runs of the group; without, every run of
    the group receives the same.

    ```mlir
    ens.write_runs %w to 0 lanes : memref<64x32x16xf32>
    ```
  }];
  let arguments = (ins Arg<Ens_Buffer, "", [MemRead]>:$buffer,
                       I64Attr:$result_index, UnitAttr:$lanes);
  let assemblyFormat = [{
    $buffer `to` $result_index (`lanes` $lanes^)? attr-dict `:` type($buffer)
  }];
}

def Ens_ReadRunIdsOp : Ens_Op<"read_run_ids"> {
  let summary = "Copies the ids of the group's runs into a buffer";
  let description = [{
    ```mlir
    ens.read_run_ids into %ids : memref<16xi64>
    ```
  }];
  let arguments = (ins Arg<MemRefOf<[I64]>, "", [MemWrite]>:$buffer);
  let assemblyFormat = "`into` $buffer attr-dict `:` type($buffer)";
}

#endif // ENSC_DIALECT_ENS_IR_ENSPHASE
