//===- Passes.td - Passes of the phase Lower/CPU -----------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LOWER_CPU_PASSES
#define ENSC_LOWER_CPU_PASSES

include "mlir/Pass/PassBase.td"

def LowerPhases : Pass<"ens-lower-phases", "::mlir::ModuleOp"> {
  let summary = "Turns phase programs into loops over vectors and pointers";
  let description = [{
    Each function of a phase program becomes an `llvm.func` that can be called
    as an `ensc_entry` (see `ensc/Runtime/ABI.h`). Its body consists of `scf`
    loops over i64, `arith` and `math` on scalars and 1-D vectors, and loads,
    stores and shuffles of the LLVM dialect. With lanes the vectors run over the runs of the group,
    otherwise over the dimension along which a phase's accesses are contiguous.
    The CPU decides the sizes of register tiles; the results are the same on
    all of them.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"
  ];
  let options = [
    Option<"cpu", "cpu", "std::string", /*default=*/"\"native\"",
           "\"native\" or a CPU that LLVM knows">
  ];
}

def ConvertKernels : Pass<"ens-convert-kernels", "::mlir::LLVM::LLVMFuncOp"> {
  let summary = "Turns loops and arithmetic into the LLVM dialect";
  let description = [{
    What the emitters leave beside the LLVM dialect, `scf` loops, `cf` branches
    and `arith` and `math` on scalars and 1-D vectors, becomes the LLVM dialect
    in one conversion. No op changes its type, and none is folded.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"
  ];
}

def VerifyLowerCPU : Pass<"ens-verify-lower-cpu", "::mlir::ModuleOp"> {
  let summary = "Checks what holds after the phase Lower/CPU";
  let description = [{
    Only the LLVM dialect is left, and no function is called that is not part of
    the module.
  }];
}

#endif // ENSC_LOWER_CPU_PASSES
