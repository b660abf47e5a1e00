//===- ByteSource.h - Streams of known length -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_BYTESOURCE_H
#define ENSC_ARTIFACT_BYTESOURCE_H

#include "ensc/API/Error.h"
#include "ensc/Artifact/InputFile.h"

#include <cstdint>
#include <memory>

namespace ensc {

/// Bytes to be read once, from first to last. Errors do not name the file.
class ByteSource {
public:
  virtual ~ByteSource();

  /// Bytes not read yet. The file behind the source makes the number possible,
  /// so that it is safe to allocate as much.
  virtual uint64_t remaining() const = 0;

  /// Reads exactly `size` bytes, or fails.
  virtual Status read(void *to, uint64_t size) = 0;

  /// To be called after the last byte: checks what guards the content, as a
  /// checksum does.
  virtual Status finish() { return Status::success(); }
};

/// A range of a file, which must lie within it.
class FileRange : public ByteSource {
public:
  FileRange(std::shared_ptr<InputFile> file, uint64_t offset, uint64_t size)
      : file_(std::move(file)), offset_(offset), remaining_(size) {}
  explicit FileRange(std::shared_ptr<InputFile> file)
      : FileRange(file, 0, file->size()) {}

  uint64_t remaining() const override { return remaining_; }
  Status read(void *to, uint64_t size) override;

private:
  std::shared_ptr<InputFile> file_;
  uint64_t offset_;
  uint64_t remaining_;
};

} // namespace ensc

#endif // ENSC_ARTIFACT_BYTESOURCE_H
