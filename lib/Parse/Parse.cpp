//===- Parse.cpp - From text to a module ----------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Parse/Parse.h"

#include "Nesting.h"
#include "ParserErrors.h"

#include "ensc/Support/DiagnosticCollector.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace ensc;

static Expected<OwningOpRef<ModuleOp>> parse(const std::string &source,
                                             const std::string &name,
                                             MLIRContext &context) {
  DiagnosticCollector diagnostics(&context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      source, ParserConfig(&context), /*sourceName=*/name);
  if (!module)
    return Error(ErrorKind::InvalidModel,
                 explainParserErrors(diagnostics.text(), context));
  return module;
}

Expected<OwningOpRef<ModuleOp>> ensc::parseModule(const std::string &text,
                                                  const std::string &name,
                                                  MLIRContext &context) {
  // Some editors begin files with a mark of their encoding.
  constexpr llvm::StringLiteral mark = "\xEF\xBB\xBF";
  if (llvm::StringRef(text).starts_with(mark))
    return parseModule(text.substr(mark.size()), name, context);
  if (isBytecode(llvm::MemoryBufferRef(text, name)))
    return Error(ErrorKind::InvalidModel,
                 name + ": error: this is MLIR bytecode, but ensc reads text; "
                        "ens-opt prints bytecode as text");
  if (Status status = checkNesting(text, name); !status)
    return status.error();
  return parse(text, name, context);
}

Expected<OwningOpRef<ModuleOp>> ensc::readBytecode(const std::string &bytes,
                                                   const std::string &name,
                                                   MLIRContext &context) {
  return parse(bytes, name, context);
}
