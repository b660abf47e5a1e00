//===- Passes.td - Passes of the phase Expand --------------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXPAND_PASSES
#define ENSC_EXPAND_PASSES

include "mlir/Pass/PassBase.td"

def AnnotateClasses : Pass<"ens-annotate-classes", "::mlir::ModuleOp"> {
  let summary = "Says in which range the labels of data have to be";
  let description = [{
    An argument with the role `data` that is, unchanged, the labels of an
    `ens.softmax_cross_entropy` or the indices of an `ens.gather` or
    `ens.scatter` that clamps gets `ens.classes = n`: its elements have to be in
    [0, n). Calls and derivative ops are followed, and ops that only rearrange.
    An attribute that the program gives holds as well; the smaller one counts.
    Whoever calls the program is told of a label out of range before anything
    runs. Indices that a program computes, by `ens.clamp` for instance, are its
    own business.

    A use that has no effect on a result of its function asks for nothing, nor
    does one in an `scf.if` or `scf.while`, which may keep indices out of range
    away. All other uses count, whatever becomes of what they give.

    ```mlir
    func.func @loss(%y: tensor<4xi32> {ens.name = "y", ens.role = "data"}, ...)
    // where %y are the labels of tensor<4x10xf32>, becomes
    func.func @loss(%y: tensor<4xi32> {ens.classes = 10 : i64, ens.name = "y", ens.role = "data"}, ...)
    ```
  }];
  let dependentDialects = ["::ensc::ens::EnsDialect"];
}

def LowerComposites : Pass<"ens-lower-composites", "::mlir::ModuleOp"> {
  let summary = "Lowers activations, losses, initializers and dropout to core ops";
  let description = [{
    Each composite becomes the core ops that its definition names. softplus,
    logsumexp and softmax_cross_entropy become calls of private functions
    `@ens.<op>.<type>` with a custom gradient, since the derivative of their
    formula is not, to the bit or at a kink, the derivative of the function.

    ```mlir
    %y = ens.relu %x : tensor<4xf32>
    // becomes
    %zero = ens.constant dense<0.0> : tensor<4xf32>
    %off = ens.compare le, %x, %zero : tensor<4xf32>
    %y = ens.select %off, %zero, %x : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::ensc::ens::EnsDialect",
                           "::mlir::func::FuncDialect"];
}

def NumberSites : Pass<"ens-number-sites", "::mlir::ModuleOp"> {
  let summary = "Gives each random op of the module a site of its own";
  let description = [{
    Calls of functions that draw random numbers are inlined first: a dropout
    called twice is two sites. Sites are then numbered in the order of the
    text, leaving out those that are taken. Functions that are applied by a
    derivative op are not inlined, so that a function and its derivative see the
    same numbers.

    ```mlir
    %bits = ens.rng_bits %seed, %step : tensor<i64>, tensor<i64> -> tensor<2xui32>
    // becomes, as the third random op of the module,
    %bits = ens.rng_bits %seed, %step {site = 2 : i64}
        : tensor<i64>, tensor<i64> -> tensor<2xui32>
    ```
  }];
  let dependentDialects = ["::ensc::ens::EnsDialect"];
}

def OffsetDraws : Pass<"ens-offset-draws", "::mlir::ModuleOp"> {
  let summary = "Lets random ops draw other numbers in each iteration of a loop";
  let description = [{
    A random op inside loops gets an `offset`, unless it has one: the number of
    the iteration, counted through all loops around it. In a loop, a derivative
    op, an `ens.ensemble`, an `ens.custom_grad`, and a call of a loss or a metric
    by the evaluation of a learner apply a copy of their function that takes the
    number of the iteration behind its arguments and draws from there. Other
    calls of functions that draw are left as they are: that is how a training
    loop is made, whose `step` changes.

    A function of `batch-entries` that draws takes, behind its arguments, the
    number of the batch of data that it is called for, with the role `begin`,
    and counts on from there.

    ```mlir
    scf.for %i = %c0 to %c8 step %c1 {
      %dx = ens.grad @noise(%x, %seed) wrt = [0] : (tensor<f32>, tensor<i64>) -> tensor<f32>
    // becomes
    scf.for %i = %c0 to %c8 step %c1 {
      %n = ens.from_index %i : tensor<i64>
      %dx = ens.grad @noise.offset(%x, %seed, %n) wrt = [0]
          : (tensor<f32>, tensor<i64>, tensor<i64>) -> tensor<f32>
    ```
  }];
  let options = [
    ListOption<"batchEntries", "batch-entries", "std::string",
               "functions that are called for one batch after the other">,
  ];
  let dependentDialects = ["::ensc::ens::EnsDialect",
                           "::mlir::arith::ArithDialect"];
}

def ExpandLearner : Pass<"ens-expand-learner", "::mlir::ModuleOp"> {
  let summary = "Replaces ens.learner by the functions that train it";
  let description = [{
    `ens.learner @net` becomes the public functions `@net.init`, `@net.fit`,
    `@net.evaluate` (if there are validation rows) and `@net.predict` (if the
    learner names one), the private `@net.step` and `@net.objective`, and an
    entry in the module attribute `ens.learners`. See Learner. The scalars of the
    optimizer, the schedule and the clipping become arguments with `ens.default`
    and `ens.range`. With `own-rows` a run trains on rows of its own, whose
    numbers `@net.fit` takes.

    Each of `entries` has to be a public function or one of a learner. Where
    there are any, a learner of which none is one is gone, and its functions
    stay as they are. Of the others just those of fit and evaluate that are entries are made, besides
    `@net.init` and `@net.predict`.
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "functions that stay public although only a learner uses them">,
    Option<"ownRows", "own-rows", "int64_t", "0",
           "rows of the training data that each run picks to train on; 0: all">,
    Option<"ownValidationRows", "own-validation-rows", "int64_t", "0",
           "rows of the training data that each run picks to be evaluated on; "
           "0: the validation data">,
  ];
  let dependentDialects = ["::ensc::ens::EnsDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::scf::SCFDialect"];
}

def VerifyExpand : Pass<"ens-verify-expand", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Expand";
  let description = [{
    Afterwards no composite op and no `ens.learner` is left; random sites are
    numbered.
  }];
}

#endif // ENSC_EXPAND_PASSES
