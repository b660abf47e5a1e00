//===- Passes.td - Passes of the phase Schedule ------------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_SCHEDULE_PASSES
#define ENSC_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def ReuseActivations
    : Pass<"ens-reuse-activations", "::mlir::func::FuncOp"> {
  let summary = "Takes masks of activations from the activations";
  let description = [{
    The derivative of `h = select(p <= 0, 0, p)` asks where p <= 0. That is
    where h <= 0, and h is stored anyway if a contraction reads it: then neither
    p nor the mask have to be. The same for `select(p > 0, p, 0)`.
  }];
}

def SchedulePhases : Pass<"ens-schedule-phases", "::mlir::ModuleOp"> {
  let summary = "Turns the instances of entries into phase programs";
  let description = [{
    Decides which values are stored and which are computed where they are
    needed, groups what is computed at the same points into phases, and lets
    loops and updates work in place. Buffers are `memref.alloc` ops; their place
    in the arena is decided by `ens-plan-arena`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def PlanArena : Pass<"ens-plan-arena", "::mlir::func::FuncOp"> {
  let summary = "Places the buffers of a phase program in one arena";
  let description = [{
    Replaces `memref.alloc` by views of the arena at constant offsets. Buffers
    that never exist at the same time share memory.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def VerifySchedule : Pass<"ens-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Schedule";
  let description = [{
    Afterwards every tensor op belongs to a phase; arena offsets are static; nothing names a target.

    Points of phases that are not `sequential` come in any order. So no factor of `ens.contract` loads memory that
    its epilogue stores; what a point stores is accessed elsewhere in the phase through the same view and with the
    same indices only; and the indices of a store depend on each dimension of the domain.
  }];
}

#endif // ENSC_SCHEDULE_PASSES
