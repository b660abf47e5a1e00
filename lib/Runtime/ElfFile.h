//===- ElfFile.h - Whether a library is whole -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_RUNTIME_ELFFILE_H
#define ENSC_LIB_RUNTIME_ELFFILE_H

#include "ensc/API/Error.h"

#include <string>

namespace ensc {

/// Fails unless `path` is a 64-bit shared library whose tables, segments and
/// sections lie within the file. The dynamic loader maps what the headers say,
/// and a page beyond the end of the file kills the process that reads it.
Status checkElfFile(const std::string &path);

} // namespace ensc

#endif // ENSC_LIB_RUNTIME_ELFFILE_H
