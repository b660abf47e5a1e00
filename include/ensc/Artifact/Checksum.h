//===- Checksum.h - Short names for bytes -----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_CHECKSUM_H
#define ENSC_ARTIFACT_CHECKSUM_H

#include "ensc/API/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ensc {

/// The CRC-32 of zip files and of Python's zlib.crc32. `previous` is that of
/// the bytes in front.
uint32_t crc32Of(const void *bytes, size_t size, uint32_t previous = 0);

/// The CRC-32 of all of a file.
Expected<uint32_t> crc32OfFile(const std::string &path);

/// The CRC-32C (Castagnoli) of records of TensorBoard.
uint32_t crc32cOf(std::string_view bytes);

/// SHA-256 as 64 hexadecimal digits, as sha256sum prints it.
std::string sha256Of(std::string_view bytes);

} // namespace ensc

#endif // ENSC_ARTIFACT_CHECKSUM_H
