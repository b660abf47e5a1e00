//===- Zip.h - Zip archives -------------------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What npz files need: stored and deflated entries, data descriptors and the
// 64-bit extension; one disk, no encryption. Errors name no file.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_ARTIFACT_ZIP_H
#define ENSC_LIB_ARTIFACT_ZIP_H

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/ByteSource.h"

#include <string>
#include <string_view>
#include <vector>

namespace ensc {

/// One file in an archive.
struct ZipEntry {
  std::string name;
  bool deflated = false;
  uint32_t crc = 0;
  uint64_t compressedSize = 0;
  uint64_t size = 0;
  uint64_t headerOffset = 0;
  uint64_t dataOffset = 0;
};

/// Bytes of a deflated entry at most: more is taken for a bomb.
constexpr uint64_t maxInflatedBytes = uint64_t(1) << 34;

/// Reads and checks the directory of an archive: every entry lies in the file,
/// no two overlap, names are unique, declared sizes are possible.
Expected<std::vector<ZipEntry>> readZipDirectory(const InputFile &file);

/// The content of `entry`. Its checksum is checked by finish().
Expected<std::unique_ptr<ByteSource>>
openZipEntry(std::shared_ptr<InputFile> file, const ZipEntry &entry);

/// Writes an archive, entry by entry. The bytes depend on the content alone:
/// no clock and no user name goes in.
class ZipWriter {
public:
  explicit ZipWriter(AtomicFile &file) : file_(file) {}

  /// Appends an entry that holds the pieces one after the other.
  Status add(const std::string &name,
             const std::vector<std::string_view> &pieces, bool deflate);

  /// Writes the directory; nothing may be added afterwards.
  Status finish();

private:
  Status write(std::string_view bytes);

  AtomicFile &file_;
  uint64_t offset_ = 0;
  std::vector<ZipEntry> entries_;
};

} // namespace ensc

#endif // ENSC_LIB_ARTIFACT_ZIP_H
