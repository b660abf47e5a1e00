//===- Emit.h - From the LLVM dialect to code -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EMIT_EMIT_H
#define ENSC_EMIT_EMIT_H

#include "ensc/API/Error.h"
#include "ensc/Emit/Target.h"
#include "ensc/Runtime/Manifest.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace ensc {

/// Reads the entries (attribute `ens.entry` of functions) and the learners
/// (attribute `ens.learners` of the module) after Lower. A function's symbol is
/// what the manifest says to call. The verifier of a phase has seen the module.
Manifest buildManifest(mlir::ModuleOp module, const TargetCpu &cpu);

/// What `attributes`, whose names begin with `prefix`, say of an argument or
/// result whose type in one run is `type`. Names and roles are optional: a
/// plain function has none.
Expected<ManifestValue> describeValue(mlir::RankedTensorType type,
                                      mlir::DictionaryAttr attributes,
                                      llvm::StringRef prefix);

/// Translates a module after Lower and runs the few passes on it that pay.
Expected<std::unique_ptr<llvm::Module>> emitLLVMIR(mlir::ModuleOp module,
                                                   llvm::LLVMContext &context,
                                                   const TargetCpu &cpu);

/// The bytes of an ELF object.
Expected<llvm::SmallVector<char, 0>> emitObject(llvm::Module &module,
                                                const TargetCpu &cpu);

/// Assembly text.
Expected<std::string> emitAssembly(llvm::Module &module, const TargetCpu &cpu);

/// Adds the manifest to a module as the string `ensc_manifest`, so that the
/// object or library made of it explains itself.
void embedManifest(llvm::Module &module, const Manifest &manifest);

/// A C header that declares the entries of a program, documented.
std::string emitCHeader(const Manifest &manifest, llvm::StringRef guard);

/// Links an object into the shared library `path`.
Status linkSharedLibrary(llvm::ArrayRef<char> object, const std::string &path);

} // namespace ensc

#endif // ENSC_EMIT_EMIT_H
