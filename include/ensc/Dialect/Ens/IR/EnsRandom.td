//===- EnsRandom.td - Sources of randomness ----------------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSRANDOM
#define ENSC_DIALECT_ENS_IR_ENSRANDOM

include "ensc/Dialect/Ens/IR/EnsAttributes.td"

def Ens_RngBitsOp : Ens_Op<"rng_bits", [Pure]> {
  let summary = "Random bits, a pure function of seed, step, site and element";
  let description = [{
    The result's shape is the seed's followed by that of the draw. For each
    element s of the seed, element e (row-major in the draw, plus
    `offset[s]` times the number of elements of the draw) is word e mod 4 of
    Philox4x32-10 (Salmon et al. 2011) with counter
    (e / 4, site, step[s] low, step[s] high) and key
    (seed[s] low, seed[s] high). An i64 element takes words 2e and 2e + 1 as its
    low and high half. `offset` counts the iterations of the loops around.

    Without `site` the op is numbered by Expand, once for the module, so that
    each place of a program draws its own numbers.

    Constraints: rng_bits_c1: `step` and `offset` have the shape of `seed`.
    rng_bits_c2: the result's shape begins with that of `seed`. rng_bits_c3: the
    site, if given, is in [0, 2^32 - 1); the last one is that of
    `ens.permutation`.

    ```mlir
    %bits = ens.rng_bits %seed, %step {site = 7 : i64} : tensor<i64>, tensor<i64> -> tensor<4x3xui32>
    ```
  }];
  let arguments = (ins Ens_SeedTensor:$seed, Ens_SeedTensor:$step,
                       Optional<Ens_SeedTensor>:$offset,
                       OptionalAttr<I64Attr>:$site);
  let results = (outs Ens_TensorOf<AnyTypeOf<[UI32, I64], "ui32 or i64">>
                     :$result);
  let assemblyFormat = [{
    $seed `,` $step (`offset` $offset^)? attr-dict `:` type($seed) `,`
    type($step) (`,` type($offset)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Ens_PermutationOp : Ens_InferredOp<"permutation"> {
  let summary = "A random order of [0, size), a pure function of seed and epoch";
  let description = [{
    Fisher-Yates, descending: starting from 0, 1, ..., for i = size - 1 down to
    1 the elements i and j are exchanged, where j is the high half of word_i
    times (i + 1), and word_i is element i that `ens.rng_bits` draws at the site
    0xFFFFFFFF with `epoch` as the step.

    Constraints: permutation_c1: `epoch` has the shape of `seed`.
    permutation_c2: 0 <= size < 2^31.

    ```mlir
    %order = ens.permutation %seed, %epoch size = 1437 : (tensor<i64>, tensor<i64>) -> tensor<1437xi32>
    ```
  }];
  let arguments = (ins Ens_SeedTensor:$seed, Ens_SeedTensor:$epoch,
                       I64Attr:$size);
  let results = (outs Ens_TensorOf<I32>:$result);
  let assemblyFormat = [{
    $seed `,` $epoch `size` `=` $size attr-dict `:`
    functional-type(operands, results)
  }];
}

def Ens_RunIdOp : Ens_Op<"run_id", [Pure]> {
  let summary = "The global number of the run";
  let description = [{
    The only difference between runs beside their arguments. In the lanes
    instance it has one element per lane.

    Constraints: run_id_c1: the result has rank 0 or 1.

    ```mlir
    %r = ens.run_id : tensor<i64>
    ```
  }];
  let results = (outs Ens_TensorOf<I64>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // ENSC_DIALECT_ENS_IR_ENSRANDOM
