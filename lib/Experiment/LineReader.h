//===- LineReader.h - Long files, line by line ------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_LINEREADER_H
#define ENSC_LIB_EXPERIMENT_LINEREADER_H

#include "ensc/Artifact/InputFile.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ensc {

/// Reads whole lines in little memory, however long the file.
class LineReader {
public:
  /// Reads `file` from the byte `offset` on, up to the size that it had when it
  /// was opened.
  LineReader(std::shared_ptr<InputFile> file, uint64_t offset,
             size_t longestLine = size_t(1) << 20)
      : file(std::move(file)), bufferBegin(offset), longestLine(longestLine) {}

  /// The next line without its end, valid until the next call; nothing where no
  /// whole line is left. Fails on lines of more than the longest.
  Expected<std::optional<std::string_view>> next();

  /// Where the next line begins.
  uint64_t offset() const { return bufferBegin + position; }

private:
  Status fill();

  std::shared_ptr<InputFile> file;
  uint64_t bufferBegin; ///< The offset of the first byte of `buffer`.
  size_t longestLine;   ///< In bytes.
  std::string buffer;
  size_t position = 0; ///< In the buffer.
};

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_LINEREADER_H
