//===- Passes.td - Passes of the phase Differentiate -------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIFFERENTIATE_PASSES
#define ENSC_DIFFERENTIATE_PASSES

include "mlir/Pass/PassBase.td"

def DifferentiateFunctions
    : Pass<"ens-differentiate-functions", "::mlir::ModuleOp"> {
  let summary = "Replaces derivative ops and calls by ordinary ops";
  let description = [{
    `ens.grad`, `ens.value_and_grad`, `ens.jvp` and `ens.vjp` are replaced by the
    ops that compute them, innermost first: a function is differentiated only
    when nothing to differentiate and no call is left in it. `func.call` is
    inlined, and so is `ens.custom_grad`, once everything is differentiated. The
    derivative of `ens.ensemble` is the ensemble of a new private function. A
    function that would grow by more than 65,536 ops is an error.

    ```mlir
    func.func @square(%x: tensor<f32>) -> tensor<f32> {
      %y = ens.mul %x, %x : tensor<f32>
      return %y : tensor<f32>
    }
    func.func @slope(%x: tensor<f32>) -> tensor<f32> {
      %g = ens.grad @square(%x) wrt = [0] : (tensor<f32>) -> tensor<f32>
      return %g : tensor<f32>
    }
    ```

    becomes, after canonicalization,

    ```mlir
    func.func @slope(%x: tensor<f32>) -> tensor<f32> {
      %one = ens.constant dense<1.0> : tensor<f32>
      %half = ens.mul %x, %one : tensor<f32>
      %g = ens.add %half, %half : tensor<f32>
      return %g : tensor<f32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::ensc::ens::EnsDialect"];
}

def VerifyDifferentiate : Pass<"ens-verify-differentiate", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Differentiate";
  let description = [{
    Afterwards no derivative op and no call is left, and every op is in the core
    set: it has a derivative or is known to have none.
  }];
}

#endif // ENSC_DIFFERENTIATE_PASSES
