//===- LineReader.cpp - Long files, line by line --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineReader.h"

#include <algorithm>

using namespace ensc;

static constexpr size_t blockBytes = size_t(1) << 18;

/// Drops what was read and appends a block.
Status LineReader::fill() {
  buffer.erase(0, position);
  bufferBegin += position;
  position = 0;
  uint64_t end = bufferBegin + buffer.size();
  size_t count = std::min<uint64_t>(blockBytes, file->size() - end);
  size_t before = buffer.size();
  buffer.resize(before + count);
  return file->readAt(end, buffer.data() + before, count);
}

Expected<std::optional<std::string_view>> LineReader::next() {
  size_t searched = 0;
  while (true) {
    size_t end = buffer.find('\n', position + searched);
    if (end != std::string::npos) {
      std::string_view line(buffer.data() + position, end - position);
      position = end + 1;
      return std::optional<std::string_view>(line);
    }
    searched = buffer.size() - position;
    if (searched > longestLine)
      return Error(ErrorKind::InvalidData,
                   "the line at byte " + std::to_string(offset()) +
                       " has more than " + std::to_string(longestLine) +
                       " bytes");
    if (bufferBegin + buffer.size() >= file->size())
      return std::optional<std::string_view>();
    if (Status status = fill(); !status)
      return status.error();
  }
}
