//===- ParserErrors.h - Errors of the parser in ensc's words ----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_PARSE_PARSERERRORS_H
#define ENSC_LIB_PARSE_PARSERERRORS_H

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace ensc {

/// Lines that MLIR's parser reported, with what helps a user of ensc: the op or
/// attribute that an unknown one may have meant, how numbers are written, and
/// nothing about classes of the compiler.
std::string explainParserErrors(const std::string &lines,
                                mlir::MLIRContext &context);

} // namespace ensc

#endif // ENSC_LIB_PARSE_PARSERERRORS_H
