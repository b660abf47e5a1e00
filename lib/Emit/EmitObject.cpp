//===- EmitObject.cpp - From LLVM IR to objects and libraries -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Emit/Emit.h"

#include "ensc/Artifact/AtomicFile.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace ensc;

static Expected<llvm::SmallVector<char, 0>>
emitFile(llvm::Module &module, const TargetCpu &cpu,
         llvm::CodeGenFileType kind) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(cpu);
  if (!machine)
    return Error(ErrorKind::InvalidArgument,
                 llvm::toString(machine.takeError()));
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, kind))
    return Error(ErrorKind::Internal,
                 "the code generator cannot write this kind of file");
  passes.run(module);
  return bytes;
}

Expected<llvm::SmallVector<char, 0>> ensc::emitObject(llvm::Module &module,
                                                      const TargetCpu &cpu) {
  return emitFile(module, cpu, llvm::CodeGenFileType::ObjectFile);
}

Expected<std::string> ensc::emitAssembly(llvm::Module &module,
                                         const TargetCpu &cpu) {
  Expected<llvm::SmallVector<char, 0>> text =
      emitFile(module, cpu, llvm::CodeGenFileType::AssemblyFile);
  if (!text)
    return text.error();
  return std::string(text->begin(), text->end());
}

/// The first linker on the PATH that can make a shared library of an object.
static Expected<std::string> findLinker() {
  for (const char *name : {"ld.lld-22", "ld.lld", "ld"})
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
      return *path;
  if (llvm::ErrorOr<std::string> path =
          llvm::sys::findProgramByName("ld.lld", {"/usr/lib/llvm-22/bin"}))
    return *path;
  return Error(ErrorKind::Unsupported,
               "no linker found to make a shared library: install lld-22 or "
               "binutils, or emit an object with --emit=obj");
}

Status ensc::linkSharedLibrary(llvm::ArrayRef<char> object,
                               const std::string &path) {
  Expected<std::string> linker = findLinker();
  if (!linker)
    return linker.error();
  llvm::SmallString<128> temporary;
  int descriptor;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile(
          "ensc", "o", descriptor, temporary))
    return Error(ErrorKind::Io,
                 "cannot create a temporary object: " + code.message());
  llvm::FileRemover remover(temporary);
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream.write(object.data(), object.size());
  stream.close();
  if (std::error_code code = stream.error()) {
    stream.clear_error();
    return Error(ErrorKind::Io, "cannot write " + temporary.str().str() + ": " +
                                    code.message());
  }
  // Linked elsewhere, so that a failure leaves no half of a library and what
  // the linker says becomes part of one error.
  llvm::SmallString<128> library(temporary), complaints(temporary);
  llvm::sys::path::replace_extension(library, ".so");
  llvm::sys::path::replace_extension(complaints, ".txt");
  llvm::FileRemover removeLibrary(library), removeComplaints(complaints);
  std::string message;
  // -s: compiled code has no use for a symbol table beyond its entries. Its
  // memcpy and memset come from the process that loads it: a linker that is
  // called without a compiler does not know where libc is.
  int result = llvm::sys::ExecuteAndWait(
      *linker, {*linker, "-shared", "-s", "-o", library, temporary},
      std::nullopt, {std::nullopt, complaints.str(), complaints.str()},
      /*SecondsToWait=*/60, /*MemoryLimit=*/0, &message);
  if (result != 0) {
    if (auto text = llvm::MemoryBuffer::getFile(complaints))
      message += (*text)->getBuffer().rtrim();
    return Error(ErrorKind::Io, "linking " + path + " failed: " + message);
  }
  auto bytes = llvm::MemoryBuffer::getFile(library);
  if (!bytes)
    return Error(ErrorKind::Io, "cannot read " + library.str().str() + ": " +
                                    bytes.getError().message());
  return writeFileAtomically(path, (*bytes)->getBuffer());
}
