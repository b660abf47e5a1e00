//===- Parse.cpp - From text to a module ----------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Parse/Parse.h"

#include "ensc/Support/DiagnosticCollector.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace ensc;

Expected<OwningOpRef<ModuleOp>> ensc::parseModule(const std::string &text,
                                                  const std::string &name,
                                                  MLIRContext &context) {
  DiagnosticCollector diagnostics(&context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      text, ParserConfig(&context), /*sourceName=*/name);
  if (!module)
    return Error(ErrorKind::InvalidModel, diagnostics.text());
  return module;
}
