//===- Passes.td - Passes of the phase Lower/CPU -----------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LOWER_CPU_PASSES
#define ENSC_LOWER_CPU_PASSES

include "mlir/Pass/PassBase.td"

def VerifyLowerCPU : Pass<"ens-verify-lower-cpu", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Lower/CPU";
  let description = [{
    Afterwards only the LLVM dialect is left.
  }];
}

#endif // ENSC_LOWER_CPU_PASSES
