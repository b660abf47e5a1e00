//===- ZipWriter.cpp - Writing zip archives -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LittleEndian.h"
#include "Zip.h"
#include "ZipFormat.h"

#include <algorithm>
#include <limits>
#include <zlib.h>

using namespace ensc;

namespace {
/// 1 January 1980, the zero of the format's clock.
constexpr uint16_t zeroDate = 0x21;
constexpr uint16_t version20 = 20;
constexpr uint16_t version45 = 45;

bool needs64(uint64_t value) { return value >= zip::elsewhere32; }

uint32_t field32(uint64_t value) {
  return needs64(value) ? zip::elsewhere32 : static_cast<uint32_t>(value);
}

/// The extra field with those of the values that do not fit into 32 bits.
std::string extraField(std::initializer_list<uint64_t> values) {
  std::string payload;
  for (uint64_t value : values)
    if (needs64(value))
      appendLittleEndian<uint64_t>(payload, value);
  if (payload.empty())
    return payload;
  std::string field;
  appendLittleEndian<uint16_t>(field, zip::extra64);
  appendLittleEndian<uint16_t>(field, static_cast<uint16_t>(payload.size()));
  return field + payload;
}

/// The fields that local headers and directory records have in common.
void appendCommonFields(std::string &to, const ZipEntry &entry,
                        uint16_t version, size_t extraSize) {
  appendLittleEndian<uint16_t>(to, version);
  // Names are UTF-8.
  appendLittleEndian<uint16_t>(to, 1 << 11);
  appendLittleEndian<uint16_t>(to,
                               entry.deflated ? zip::deflated : zip::stored);
  appendLittleEndian<uint16_t>(to, 0);
  appendLittleEndian<uint16_t>(to, zeroDate);
  appendLittleEndian<uint32_t>(to, entry.crc);
  appendLittleEndian<uint32_t>(to, field32(entry.compressedSize));
  appendLittleEndian<uint32_t>(to, field32(entry.size));
  appendLittleEndian<uint16_t>(to, static_cast<uint16_t>(entry.name.size()));
  appendLittleEndian<uint16_t>(to, static_cast<uint16_t>(extraSize));
}

std::string localHeader(const ZipEntry &entry) {
  // A local header carries both sizes in 64 bits or none.
  std::string extra;
  ZipEntry marked = entry;
  if (needs64(entry.size) || needs64(entry.compressedSize)) {
    appendLittleEndian<uint16_t>(extra, zip::extra64);
    appendLittleEndian<uint16_t>(extra, 16);
    appendLittleEndian<uint64_t>(extra, entry.size);
    appendLittleEndian<uint64_t>(extra, entry.compressedSize);
    marked.size = marked.compressedSize = zip::elsewhere32;
  }
  std::string header;
  appendLittleEndian<uint32_t>(header, zip::localSignature);
  appendCommonFields(header, marked, extra.empty() ? version20 : version45,
                     extra.size());
  return header + entry.name + extra;
}

std::string directoryRecord(const ZipEntry &entry) {
  std::string extra =
      extraField({entry.size, entry.compressedSize, entry.headerOffset});
  uint16_t version = extra.empty() ? version20 : version45;
  std::string record;
  appendLittleEndian<uint32_t>(record, zip::centralSignature);
  appendLittleEndian<uint16_t>(record, version);
  appendCommonFields(record, entry, version, extra.size());
  // No comment, disk 0, no attributes.
  record.append(2 + 2 + 2 + 4, '\0');
  appendLittleEndian<uint32_t>(record, field32(entry.headerOffset));
  return record + entry.name + extra;
}

std::string end64Record(uint64_t entries, uint64_t size, uint64_t offset) {
  std::string record;
  appendLittleEndian<uint32_t>(record, zip::end64Signature);
  appendLittleEndian<uint64_t>(record, zip::end64Bytes - 12);
  appendLittleEndian<uint16_t>(record, version45);
  appendLittleEndian<uint16_t>(record, version45);
  record.append(4 + 4, '\0');
  appendLittleEndian<uint64_t>(record, entries);
  appendLittleEndian<uint64_t>(record, entries);
  appendLittleEndian<uint64_t>(record, size);
  appendLittleEndian<uint64_t>(record, offset);
  appendLittleEndian<uint32_t>(record, zip::locatorSignature);
  appendLittleEndian<uint32_t>(record, 0);
  appendLittleEndian<uint64_t>(record, offset + size);
  appendLittleEndian<uint32_t>(record, 1);
  return record;
}

/// Deflates the pieces as one stream. Fails only for want of memory.
Expected<std::string>
deflatePieces(const std::vector<std::string_view> &pieces) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return Error(ErrorKind::Io, "out of memory: zlib cannot start");
  std::string result;
  std::vector<char> buffer(1 << 16);
  auto pump = [&](std::string_view piece, int flush) {
    stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<char *>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    do {
      stream.next_out = reinterpret_cast<Bytef *>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      ::deflate(&stream, flush);
      result.append(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  };
  // zlib counts its input in 32 bits.
  constexpr size_t maxChunk = size_t(1) << 30;
  for (std::string_view piece : pieces)
    for (size_t start = 0; start < piece.size(); start += maxChunk)
      pump(piece.substr(start, maxChunk), Z_NO_FLUSH);
  pump({}, Z_FINISH);
  deflateEnd(&stream);
  return result;
}
} // namespace

Status ZipWriter::write(std::string_view bytes) {
  if (Status status = file_.write(bytes); !status)
    return status;
  offset_ += bytes.size();
  return Status::success();
}

Status ZipWriter::add(const std::string &name,
                      const std::vector<std::string_view> &pieces,
                      bool deflate) {
  if (name.size() > std::numeric_limits<uint16_t>::max())
    return Error(ErrorKind::InvalidArgument,
                 "a name in a zip archive has at most 65535 bytes, not " +
                     std::to_string(name.size()));
  ZipEntry entry;
  entry.name = name;
  entry.deflated = deflate;
  entry.headerOffset = offset_;
  uLong crc = 0;
  for (std::string_view piece : pieces) {
    crc = crc32_z(crc, reinterpret_cast<const Bytef *>(piece.data()),
                  piece.size());
    entry.size += piece.size();
  }
  entry.crc = static_cast<uint32_t>(crc);
  std::vector<std::string_view> content = pieces;
  std::string compressed;
  if (deflate) {
    Expected<std::string> result = deflatePieces(pieces);
    if (!result)
      return result.error();
    compressed = std::move(*result);
    content = {compressed};
  }
  for (std::string_view piece : content)
    entry.compressedSize += piece.size();
  if (Status status = write(localHeader(entry)); !status)
    return status;
  for (std::string_view piece : content)
    if (Status status = write(piece); !status)
      return status;
  entries_.push_back(std::move(entry));
  return Status::success();
}

Status ZipWriter::finish() {
  uint64_t start = offset_;
  for (const ZipEntry &entry : entries_)
    if (Status status = write(directoryRecord(entry)); !status)
      return status;
  uint64_t size = offset_ - start, count = entries_.size();
  bool wide = needs64(start) || needs64(size) || count >= zip::elsewhere16;
  if (wide)
    if (Status status = write(end64Record(count, size, start)); !status)
      return status;
  uint16_t shortCount =
      static_cast<uint16_t>(std::min<uint64_t>(count, zip::elsewhere16));
  std::string record;
  appendLittleEndian<uint32_t>(record, zip::endSignature);
  appendLittleEndian<uint32_t>(record, 0);
  appendLittleEndian<uint16_t>(record, shortCount);
  appendLittleEndian<uint16_t>(record, shortCount);
  appendLittleEndian<uint32_t>(record, field32(size));
  appendLittleEndian<uint32_t>(record, field32(start));
  appendLittleEndian<uint16_t>(record, 0);
  return write(record);
}
