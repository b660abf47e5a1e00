//===- Passes.td - Passes of the phase Parse ---------------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_PARSE_PASSES
#define ENSC_PARSE_PASSES

include "mlir/Pass/PassBase.td"

def FillLearners : Pass<"ens-fill-learners", "::mlir::ModuleOp"> {
  let summary = "Adds sizes and the shuffling to learners that do not say";
  let description = [{
    What a learner leaves open is known where it is compiled for some data. From
    then on the text says it. A `batch_size` that is left out is the leading
    extent of the data of its functions, or 1 without data.
  }];
  let options = [
    Option<"rows", "rows", "int64_t", "-1",
           "rows of the training data, for learners that do not say">,
    Option<"validationRows", "validation-rows", "int64_t", "-1",
           "rows of the validation data, for learners that do not say">,
    Option<"shuffle", "shuffle", "std::string", "\"\"",
           "per_run, shared or none, for learners that do not say">,
  ];
}

def OverrideLearners : Pass<"ens-override-learners", "::mlir::ModuleOp"> {
  let summary = "Gives learners another optimizer or batch size";
  let description = [{
    What the options give takes the place of what a learner says. With another
    batch size every dimension of its functions, and of those that they call,
    that counts the rows of a batch is another, too; which ones do follows from
    the ops. It is an error where a function does not give one value per row,
    where an op picks or sums rows, and where a parameter or a constant depends
    on the size.

    ```mlir
    ens.learner @net {optimizer = #ens.adam<lr = 1.0e-3>, batch_size = 32 : i64, ...}
    // with optimizer=sgd batch-size=8 becomes
    ens.learner @net {optimizer = #ens.sgd<lr = 1.0e-3>, batch_size = 8 : i64, ...}
    ```
  }];
  let options = [
    Option<"optimizer", "optimizer", "std::string", "\"\"",
           "what stands behind #ens., as in sgd<lr = 0.1>; without parameters "
           "the learning rate stays">,
    Option<"batchSize", "batch-size", "int64_t", "0",
           "rows of a batch; 0: those that the learner says">,
  ];
  let dependentDialects = ["::ensc::ens::EnsDialect"];
}

def VerifyModel : Pass<"ens-verify-model", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Parse";
  let description = [{
    A program consists of the ops of `func`, `scf`, `arith` and the tensor ops
    of `ens`, on static tensors, with `index` and integers to count with. All
    functions are defined, none reaches itself, and none grows by more than
    65,536 ops with all that it calls or applies besides the calls. Loops count
    upwards with `index` in constant steps. `ens.name`s are unique within
    a function, each `ens.role` has the type that it needs, ranges hold their
    defaults, and no attribute is one that nobody reads; see Parse.
  }];
}

#endif // ENSC_PARSE_PASSES
