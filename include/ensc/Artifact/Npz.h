//===- Npz.h - NumPy's file format for several arrays -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A zip archive of npy files, stored (numpy.savez) or deflated
// (numpy.savez_compressed). Checksums are checked.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_NPZ_H
#define ENSC_ARTIFACT_NPZ_H

#include "ensc/Artifact/InputFile.h"
#include "ensc/Artifact/NamedTensor.h"
#include "ensc/Artifact/Npy.h"

#include <memory>
#include <string>
#include <vector>

namespace ensc {

/// An open npz file. Arrays are read one at a time, and only when asked for.
/// Reading from several threads is safe.
class NpzFile {
public:
  /// Opens `path` and checks its directory, not the arrays.
  ///
  /// Fails for anything that is not an intact archive: overlapping entries,
  /// sizes that the file cannot hold, unknown compression, repeated keys. A
  /// deflated array may have 16 GiB at most; stored ones have no limit.
  static Expected<NpzFile> open(const std::string &path);

  NpzFile(NpzFile &&) noexcept;
  NpzFile &operator=(NpzFile &&) noexcept;
  ~NpzFile();

  const std::string &path() const;

  /// The keys of the arrays, in the order of the file. Entries that are no npy
  /// files are left out.
  const std::vector<std::string> &keys() const;

  bool contains(const std::string &key) const;

  /// Reads one array. The error for an unknown key lists the known ones.
  Expected<Tensor> read(const std::string &key) const;

  /// The type and the shape of one array, without reading its elements.
  Expected<NpyInfo> info(const std::string &key) const;

private:
  struct Content;
  std::string placeOf(const std::string &key) const;
  Expected<std::unique_ptr<ByteSource>> openKey(const std::string &key) const;
  explicit NpzFile(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

enum class NpzCompression { None, Deflate };

/// Writes the arrays to `path`, whole or not at all. Equal arrays give equal
/// bytes. Names must be unique.
Status writeNpz(const std::string &path,
                const std::vector<NamedTensor> &tensors,
                NpzCompression compression = NpzCompression::None);

} // namespace ensc

#endif // ENSC_ARTIFACT_NPZ_H
