//===- Parse.h - From text to a module --------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_PARSE_PARSE_H
#define ENSC_PARSE_PARSE_H

#include "ensc/API/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace ensc {

/// Parses and verifies MLIR text of any phase. `name` is what locations call
/// it. Errors give file, line and column. Bytecode is an error, and so is text
/// whose brackets and signs nest deeper than MLIR's recursion is sure to reach.
Expected<mlir::OwningOpRef<mlir::ModuleOp>>
parseModule(const std::string &text, const std::string &name,
            mlir::MLIRContext &context);

/// Reads a module that this process wrote as bytecode. MLIR's reader trusts the
/// bytes, so they must not come from anybody else.
Expected<mlir::OwningOpRef<mlir::ModuleOp>>
readBytecode(const std::string &bytes, const std::string &name,
             mlir::MLIRContext &context);

} // namespace ensc

#endif // ENSC_PARSE_PARSE_H
