//===- InterpretedProgram.h - Programs for the interpreter ------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXECUTION_INTERPRETEDPROGRAM_H
#define ENSC_EXECUTION_INTERPRETEDPROGRAM_H

#include "ensc/Runtime/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace ensc {

/// Wraps the solo instances of a module after Vectorize so that they are called
/// like compiled ones. The manifest is read from their arguments. The program
/// keeps the module and its context alive; calls are serialized, since a
/// context is shared by all of them.
Expected<Program>
createInterpretedProgram(std::shared_ptr<mlir::MLIRContext> context,
                         mlir::OwningOpRef<mlir::ModuleOp> module);

} // namespace ensc

#endif // ENSC_EXECUTION_INTERPRETEDPROGRAM_H
