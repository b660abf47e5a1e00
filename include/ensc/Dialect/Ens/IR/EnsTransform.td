//===- EnsTransform.td - Ops that transform functions ------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSTRANSFORM
#define ENSC_DIALECT_ENS_IR_ENSTRANSFORM

include "ensc/Dialect/Ens/IR/EnsAttributes.td"
include "mlir/IR/SymbolInterfaces.td"

/// Applies a transformed function to operands. `wrt` are the arguments of the
/// function with respect to which it is differentiated.
class Ens_DerivativeOp<string mnemonic> : Ens_Op<mnemonic,
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<Ens_Tensor>:$operands, DenseI64ArrayAttr:$wrt);
  let results = (outs Variadic<Ens_Tensor>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` `wrt` `=` $wrt attr-dict `:`
    functional-type($operands, $results)
  }];
}

def Ens_GradOp : Ens_DerivativeOp<"grad"> {
  let summary = "The gradient of a function's first result";
  let description = [{
    One result per entry of `wrt`, of that argument's type. A function and its
    derivatives draw the same random numbers.

    Constraints (shared with `ens.value_and_grad`): grad_c1: `callee` is a
    function of the module and the operands are its arguments. grad_c2: its
    first result is a float of rank 0. grad_c3: `wrt` is not empty, strictly
    increasing, and names float arguments. grad_c4: the results are as above.

    ```mlir
    %dw = ens.grad @loss(%w, %x) wrt = [0] : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    ```
  }];
}

def Ens_ValueAndGradOp : Ens_DerivativeOp<"value_and_grad"> {
  let summary = "A function's results, then the gradient of the first";
  let description = [{
    All results of the function, followed by one gradient per entry of `wrt`.
    Results after the first pass through.

    Constraints: value_and_grad_c1 to value_and_grad_c4: as for `ens.grad`.

    ```mlir
    %l, %dw = ens.value_and_grad @loss(%w, %x) wrt = [0] : (tensor<3xf32>, tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>)
    ```
  }];
}

def Ens_JvpOp : Ens_DerivativeOp<"jvp"> {
  let summary = "A function's results, then their tangents (forward mode)";
  let description = [{
    Operands are the function's arguments, then one tangent per entry of `wrt`.
    Results are the function's results, then one tangent per float result.

    Constraints: jvp_c1: `callee` is a function of the module. jvp_c2: `wrt` is
    not empty, strictly increasing, and names float arguments. jvp_c3: operands
    and results are as above.

    ```mlir
    %l, %dl = ens.jvp @loss(%w, %x, %dw) wrt = [0] : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<f32>, tensor<f32>)
    ```
  }];
}

def Ens_VjpOp : Ens_DerivativeOp<"vjp"> {
  let summary = "A function's results, then cotangents of arguments (reverse "
                "mode)";
  let description = [{
    Operands are the function's arguments, then one cotangent per float result.
    Results are the function's results, then one cotangent per entry of `wrt`.

    Constraints: vjp_c1: `callee` is a function of the module. vjp_c2: `wrt` is
    not empty, strictly increasing, and names float arguments. vjp_c3: operands
    and results are as above.

    ```mlir
    %y, %dx = ens.vjp @f(%x, %dy) wrt = [0] : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
    ```
  }];
}

def Ens_CustomGradOp : Ens_Op<"custom_grad",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a function that brings its own derivative";
  let description = [{
    The results are those of `callee`. Reverse mode calls `vjp` with the
    arguments and one cotangent per float result; it returns one cotangent per
    float argument. Forward mode calls `jvp` with the arguments and one tangent
    per float argument; it returns one tangent per float result. A mode without
    a function is a diagnostic when it is asked for.

    Constraints: custom_grad_c1: the symbols are functions of the module.
    custom_grad_c2: operands and results are those of `callee`. custom_grad_c3:
    the signatures of `vjp` and `jvp` are as above. custom_grad_c4: at least one
    of them is given.

    ```mlir
    %y = ens.custom_grad @f(%x) vjp = @f_vjp : (tensor<3xf32>) -> tensor<3xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<Ens_Tensor>:$operands,
                       OptionalAttr<FlatSymbolRefAttr>:$vjp,
                       OptionalAttr<FlatSymbolRefAttr>:$jvp);
  let results = (outs Variadic<Ens_Tensor>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` (`vjp` `=` $vjp^)? (`jvp` `=` $jvp^)? attr-dict
    `:` functional-type($operands, $results)
  }];
}

def Ens_EnsembleOp : Ens_Op<"ensemble",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a function for several runs at once";
  let description = [{
    Operands whose bit in `per_run` is set lead with a dimension of `runs`, the
    others are shared by all runs. All results lead with `runs`. A run sees its
    number, from 0, as `ens.run_id`. Random ops draw by the seed that they are
    given: runs that share it draw the same numbers.

    Constraints: ensemble_c1: `callee` is a function of the module and `per_run`
    has one entry per argument. ensemble_c2: `runs` is positive. ensemble_c3:
    per-run operands and all results have the function's types with a leading
    `runs`, shared operands have the function's types.

    ```mlir
    %y = ens.ensemble @f(%w, %x) runs = 2 per_run = [true, false] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<Ens_Tensor>:$operands, I64Attr:$runs,
                       DenseBoolArrayAttr:$per_run);
  let results = (outs Variadic<Ens_Tensor>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` `runs` `=` $runs `per_run` `=` $per_run attr-dict
    `:` functional-type($operands, $results)
  }];
}

//===----------------------------------------------------------------------===//
// Learner sugar
//===----------------------------------------------------------------------===//

def Ens_LearnerOp : Ens_Op<"learner",
    [Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Names the functions and the optimizer of a model to train";
  let description = [{
    Expand turns it into the functions `@<name>.init`, `.fit`, `.evaluate` (if
    there are validation rows) and `.predict` (if it is named), which a user
    could have written. See Learner.

    `init` returns the parameters; `loss`, the metrics and `predict` take them
    first, in the same order, then data and hyper-parameters, which are told
    apart by the arguments' `ens.role` and named by `ens.name`. An argument with
    the role `seed` gets the run's seed, one with the role `step` the number of
    the step. Hyper-parameters may have an `ens.default` and an `ens.range`, and
    labels among the data `ens.classes`.

    `batch_size` may be left out: it is the leading extent of the data of the
    loss and the metrics, or 1 where they take none. `rows`, `validation_rows`
    and `shuffle` may be left to the options of the compiler.

    Constraints: learner_c1: the symbols are functions of the module with a
    body. learner_c2: the results of `init` are float tensors, named, and the
    first arguments of the other functions. learner_c3: `optimizer` is
    `#ens.sgd`, `#ens.momentum`, `#ens.adam` or `#ens.adamw`; `schedule` is
    `#ens.constant`, `#ens.cosine` or `#ens.warmup`. learner_c4: `batch_size` is
    positive and the leading extent of every data argument of the loss and the
    metrics. learner_c5: `loss` returns one float per row or one scalar, and so
    do the metrics, none of which is named "loss". learner_c6: `monitor` names a
    metric or the loss, `direction` is min or max. learner_c7: `clip_norm` is
    positive, all numbers are finite and in the ranges that Learner lists, and
    the warm-up of a cosine is part of its steps. learner_c8: further arguments
    have a name and the role data, hyper (a float of rank 0), seed or step
    (tensor<i64>); those of `init` are no data and no step. learner_c9:
    arguments of one name have one role and one type in all functions.
    learner_c10: `rows` is at least `batch_size`, `validation_rows` is not
    negative, none of the three is above 2,147,483,647, and `shuffle` is
    per_run, shared or none.

    ```mlir
    ens.learner @digits {init = @init, loss = @loss,
                         metrics = {accuracy = @accuracy},
                         optimizer = #ens.adam<lr = 1.0e-3>,
                         batch_size = 32 : i64}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$init,
      FlatSymbolRefAttr:$loss, OptionalAttr<DictionaryAttr>:$metrics,
      OptionalAttr<FlatSymbolRefAttr>:$predict, AnyAttr:$optimizer,
      OptionalAttr<AnyAttr>:$schedule, OptionalAttr<F64Attr>:$clip_norm,
      OptionalAttr<I64Attr>:$batch_size, OptionalAttr<I64Attr>:$rows,
      OptionalAttr<I64Attr>:$validation_rows, OptionalAttr<StrAttr>:$shuffle,
      OptionalAttr<StrAttr>:$monitor, OptionalAttr<StrAttr>:$direction);
  let assemblyFormat = "$sym_name attr-dict";
  let extraClassDeclaration = [{
    /// The rows of a batch: `batch_size`, or what the functions say.
    int64_t findBatchSize();
  }];
  let hasVerifier = 1;
}

#endif // ENSC_DIALECT_ENS_IR_ENSTRANSFORM
