//===- Passes.td - Passes of the phase Parse ---------------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_PARSE_PASSES
#define ENSC_PARSE_PASSES

include "mlir/Pass/PassBase.td"

def VerifyModel : Pass<"ens-verify-model", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Parse";
  let description = [{
    Afterwards the module states single-run programs: static shapes, known ops, named arguments.
  }];
}

#endif // ENSC_PARSE_PASSES
