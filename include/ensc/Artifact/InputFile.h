//===- InputFile.h - Files that are read in pieces --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_INPUTFILE_H
#define ENSC_ARTIFACT_INPUTFILE_H

#include "ensc/API/Error.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ensc {

/// A regular file, open for reading at any offset. Reading from several
/// threads is safe.
class InputFile {
public:
  /// Opens `path`. Directories, pipes and devices are refused: their size is
  /// not known, and every reader checks what a file declares against its size.
  static Expected<std::shared_ptr<InputFile>> open(const std::string &path);

  ~InputFile();
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  const std::string &path() const { return path_; }

  /// Bytes in the file when it was opened.
  uint64_t size() const { return size_; }

  /// Whether it belongs to the user whom this process runs for, and nobody else
  /// may write it.
  bool isOwn() const { return own_; }

  /// Reads exactly `size` bytes from `offset` on. Errors do not name the file.
  Status readAt(uint64_t offset, void *to, uint64_t size) const;

  /// The content as memory that the system fills page by page when it is first
  /// read. The pointer keeps the mapping alive; writing there is an error. The
  /// file must keep its size: reading what was cut off later ends the process
  /// with SIGBUS, as it does for anyone who maps files.
  Expected<std::shared_ptr<void>> map() const;

private:
  InputFile(std::string path, int descriptor, uint64_t size, bool own)
      : path_(std::move(path)), descriptor_(descriptor), size_(size),
        own_(own) {}

  std::string path_;
  int descriptor_;
  uint64_t size_;
  bool own_;
};

/// The whole content of a small file, at most `limit` bytes.
Expected<std::string> readTextFile(const std::string &path,
                                   uint64_t limit = uint64_t(1) << 30);

/// Whether there is certainly nothing at `path`, rather than something that
/// cannot be looked at.
bool isMissing(const std::string &path);

/// The text of an errno value, as in "No space left on device".
std::string describeErrno(int code);

} // namespace ensc

#endif // ENSC_ARTIFACT_INPUTFILE_H
