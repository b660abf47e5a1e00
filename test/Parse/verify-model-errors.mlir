// RUN: ens-opt %s --ens-verify-model --split-input-file --verify-diagnostics

// expected-error @+1 {{argument 0 of @dynamic is neither a static tensor of f32, f64, i1, i32, i64 or ui32 nor an index, but 'tensor<?xf32>'}}
func.func @dynamic(%x: tensor<?xf32>) {
  return
}

// -----

// expected-error @+1 {{argument 1 of @half is neither a static tensor of f32, f64, i1, i32, i64 or ui32 nor an index, but 'tensor<2xf16>'}}
func.func @half(%x: tensor<f32>, %y: tensor<2xf16>) {
  return
}

// -----

// expected-error @+1 {{argument 0 of @buffer is neither a static tensor of f32, f64, i1, i32, i64 or ui32 nor an index, but 'memref<2xf32>'}}
func.func @buffer(%x: memref<2xf32>) {
  return
}

// -----

// expected-error @+1 {{result 0 of @scalar is no static tensor of f32, f64, i1, i32, i64 or ui32, but 'i64'}}
func.func @scalar() -> i64 {
  %0 = arith.constant 1 : i64
  return %0 : i64
}

// -----

// expected-error @+1 {{function @external has no body; a program must define all functions that it calls}}
func.func private @external(%x: tensor<2xf32>) -> tensor<2xf32>

// -----

// expected-error @+1 {{arguments 0 and 1 have the same ens.name "x"}}
func.func @twins(%x: tensor<2xf32> {ens.name = "x"}, %y: tensor<2xf32> {ens.name = "x"}) {
  return
}

// -----

// expected-error @+1 {{results 0 and 1 have the same ens.name "x"}}
func.func @twin_results(%x: tensor<2xf32>)
    -> (tensor<2xf32> {ens.name = "x"}, tensor<2xf32> {ens.name = "x"}) {
  return %x, %x : tensor<2xf32>, tensor<2xf32>
}

// -----

// expected-error @+1 {{expected a string that is not empty as ens.name of argument 0, got 3 : i64}}
func.func @no_string(%x: tensor<2xf32> {ens.name = 3 : i64}) {
  return
}

// -----

// expected-error @+1 {{unknown ens.role "weights"; expected "param", "state", "data", "hyper", "seed", "order_seed", "step", "rows", "begin" or "end"}}
func.func @unknown_role(%x: tensor<2xf32> {ens.role = "weights"}) {
  return
}

// -----

// expected-error @+1 {{expected a float tensor for the ens.role "param", got 'tensor<2xi32>'}}
func.func @integer_param(%x: tensor<2xi32> {ens.role = "param"}) {
  return
}

// -----

// expected-error @+1 {{expected a tensor with rows for the ens.role "data", got 'tensor<f32>'}}
func.func @no_rows(%x: tensor<f32> {ens.role = "data"}) {
  return
}

// -----

// expected-error @+1 {{expected a float tensor of rank 0 for the ens.role "hyper", got 'tensor<1xf32>'}}
func.func @hyper(%x: tensor<1xf32> {ens.role = "hyper"}) {
  return
}

// -----

// expected-error @+1 {{expected tensor<i64> for the ens.role "seed", got 'tensor<i32>'}}
func.func @seed(%x: tensor<i32> {ens.role = "seed"}) {
  return
}

// -----

// expected-error @+1 {{expected index for the ens.role "begin", got 'tensor<i64>'}}
func.func @begin(%x: tensor<i64> {ens.role = "begin"}) {
  return
}

// -----

// expected-error @+1 {{expected a finite float as ens.default of an argument with the ens.role "hyper", got 1 : i64}}
func.func @integer_default(%x: tensor<f32> {ens.role = "hyper", ens.default = 1 : i64}) {
  return
}

// -----

// expected-error @+1 {{expected a finite float as ens.default of an argument with the ens.role "hyper", got 1.000000e+00 : f64}}
func.func @default_of_param(%x: tensor<f32> {ens.role = "param", ens.default = 1.0 : f64}) {
  return
}

// -----

// expected-error @+1 {{expected a finite float as ens.default of an argument with the ens.role "hyper", got 0x7FF8000000000000 : f64}}
func.func @default_is_no_number(%x: tensor<f32> {ens.role = "hyper", ens.default = 0x7FF8000000000000 : f64}) {
  return
}

// -----

// expected-error @+1 {{expected a positive i64 as ens.classes of an argument of integers with the ens.role "data", got 0 : i64}}
func.func @no_classes(%y: tensor<4xi32> {ens.role = "data", ens.classes = 0 : i64}) {
  return
}

// -----

// expected-error @+1 {{expected a positive i64 as ens.classes of an argument of integers with the ens.role "data", got 3 : i64}}
func.func @classes_of_floats(%y: tensor<4xf32> {ens.role = "data", ens.classes = 3 : i64}) {
  return
}

// -----

// expected-error @+1 {{expected a positive i64 as ens.classes of an argument of integers with the ens.role "data", got 3 : i64}}
func.func @classes_of_state(%y: tensor<4xi32> {ens.role = "state", ens.classes = 3 : i64}) {
  return
}

// -----

func.func @phase(%x: tensor<2xf32>) {
  // expected-error @+1 {{'memref.alloc' is no op of the source language, which consists of func, arith, scf.for, scf.if, scf.while (for the interpreter alone), the tensor ops of ens and tensor.extract of a predicate}}
  %0 = memref.alloc() : memref<2xf32>
  return
}

// -----

func.func @float_arith() {
  // expected-error @+1 {{'arith.constant' works on 'f32'; a program applies arith ops to index, i1, i32 and i64, to count with; use ens ops on tensors}}
  %0 = arith.constant 1.0 : f32
  return
}

// -----

func.func @ens_scalar() {
  %0 = arith.constant 1 : i64
  // expected-error @+1 {{'ens.neg' works on 'i64'; a program applies ens ops to static tensors}}
  %1 = ens.neg %0 : i64
  return
}

// -----

func.func @endless(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @back(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @back(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{the call of @endless is recursive; write a loop with scf.for instead}}
  %0 = ens.grad @endless(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

module {
  // expected-error @+1 {{a module inside a module is no program}}
  module @inner {
  }
}

// -----

func.func @loop_that_counts_with_i32(%x: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{a loop counts with index, got 'i32'}}
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<f32>) : i32 {
    %n = ens.add %a, %x : tensor<f32>
    scf.yield %n : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

func.func @loop_that_compares_unsigned(%x: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{a loop compares its bounds as signed numbers; leave out 'unsigned'}}
  %r = scf.for unsigned %k = %c0 to %c1 step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    scf.yield %a : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

func.func @loops_whose_steps_do_not_end(%x: tensor<f32>, %end: index {ens.role = "end"}) -> tensor<f32> {
  %cm1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %end step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    // expected-error @+1 {{expected a constant as the step of a loop; count with step 1, and compute what the body needs}}
    %n = scf.for %j = %c0 to %end step %k iter_args(%b = %a) -> (tensor<f32>) {
      scf.yield %b : tensor<f32>
    }
    scf.yield %n : tensor<f32>
  }
  // expected-error @+1 {{expected a positive step of a loop, got 0}}
  %s = scf.for %k = %c0 to %end step %c0 iter_args(%a = %r) -> (tensor<f32>) {
    scf.yield %a : tensor<f32>
  }
  // expected-error @+1 {{expected a positive step of a loop, got -1}}
  %t = scf.for %k = %c0 to %end step %cm1 iter_args(%a = %s) -> (tensor<f32>) {
    scf.yield %a : tensor<f32>
  }
  return %t : tensor<f32>
}

// -----

// expected-error @+1 {{result 0 of @index_result is no static tensor of f32, f64, i1, i32, i64 or ui32, but 'index'; convert it with ens.from_index}}
func.func @index_result() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}

// -----

// expected-error @+1 {{argument 0 of @index_argument is an index without the ens.role "begin" or "end"; pass a tensor<i64>, or make the function private}}
func.func @index_argument(%n: index) {
  return
}

// -----

func.func @other_loops(%x: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.parallel' is no op of the source language}}
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    // expected-error @+1 {{'scf.reduce' is no op of the source language}}
    scf.reduce
  }
  return
}

// -----

func.func @arith_beyond_index(%i: index {ens.role = "begin"}) {
  %k = arith.constant 2 : i64
  %b = arith.constant true
  %j = arith.index_cast %i : index to i64
  // expected-error @+1 {{'arith.addi' cannot be used on 'i64'; add, sub, mul, div, rem, min and max are for index (arith.index_cast converts to it), and, or and xor for i1, and ens ops for tensors}}
  %0 = arith.addi %j, %k : i64
  // expected-error @+1 {{'arith.select' cannot be used on 'i64'}}
  %1 = arith.select %b, %j, %k : i64
  // expected-error @+1 {{'arith.andi' cannot be used on 'index'}}
  %2 = arith.andi %i, %i : index
  // expected-error @+1 {{'arith.maxui' cannot be used on 'index'}}
  %3 = arith.maxui %i, %i : index
  // expected-error @+1 {{'arith.addi' cannot be used on 'i1'}}
  %4 = arith.addi %b, %b : i1
  // expected-error @+1 {{'arith.extui' cannot be used on 'i64'}}
  %5 = arith.extui %b : i1 to i64
  return
}

// -----

func.func @many_dimensions(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  // expected-error @+1 {{'ens.neg' works on a tensor with 30 dimensions; at most 24 are supported}}
  %0 = ens.neg %x : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  return
}

// -----

// One error: where the type comes from.

// expected-error @+1 {{argument 0 of @dynamic is neither a static tensor of f32, f64, i1, i32, i64 or ui32 nor an index, but 'tensor<?xf32>'}}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @+1 {{argument 0 of @misspelt has no attribute 'ens.rol'; did you mean 'ens.role'? (it has ens.name, ens.role, ens.default, ens.range, ens.classes, ens.per_run)}}
func.func @misspelt(%x: tensor<3xf32> {ens.name = "x", ens.rol = "data"}) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

// expected-error @+1 {{result 0 of @misspelt has no attribute 'ens.nmae'; did you mean 'ens.name'? (it has ens.name, ens.role, ens.direction)}}
func.func @misspelt(%x: tensor<3xf32>) -> (tensor<3xf32> {ens.nmae = "y"}) {
  return %x : tensor<3xf32>
}

// -----

// expected-error @+1 {{@misspelt has no attribute 'ens.directoin'; did you mean 'ens.direction'? (it has ens.direction)}}
func.func @misspelt(%x: tensor<3xf32>) -> tensor<3xf32> attributes {ens.directoin = "max"} {
  return %x : tensor<3xf32>
}

// -----

func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// Those of other dialects may stay.
ens.learner @kept {init = @init, loss = @loss, batch_size = 1 : i64,
                   optimizer = #ens.sgd<lr = 0.1>, test.note = "kept"}
// expected-error @+1 {{'ens.learner' op has no attribute 'clip_nrom'; did you mean 'clip_norm'?}}
ens.learner @clip {init = @init, loss = @loss, batch_size = 1 : i64,
                   optimizer = #ens.sgd<lr = 0.1>, clip_nrom = 1.0 : f64}
// expected-error @+1 {{'ens.learner' op has no attribute 'schedul'; did you mean 'schedule'?}}
ens.learner @wave {init = @init, loss = @loss, batch_size = 1 : i64,
                   optimizer = #ens.sgd<lr = 0.1>,
                   schedul = #ens.cosine<steps = 10.0>}
// expected-error @+1 {{'ens.learner' op has no attribute 'foo'; it has}}
ens.learner @other {init = @init, loss = @loss, batch_size = 1 : i64,
                    optimizer = #ens.sgd<lr = 0.1>, foo = 3 : i64}
// expected-error @+1 {{'ens.learner' op has no attribute 'ens.rows'}}
ens.learner @prefix {init = @init, loss = @loss, batch_size = 1 : i64,
                     optimizer = #ens.sgd<lr = 0.1>, ens.rows = 3 : i64}

// -----

// expected-error @+1 {{expected finite f64 called at_least, above, at_most or below as ens.range of an argument with the ens.role "hyper", got {at_least = 0.000000e+00 : f64}}}
func.func @range(%x: tensor<3xf32> {ens.name = "x", ens.role = "data", ens.range = {at_least = 0.0 : f64}}) {
  return
}

// -----

// expected-error @+1 {{expected finite f64 called at_least}}
func.func @range(%x: tensor<f32> {ens.name = "x", ens.role = "hyper", ens.range = {least = 0.0 : f64}}) {
  return
}

// -----

// expected-error @+1 {{expected finite f64 called at_least}}
func.func @range(%x: tensor<f32> {ens.name = "x", ens.role = "hyper", ens.range = {}}) {
  return
}

// -----

// expected-error @+1 {{expected finite f64 called at_least}}
func.func @range(%x: tensor<f32> {ens.name = "x", ens.role = "hyper", ens.range = {at_least = 0.0 : f32}}) {
  return
}

// -----

// expected-error @+1 {{expected finite f64 called at_least}}
func.func @range(%x: tensor<f32> {ens.name = "x", ens.role = "hyper", ens.range = 1.0 : f64}) {
  return
}

// -----

// expected-error @+1 {{expected ens.default to be at least 0 and below 1, got 1.000000e+00 : f64}}
func.func @range(%x: tensor<f32> {ens.name = "x", ens.role = "hyper", ens.default = 1.0 : f64, ens.range = {at_least = 0.0 : f64, below = 1.0 : f64}}) {
  return
}

// -----

// Each function has four times as many ops as the one that it calls.
func.func private @f0(%x: tensor<f32>) -> tensor<f32> {
  %0 = ens.sin %x : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f1(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f0(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @f0(%0) : (tensor<f32>) -> tensor<f32>
  %2 = func.call @f0(%1) : (tensor<f32>) -> tensor<f32>
  %3 = func.call @f0(%2) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @f2(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f1(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @f1(%0) : (tensor<f32>) -> tensor<f32>
  %2 = func.call @f1(%1) : (tensor<f32>) -> tensor<f32>
  %3 = func.call @f1(%2) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @f3(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f2(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @f2(%0) : (tensor<f32>) -> tensor<f32>
  %2 = func.call @f2(%1) : (tensor<f32>) -> tensor<f32>
  %3 = func.call @f2(%2) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @f4(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f3(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @f3(%0) : (tensor<f32>) -> tensor<f32>
  %2 = func.call @f3(%1) : (tensor<f32>) -> tensor<f32>
  %3 = func.call @f3(%2) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @f5(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f4(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @f4(%0) : (tensor<f32>) -> tensor<f32>
  %2 = func.call @f4(%1) : (tensor<f32>) -> tensor<f32>
  %3 = func.call @f4(%2) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @f6(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f5(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @f5(%0) : (tensor<f32>) -> tensor<f32>
  %2 = func.call @f5(%1) : (tensor<f32>) -> tensor<f32>
  %3 = func.call @f5(%2) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @f7(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f6(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @f6(%0) : (tensor<f32>) -> tensor<f32>
  %2 = func.call @f6(%1) : (tensor<f32>) -> tensor<f32>
  // expected-error @+1 {{'func.call' of @f6 stands for 20478 ops, with which @f7 would grow by 81912; at most 65536 are supported, so write what is repeated as a loop of scf.for}}
  %3 = func.call @f6(%2) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}

// -----

// expected-error @+1 {{the ens.name "a\1B[31m" of argument 0 is no name: it has U+001B, but a name consists of characters that can be seen, other than " , / : < = > \, and begins with none of . - @}}
func.func @escape(%x: tensor<f32> {ens.name = "a\1B[31m"}) {
  return
}

// -----

// expected-error @+1 {{the ens.name "a*/b" of result 0 is no name: it has '/'}}
func.func @slash(%x: tensor<f32>) -> (tensor<f32> {ens.name = "a*/b"}) {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{@"a b,c" is no name: it has ','}}
func.func @"a b,c"(%x: tensor<f32>) {
  return
}

// -----

func.func @init(%seed: tensor<i64> {ens.name = "seed", ens.role = "seed"})
    -> (tensor<f32> {ens.name = "w"}) {
  %w = ens.constant dense<1.0> : tensor<f32>
  return %w : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op has a metric "a\0Ab", which is no name: it has U+000A}}
ens.learner @metric {init = @init, loss = @loss, metrics = {"a\0Ab" = @loss}, optimizer = #ens.sgd<lr = 0.1>}
// expected-error @+1 {{@"../up" is no name: it begins with '.'}}
ens.learner @"../up" {init = @init, loss = @loss, optimizer = #ens.sgd<lr = 0.1>}
