//===- Passes.td - Passes of the phase Expand --------------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXPAND_PASSES
#define ENSC_EXPAND_PASSES

include "mlir/Pass/PassBase.td"

def VerifyExpand : Pass<"ens-verify-expand", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Expand";
  let description = [{
    Afterwards no composite op and no `ens.learner` is left; random sites are numbered.
  }];
}

#endif // ENSC_EXPAND_PASSES
