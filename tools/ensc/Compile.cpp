//===- Compile.cpp - ensc compile -----------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "ensc/Artifact/AtomicFile.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace ensc;
namespace cl = llvm::cl;

static cl::opt<std::string> output("o", cl::desc("Write to this file"),
                                   cl::value_desc("file"),
                                   cl::cat(tool::category),
                                   cl::sub(tool::compileCommand));
static tool::ChoiceFlag<EmitKind> emitKind(
    "emit",
    cl::desc("What to write (default: what the ending of the output "
             "says, else ir)"),
    cl::values(clEnumValN(EmitKind::IR, "ir", "MLIR after the last phase run"),
               clEnumValN(EmitKind::LLVM, "llvm", "LLVM IR"),
               clEnumValN(EmitKind::Assembly, "asm", "assembly"),
               clEnumValN(EmitKind::Object, "obj", "an object file"),
               clEnumValN(EmitKind::SharedLibrary, "so",
                          "a shared library, and a C header beside it")),
    cl::cat(tool::category), cl::sub(tool::compileCommand));
static cl::opt<std::string>
    until("until", cl::value_desc("phase"),
          cl::desc("Stop after a phase: parse, expand, differentiate, "
                   "vectorize, schedule or lower"),
          cl::cat(tool::category), cl::sub(tool::compileCommand));
static cl::opt<std::string>
    from("from", cl::value_desc("phase"),
         cl::desc("The input is what --until=phase gave; go on from there"),
         cl::cat(tool::category), cl::sub(tool::compileCommand));
static tool::SwitchFlag explain(
    "explain",
    cl::desc("Say what is shared, what is per run, and which phases the "
             "program becomes"),
    cl::cat(tool::category), cl::sub(tool::compileCommand));
static tool::IntegerFlag
    rows("rows", tool::atLeast(0),
         cl::desc("Rows of the training data, for a learner"),
         cl::value_desc("n"), cl::cat(tool::category),
         cl::sub(tool::compileCommand));
static tool::IntegerFlag
    validationRows("validation-rows", tool::atLeast(0),
                   cl::desc("Rows of the validation data, for a learner"),
                   cl::value_desc("n"), cl::cat(tool::category),
                   cl::sub(tool::compileCommand));
static cl::opt<std::string>
    shuffle("shuffle", cl::desc("Order of the rows: per_run, shared or none"),
            cl::value_desc("order"), cl::cat(tool::category),
            cl::sub(tool::compileCommand));
static cl::list<std::string>
    entries("entry", cl::CommaSeparated, cl::value_desc("name,..."),
            cl::desc("Functions to compile (default: all public ones)"),
            cl::cat(tool::category), cl::sub(tool::compileCommand));

/// What the options of compilation are for ends with a phase. Where the text
/// has passed it, or no phase is to be passed, they would do nothing.
static Status checkPhases(const CompileOptions &options) {
  struct Flag {
    const char *name;
    bool isGiven;
    const char *phase; ///< The last one that reads it.
  };
  const Flag flags[] = {
      {"--rows", options.rows.has_value(), "expand"},
      {"--validation-rows", options.validationRows.has_value(), "expand"},
      {"--shuffle", options.shuffle.has_value(), "expand"},
      {"--entry", !options.entries.empty(), "vectorize"},
      {"--per-run", !options.perRun.empty(), "vectorize"},
      {"--lanes", options.lanes.has_value(), "vectorize"}};
  std::vector<std::string> phases = phaseNames();
  auto positionOf = [&](const std::string &phase) {
    return std::find(phases.begin(), phases.end(), phase) - phases.begin();
  };
  // An unknown phase is for the compiler to report.
  bool isResumed =
      positionOf(from) < static_cast<std::ptrdiff_t>(phases.size());
  for (const Flag &flag : flags)
    if (isResumed && flag.isGiven && positionOf(from) >= positionOf(flag.phase))
      return Error(ErrorKind::InvalidArgument,
                   std::string(flag.name) + " is for the phase " + flag.phase +
                       ", which the text of --from=" + from +
                       " has passed already; leave it out");
  if (explain && emitKind.getNumOccurrences() && output.empty())
    return Error(ErrorKind::InvalidArgument,
                 "--explain prints its text alone; add -o FILE for what --emit "
                 "is to write");
  if (explain && !until.empty() && until != phases.back())
    return Error(ErrorKind::InvalidArgument,
                 "--explain is about all phases up to " + phases.back() +
                     ", but --until=" + until + " stops before; leave it out");
  return Status::success();
}

static EmitKind chosenKind() {
  if (emitKind.getNumOccurrences())
    return emitKind;
  llvm::StringRef extension = llvm::sys::path::extension(output);
  if (extension == ".so")
    return EmitKind::SharedLibrary;
  if (extension == ".o")
    return EmitKind::Object;
  if (extension == ".s")
    return EmitKind::Assembly;
  if (extension == ".ll")
    return EmitKind::LLVM;
  return EmitKind::IR;
}

static Status write(const std::string &content) {
  if (!output.empty() && output != "-")
    return writeFileAtomically(output, content);
  llvm::outs() << content;
  return Status::success();
}

int tool::compileMain() {
  CompileOptions options = compileOptions();
  if (rows.getNumOccurrences())
    options.rows = rows;
  if (validationRows.getNumOccurrences())
    options.validationRows = validationRows;
  if (shuffle.getNumOccurrences())
    options.shuffle = shuffle;
  options.entries.assign(entries.begin(), entries.end());
  if (Status status = checkPhases(options); !status)
    return fail(status.error());
  Compiler compiler(options);

  std::string path = modelPath();
  Expected<std::string> text = readText(path);
  if (!text)
    return fail(text.error());
  std::string name = path == "-" ? "<stdin>" : path;

  EmitOptions emit;
  emit.kind = chosenKind();
  emit.from = from;
  emit.until = until;
  if (explain) {
    EmitOptions explanation = emit;
    explanation.kind = EmitKind::Explanation;
    Expected<std::string> report = compiler.emit(*text, name, explanation);
    if (!report)
      return fail(report.error());
    llvm::outs() << *report;
    if (output.empty())
      return 0;
  }
  bool binary =
      emit.kind == EmitKind::SharedLibrary || emit.kind == EmitKind::Object;
  if (binary && (output.empty() || output == "-"))
    return fail(Error(ErrorKind::InvalidArgument,
                      "an object or library needs a file: add -o FILE"));
  if (emit.kind == EmitKind::SharedLibrary) {
    Status status = compiler.emitLibrary(*text, name, emit, output);
    return status ? 0 : fail(status.error());
  }
  Expected<std::string> result = compiler.emit(*text, name, emit);
  if (!result)
    return fail(result.error());
  Status status = write(*result);
  return status ? 0 : fail(status.error());
}
