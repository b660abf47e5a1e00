//===- Passes.td - Passes of the phase Differentiate -------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIFFERENTIATE_PASSES
#define ENSC_DIFFERENTIATE_PASSES

include "mlir/Pass/PassBase.td"

def VerifyDifferentiate : Pass<"ens-verify-differentiate", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Differentiate";
  let description = [{
    Afterwards no derivative op is left; every op is in the core set.
  }];
}

#endif // ENSC_DIFFERENTIATE_PASSES
