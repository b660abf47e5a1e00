//===- DiagnosticCollector.cpp - Diagnostics as text ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Support/DiagnosticCollector.h"

#include "mlir/IR/Location.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ensc;

/// The place in a file that a location stands for, if there is one.
static FileLineColLoc findFileLocation(Location location) {
  FileLineColLoc found;
  location->walk([&](Location part) {
    if (auto file = dyn_cast<FileLineColLoc>(part)) {
      found = file;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return found;
}

static StringRef nameOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error: ";
  case DiagnosticSeverity::Warning:
    return "warning: ";
  case DiagnosticSeverity::Note:
    return "note: ";
  case DiagnosticSeverity::Remark:
    return "remark: ";
  }
  llvm_unreachable("all severities have a name");
}

static void append(std::string &lines, Diagnostic &diagnostic) {
  // MLIR's echo of an error that the op has told already, and told better.
  if (!lines.empty() &&
      StringRef(diagnostic.str()).ends_with("failed to infer returned types"))
    return;
  llvm::raw_string_ostream os(lines);
  if (!lines.empty())
    os << "\n";
  if (FileLineColLoc file = findFileLocation(diagnostic.getLocation())) {
    os << file.getFilename().strref() << ":";
    // A module without a line of its own is the whole file.
    if (file.getLine() != 0)
      os << file.getLine() << ":" << file.getColumn() << ":";
    os << " ";
  }
  os << nameOf(diagnostic.getSeverity()) << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes()) {
    os.flush();
    append(lines, note);
  }
}

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        append(lines, diagnostic);
        return success();
      }) {}

std::string DiagnosticCollector::text() const {
  return lines.empty() ? "internal error: failed without saying why" : lines;
}
