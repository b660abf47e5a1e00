//===- Passes.td - Passes of the phase Vectorize -----------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_VECTORIZE_PASSES
#define ENSC_VECTORIZE_PASSES

include "mlir/Pass/PassBase.td"

def VerifyVectorize : Pass<"ens-verify-vectorize", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Vectorize";
  let description = [{
    Afterwards no `ens.ensemble` is left; in a lanes instance each varying value leads with the number of lanes and no uniform value does.
  }];
}

#endif // ENSC_VECTORIZE_PASSES
