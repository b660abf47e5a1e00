//===- Passes.td - Passes of the phase Schedule ------------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_SCHEDULE_PASSES
#define ENSC_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def VerifySchedule : Pass<"ens-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Schedule";
  let description = [{
    Afterwards every tensor op belongs to a phase; arena offsets are static; nothing names a target.
  }];
}

#endif // ENSC_SCHEDULE_PASSES
