//===- Passes.td - Passes of the phase Vectorize -----------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_VECTORIZE_PASSES
#define ENSC_VECTORIZE_PASSES

include "mlir/Pass/PassBase.td"

def VectorizeEnsembles : Pass<"ens-vectorize-ensembles", "::mlir::ModuleOp"> {
  let summary = "Replaces each ens.ensemble by its function for all its runs";
  let description = [{
    The function's ops are emitted in place, by the run rules, with the
    ensemble's own number of runs. Ensembles inside of ensembles go first. In an
    ensemble `ens.run_id` counts from 0. Calls have been inlined before. A
    function that would grow by more than 65,536 ops is an error.

    ```mlir
    func.func private @f(%w: tensor<3xf32>, %x: tensor<3xf32>) -> tensor<3xf32> {
      %y = ens.mul %w, %x : tensor<3xf32>
      return %y : tensor<3xf32>
    }
    %y = ens.ensemble @f(%w, %x) runs = 2 per_run = [true, false]
       : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    ```
    becomes
    ```mlir
    %0 = ens.broadcast %x dims = [1] : tensor<3xf32> to tensor<2x3xf32>
    %y = ens.mul %w, %0 : tensor<2x3xf32>
    ```
  }];
  let dependentDialects = ["::ensc::ens::EnsDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MakeInstances : Pass<"ens-make-instances", "::mlir::ModuleOp"> {
  let summary = "Clones each entry into a solo and a lanes instance";
  let description = [{
    Marks the arguments of each entry that differ between runs with
    `ens.per_run`: those of the roles param, state, hyper, seed, step and rows,
    those without a role, and those named by `per-run`. Data, order_seed, begin
    and end are shared.

    The entry itself is the solo instance. The lanes instance `@<entry>.lanes`
    holds `lanes` runs: its varying values lead with that number, its uniform
    values are those of the solo instance. Results that are equal in all runs
    carry `ens.uniform` in both instances. Functions that are no entry become
    private.

    ```mlir
    func.func @f(%w: tensor<3xf32> {ens.role = "param"},
                 %x: tensor<3xf32> {ens.role = "data"}) -> tensor<3xf32> {
      %e = ens.exp %x : tensor<3xf32>
      %y = ens.mul %w, %e : tensor<3xf32>
      return %y : tensor<3xf32>
    }
    ```
    gains
    ```mlir
    func.func @f.lanes(%w: tensor<16x3xf32> {ens.per_run, ens.role = "param"},
                       %x: tensor<3xf32> {ens.role = "data"}) -> tensor<16x3xf32>
        attributes {ens.instance = "lanes", ens.lanes = 16 : i64} {
      %e = ens.exp %x : tensor<3xf32>
      %0 = ens.broadcast %e dims = [1] {runs} : tensor<3xf32> to tensor<16x3xf32>
      %y = ens.mul %w, %0 : tensor<16x3xf32>
      return %y : tensor<16x3xf32>
    }
    ```
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", /*default=*/"16",
           "Runs of a lanes instance, 8 or 16; 0: no lanes instance">,
    ListOption<"entries", "entries", "std::string",
               "Functions to instantiate; none given: all public ones">,
    ListOption<"perRun", "per-run", "std::string",
               "Names of further arguments that differ between runs">,
  ];
  let dependentDialects = ["::ensc::ens::EnsDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def AnnotateRunVariance
    : Pass<"ens-annotate-run-variance", "::mlir::func::FuncOp"> {
  let summary = "Shows what differs between runs";
  let description = [{
    Gives each op with results `ens.varying`, an array with one bit per result.
    Arguments vary if they carry `ens.per_run`. For people and tests; no pass
    reads it.

    ```mlir
    %y = ens.exp %x : tensor<3xf32>
    ```
    where %x is computed from a per-run argument becomes
    ```mlir
    %y = ens.exp %x {ens.varying = array<i1: true>} : tensor<3xf32>
    ```
  }];
}

def VerifyVectorize : Pass<"ens-verify-vectorize", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Vectorize";
  let description = [{
    Afterwards no `ens.ensemble`, no call and no private function is left, and
    each function is a solo or a lanes instance. In a lanes instance each varying
    value leads with the number of lanes, varying values meet only varying ones,
    and no op mixes lanes: the first dimension of what it reads is the first
    dimension of what it gives.

    A program that holds is left unchanged:
    ```mlir
    func.func @f(%x: tensor<3xf32>) -> tensor<3xf32>
        attributes {ens.instance = "solo"} {
      return %x : tensor<3xf32>
    }
    ```
  }];
}

#endif // ENSC_VECTORIZE_PASSES
