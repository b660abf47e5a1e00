//===- LogFile.h - Files that grow ------------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_LOGFILE_H
#define ENSC_ARTIFACT_LOGFILE_H

#include "ensc/API/Error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ensc {

/// A file that grows by whole lines. Not thread-safe.
class LogFile {
public:
  /// Opens the file `path`, or creates it. A torn last line is cut off.
  static Expected<LogFile> open(const std::string &path);

  LogFile(LogFile &&other) noexcept;
  LogFile &operator=(LogFile &&other) noexcept;
  ~LogFile();

  /// Appends whole lines with a single write where the system can. They are
  /// safe from a crash of the process at once, from a crash of the machine
  /// after flush(). Where they do not fit, the file is as it was.
  Status append(std::string_view lines);

  /// Waits until everything is on disk.
  Status flush();

  /// Drops what is beyond `size` bytes.
  Status cut(uint64_t size);

  uint64_t size() const { return size_; }

private:
  LogFile(std::string path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}
  Error failure(int code) const;

  std::string path_;
  int descriptor_;
  uint64_t size_ = 0;
};

} // namespace ensc

#endif // ENSC_ARTIFACT_LOGFILE_H
