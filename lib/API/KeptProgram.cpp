//===- KeptProgram.cpp - A program in the cache ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptProgram.h"

#include "ProgramKey.h"

#include "ensc/Execution/Jit.h"

#include "llvm/ADT/SmallVector.h"

using namespace ensc;

Expected<std::optional<KeptProgram>>
KeptProgram::locate(const std::string &text, const CompileOptions &options,
                    const TargetCpu &cpu) {
  std::optional<std::string> directory = options.cacheDirectory;
  if (options.cacheDirectory.empty())
    directory = ProgramCache::findDirectory();
  if (!options.cache || !directory)
    return std::optional<KeptProgram>();
  Expected<std::string> compiler = compilerIdentity();
  if (!compiler)
    return compiler.error();
  return std::optional(KeptProgram(ProgramCache(std::move(*directory)),
                                   programKey(*compiler, cpu, options, text)));
}

std::optional<Program> KeptProgram::load() const {
  std::optional<CachedProgram> found = cache.find(key);
  if (!found)
    return std::nullopt;
  Expected<Manifest> manifest = Manifest::fromJson(found->manifest);
  if (!manifest)
    return std::nullopt;
  Expected<Program> program = loadProgram(
      std::move(*manifest), llvm::SmallVector<llvm::StringRef>(
                                found->objects.begin(), found->objects.end()));
  if (!program)
    return std::nullopt;
  return std::move(*program);
}

Status KeptProgram::store(const Manifest &manifest,
                          llvm::ArrayRef<llvm::StringRef> objects) const {
  CachedProgram program{manifest.toJson(), {}};
  for (llvm::StringRef object : objects)
    program.objects.push_back(object.str());
  return cache.store(key, program);
}
