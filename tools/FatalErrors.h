//===- FatalErrors.h - Errors that LLVM does not return ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_FATALERRORS_H
#define ENSC_TOOLS_FATALERRORS_H

#include "llvm/Support/ErrorHandling.h"

#include <cstring>
#include <initializer_list>

#include <unistd.h>

namespace ensc::tool {

/// Ends the process with a line about the error. Nothing is allocated.
[[noreturn]] inline void endWithError(void *tool, const char *reason, bool) {
  for (const char *part :
       {static_cast<const char *>(tool), ": error: ", reason, "\n"})
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0)
      break;
  ::_exit(1);
}

/// Lets what LLVM cannot go on after, such as a thread that does not start, end
/// the process like any other error of `tool`, not with a stack dump.
inline void handleFatalErrors(const char *tool) {
  void *name = const_cast<char *>(tool);
  llvm::install_fatal_error_handler(endWithError, name);
  llvm::install_bad_alloc_error_handler(
      [](void *tool, const char *, bool isCrash) {
        endWithError(tool, "out of memory", isCrash);
      },
      name);
}

} // namespace ensc::tool

#endif // ENSC_TOOLS_FATALERRORS_H
