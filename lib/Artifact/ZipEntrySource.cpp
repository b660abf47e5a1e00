//===- ZipEntrySource.cpp - The content of zip entries --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Zip.h"

#include <algorithm>
#include <limits>
#include <zlib.h>

using namespace ensc;

namespace {
/// An entry without compression.
class StoredEntry : public ByteSource {
public:
  StoredEntry(std::shared_ptr<InputFile> file, const ZipEntry &entry)
      : range_(std::move(file), entry.dataOffset, entry.compressedSize),
        expectedCrc_(entry.crc) {}

  uint64_t remaining() const override { return range_.remaining(); }

  Status read(void *to, uint64_t size) override {
    if (Status status = range_.read(to, size); !status)
      return status;
    crc_ = crc32_z(crc_, static_cast<const Bytef *>(to), size);
    return Status::success();
  }

  Status finish() override {
    if (crc_ != expectedCrc_)
      return Error(ErrorKind::InvalidData,
                   "checksum mismatch: the file is damaged");
    return Status::success();
  }

private:
  FileRange range_;
  uLong crc_ = 0;
  uLong expectedCrc_;
};

/// An entry that is inflated piece by piece.
class DeflatedEntry : public ByteSource {
public:
  DeflatedEntry(std::shared_ptr<InputFile> file, const ZipEntry &entry)
      : range_(std::move(file), entry.dataOffset, entry.compressedSize),
        remaining_(entry.size), expectedCrc_(entry.crc),
        ready_(inflateInit2(&stream_, -MAX_WBITS) == Z_OK) {}
  ~DeflatedEntry() override { inflateEnd(&stream_); }

  uint64_t remaining() const override { return remaining_; }
  Status read(void *to, uint64_t size) override;
  Status finish() override;

private:
  Status inflateInto(Bytef *to, uint64_t size, uint64_t &produced);

  static Error damaged() {
    return Error(ErrorKind::InvalidData,
                 "the compressed data are damaged or of another size than "
                 "declared");
  }

  FileRange range_;
  uint64_t remaining_;
  uLong crc_ = 0;
  uLong expectedCrc_;
  z_stream stream_ = {};
  bool ready_;
  bool ended_ = false;
  Bytef input_[1 << 16];
};

/// Inflates up to `size` bytes; fewer only where the stream ends.
Status DeflatedEntry::inflateInto(Bytef *to, uint64_t size,
                                  uint64_t &produced) {
  if (!ready_)
    return Error(ErrorKind::Io, "out of memory: zlib cannot start");
  produced = 0;
  while (produced < size && !ended_) {
    if (stream_.avail_in == 0 && range_.remaining() > 0) {
      uint64_t chunk = std::min<uint64_t>(range_.remaining(), sizeof(input_));
      if (Status status = range_.read(input_, chunk); !status)
        return status;
      stream_.next_in = input_;
      stream_.avail_in = static_cast<uInt>(chunk);
    }
    uInt room = static_cast<uInt>(
        std::min<uint64_t>(size - produced, std::numeric_limits<uInt>::max()));
    stream_.next_out = to + produced;
    stream_.avail_out = room;
    int code = ::inflate(&stream_, Z_NO_FLUSH);
    uInt got = room - stream_.avail_out;
    produced += got;
    ended_ = code == Z_STREAM_END;
    bool starved = code == Z_BUF_ERROR ||
                   (code == Z_OK && got == 0 && stream_.avail_in == 0 &&
                    range_.remaining() == 0);
    if (starved || (code != Z_OK && code != Z_STREAM_END))
      return damaged();
  }
  return Status::success();
}

Status DeflatedEntry::read(void *to, uint64_t size) {
  if (size > remaining_)
    return Error(ErrorKind::InvalidData,
                 "truncated: " + std::to_string(size) + " bytes expected, " +
                     std::to_string(remaining_) + " left");
  uint64_t produced = 0;
  if (Status status = inflateInto(static_cast<Bytef *>(to), size, produced);
      !status)
    return status;
  if (produced != size)
    return damaged();
  crc_ = crc32_z(crc_, static_cast<const Bytef *>(to), size);
  remaining_ -= size;
  return Status::success();
}

Status DeflatedEntry::finish() {
  // The stream's end marker may still be unread; another byte must not be.
  Bytef extra;
  uint64_t produced = 0;
  if (Status status = inflateInto(&extra, 1, produced); !status)
    return status;
  if (produced != 0 || !ended_ || stream_.avail_in != 0 ||
      range_.remaining() != 0)
    return damaged();
  if (crc_ != expectedCrc_)
    return Error(ErrorKind::InvalidData,
                 "checksum mismatch: the file is damaged");
  return Status::success();
}
} // namespace

Expected<std::unique_ptr<ByteSource>>
ensc::openZipEntry(std::shared_ptr<InputFile> file, const ZipEntry &entry) {
  std::unique_ptr<ByteSource> source;
  if (entry.deflated)
    source = std::make_unique<DeflatedEntry>(std::move(file), entry);
  else
    source = std::make_unique<StoredEntry>(std::move(file), entry);
  return source;
}
