//===- AtomicFile.h - Files that appear whole or not at all -----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_ATOMICFILE_H
#define ENSC_ARTIFACT_ATOMICFILE_H

#include "ensc/API/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace ensc {

/// When the bytes of a file must have reached the disk.
enum class Durability {
  OnCommit, ///< Before the file appears under its name: safe from a crash of
            ///< the machine.
  Deferred, ///< Whenever the system likes: safe from a crash of the process.
            ///< For many files at once, which flushFileSystem() makes safe.
};

/// A file that replaces its target in one step.
///
/// Bytes go to a temporary file beside the target. commit() renames it, after
/// every byte is on disk; without commit() the destructor removes it, and the
/// target is as it was. Whatever the instant of a crash, the target holds the
/// old bytes or the new ones. A symbolic link stays; the file that it leads to
/// is the target. A device or a pipe is not replaced: bytes go to it at once.
/// Not thread-safe; several processes may write the same target, and the last
/// commit wins.
class AtomicFile {
public:
  /// Starts a file that is to become `path`, in an existing directory. `mode`
  /// says who may read and write it, less what the umask forbids.
  static Expected<AtomicFile> create(const std::string &path,
                                     mode_t mode = 0666);

  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;
  ~AtomicFile();

  /// Appends bytes.
  Status write(const void *bytes, size_t size);
  Status write(std::string_view text) {
    return write(text.data(), text.size());
  }

  /// Writes bytes from `offset` on, whatever was written before. Not for
  /// devices and pipes.
  Status writeAt(uint64_t offset, const void *bytes, size_t size);

  /// Makes the bytes written so far the content of the target. Nothing may be
  /// written afterwards.
  Status commit(Durability durability = Durability::OnCommit);

private:
  AtomicFile(std::string path, std::string temporary, int descriptor)
      : path_(std::move(path)), temporary_(std::move(temporary)),
        descriptor_(descriptor) {}
  Error failure(int code) const;
  void discard();

  std::string path_;
  std::string temporary_;
  int descriptor_;
};

/// Waits until all that was written to the file system of `path`, an existing
/// file or directory, is on disk.
Status flushFileSystem(const std::string &path);

/// Makes the names in a directory durable. Some file systems cannot; there they
/// are as durable as they get.
Status flushDirectory(const std::string &directory);

/// Writes all of a file in one step.
Status writeFileAtomically(const std::string &path, std::string_view text);

} // namespace ensc

#endif // ENSC_ARTIFACT_ATOMICFILE_H
