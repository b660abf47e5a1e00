//===- CacheFile.h - A compiled program as bytes ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_CACHE_CACHEFILE_H
#define ENSC_LIB_CACHE_CACHEFILE_H

#include "ensc/Cache/ProgramCache.h"

namespace ensc {

/// A hash of 128 bits in hexadecimal. It tells texts and damages apart that
/// happen, not those that someone makes.
std::string hashToHex(std::string_view bytes);

/// The content of the file that keeps a program under a key.
std::string encodeCacheFile(std::string_view key, const CachedProgram &program);

/// The program that a file keeps; nothing if the bytes are not exactly what
/// encodeCacheFile gave for this key.
std::optional<CachedProgram> decodeCacheFile(std::string_view bytes,
                                             std::string_view key);

} // namespace ensc

#endif // ENSC_LIB_CACHE_CACHEFILE_H
