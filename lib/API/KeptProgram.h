//===- KeptProgram.h - A program in the cache -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_API_KEPTPROGRAM_H
#define ENSC_LIB_API_KEPTPROGRAM_H

#include "ensc/API/Error.h"
#include "ensc/API/Options.h"
#include "ensc/Cache/ProgramCache.h"
#include "ensc/Emit/Target.h"
#include "ensc/Runtime/Program.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace ensc {

/// The place of one program among those that are kept on disk.
class KeptProgram {
public:
  /// The place of `text`, compiled for `cpu`. Nothing if programs are not to be
  /// kept; an error if that is so for a reason that a user should know.
  static Expected<std::optional<KeptProgram>>
  locate(const std::string &text, const CompileOptions &options,
         const TargetCpu &cpu);

  /// The program, loaded, if it is there and whole.
  std::optional<Program> load() const;

  /// Keeps what the program was compiled to.
  Status store(const Manifest &manifest,
               llvm::ArrayRef<llvm::StringRef> objects) const;

private:
  KeptProgram(ProgramCache cache, std::string key)
      : cache(std::move(cache)), key(std::move(key)) {}

  ProgramCache cache;
  std::string key;
};

} // namespace ensc

#endif // ENSC_LIB_API_KEPTPROGRAM_H
