//===- ZipFormat.h - Constants of the zip format ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_ARTIFACT_ZIPFORMAT_H
#define ENSC_LIB_ARTIFACT_ZIPFORMAT_H

#include <cstddef>
#include <cstdint>

namespace ensc::zip {

constexpr uint32_t localSignature = 0x04034b50;
constexpr uint32_t centralSignature = 0x02014b50;
constexpr uint32_t endSignature = 0x06054b50;
constexpr uint32_t end64Signature = 0x06064b50;
constexpr uint32_t locatorSignature = 0x07064b50;

constexpr size_t localBytes = 30;
constexpr size_t centralBytes = 46;
constexpr size_t endBytes = 22;
constexpr size_t end64Bytes = 56;
constexpr size_t locatorBytes = 20;
constexpr size_t maxCommentBytes = 0xffff;

constexpr uint16_t stored = 0;
constexpr uint16_t deflated = 8;
constexpr uint16_t encryptedFlag = 1;
/// The extra field that carries sizes and offsets of 64 bits.
constexpr uint16_t extra64 = 1;
/// In a 16-bit or 32-bit field: the value is in a 64-bit one elsewhere.
constexpr uint16_t elsewhere16 = 0xffff;
constexpr uint32_t elsewhere32 = 0xffffffff;

} // namespace ensc::zip

#endif // ENSC_LIB_ARTIFACT_ZIPFORMAT_H
