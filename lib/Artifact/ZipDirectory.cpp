//===- ZipDirectory.cpp - What a zip archive holds ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LittleEndian.h"
#include "Zip.h"
#include "ZipFormat.h"

#include <algorithm>
#include <set>

using namespace ensc;

namespace {
using Bytes = std::vector<unsigned char>;

/// Deflate cannot shrink its input further than this.
constexpr uint64_t maxDeflateRatio = 1032;

/// Where the directory of an archive lies.
struct DirectoryRange {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t entries = 0;
};

Error malformed(const std::string &what) {
  return Error(ErrorKind::InvalidData, "malformed zip archive: " + what);
}

Expected<Bytes> readBytes(const InputFile &file, uint64_t offset,
                          uint64_t size) {
  if (offset > file.size() || size > file.size() - offset)
    return malformed("truncated, or an offset points behind its end");
  Bytes bytes(size);
  if (Status status = file.readAt(offset, bytes.data(), size); !status)
    return status.error();
  return bytes;
}

/// The directory's range from the 64-bit record in front of `endOffset`.
Expected<DirectoryRange> findDirectory64(const InputFile &file,
                                         uint64_t endOffset) {
  if (endOffset < zip::locatorBytes)
    return malformed("the 64-bit directory record is missing");
  Expected<Bytes> locator =
      readBytes(file, endOffset - zip::locatorBytes, zip::locatorBytes);
  if (!locator)
    return locator.error();
  const unsigned char *bytes = locator->data();
  if (loadLittleEndian<uint32_t>(bytes) != zip::locatorSignature)
    return malformed("the 64-bit directory record is missing");
  uint64_t recordOffset = loadLittleEndian<uint64_t>(bytes + 8);
  Expected<Bytes> record = readBytes(file, recordOffset, zip::end64Bytes);
  if (!record)
    return record.error();
  bytes = record->data();
  if (loadLittleEndian<uint32_t>(bytes) != zip::end64Signature)
    return malformed("the 64-bit directory record is missing");
  DirectoryRange range;
  range.entries = loadLittleEndian<uint64_t>(bytes + 32);
  range.size = loadLittleEndian<uint64_t>(bytes + 40);
  range.offset = loadLittleEndian<uint64_t>(bytes + 48);
  if (range.offset > recordOffset || range.size > recordOffset - range.offset)
    return malformed("its directory reaches behind its end record");
  return range;
}

/// Finds the end record, which a comment of any text may follow.
Expected<uint64_t> findEnd(const InputFile &file) {
  uint64_t size = file.size();
  if (size < zip::endBytes)
    return Error(ErrorKind::InvalidData, "not a zip archive: it has only " +
                                             std::to_string(size) + " bytes");
  uint64_t window =
      std::min<uint64_t>(size, zip::endBytes + zip::maxCommentBytes);
  Expected<Bytes> tail = readBytes(file, size - window, window);
  if (!tail)
    return tail.error();
  for (uint64_t start = window - zip::endBytes + 1; start-- > 0;) {
    const unsigned char *bytes = tail->data() + start;
    if (loadLittleEndian<uint32_t>(bytes) != zip::endSignature)
      continue;
    uint64_t comment = loadLittleEndian<uint16_t>(bytes + 20);
    if (start + zip::endBytes + comment == window)
      return size - window + start;
  }
  return Error(ErrorKind::InvalidData,
               "not a zip archive, or a truncated one: no end record");
}

Expected<DirectoryRange> findDirectory(const InputFile &file) {
  Expected<uint64_t> end = findEnd(file);
  if (!end)
    return end.error();
  Expected<Bytes> record = readBytes(file, *end, zip::endBytes);
  if (!record)
    return record.error();
  const unsigned char *bytes = record->data();
  uint16_t entries = loadLittleEndian<uint16_t>(bytes + 10);
  uint32_t size = loadLittleEndian<uint32_t>(bytes + 12);
  uint32_t offset = loadLittleEndian<uint32_t>(bytes + 16);
  if (entries == zip::elsewhere16 || size == zip::elsewhere32 ||
      offset == zip::elsewhere32)
    return findDirectory64(file, *end);
  if (loadLittleEndian<uint16_t>(bytes + 4) != 0 ||
      loadLittleEndian<uint16_t>(bytes + 8) != entries)
    return Error(ErrorKind::Unsupported,
                 "zip archives over several disks are not supported");
  if (offset > *end || size > *end - offset)
    return malformed("its directory reaches behind its end record");
  return DirectoryRange{offset, size, entries};
}

/// Replaces the fields of `entry` that are marked as being elsewhere.
Status applyExtra64(const unsigned char *extra, size_t size, ZipEntry &entry) {
  std::vector<uint64_t *> wanted;
  for (uint64_t *field :
       {&entry.size, &entry.compressedSize, &entry.headerOffset})
    if (*field == zip::elsewhere32)
      wanted.push_back(field);
  while (!wanted.empty() && size >= 4) {
    size_t id = loadLittleEndian<uint16_t>(extra);
    size_t length = loadLittleEndian<uint16_t>(extra + 2);
    if (length > size - 4)
      break;
    if (id == zip::extra64) {
      if (length < 8 * wanted.size())
        break;
      for (size_t i = 0; i < wanted.size(); ++i)
        *wanted[i] = loadLittleEndian<uint64_t>(extra + 4 + 8 * i);
      wanted.clear();
    }
    extra += 4 + length;
    size -= 4 + length;
  }
  if (!wanted.empty())
    return malformed("a 64-bit size of '" + entry.name + "' is missing");
  return Status::success();
}

Status checkSizes(const ZipEntry &entry) {
  if (!entry.deflated && entry.size != entry.compressedSize)
    return malformed("'" + entry.name + "' is stored, but has two sizes");
  if (!entry.deflated)
    return Status::success();
  if (entry.size / maxDeflateRatio > entry.compressedSize)
    return malformed("'" + entry.name + "' claims " +
                     std::to_string(entry.size) + " bytes, more than " +
                     std::to_string(entry.compressedSize) +
                     " deflated bytes can hold");
  if (entry.size > maxInflatedBytes)
    return Error(ErrorKind::Unsupported,
                 "'" + entry.name + "' has " + std::to_string(entry.size) +
                     " bytes; at most " + std::to_string(maxInflatedBytes) +
                     " are read from a deflated entry, so store it without "
                     "compression");
  return Status::success();
}

/// Parses the directory record at `bytes` and moves behind it.
Expected<ZipEntry> parseEntry(const unsigned char *&bytes, size_t &left) {
  if (left < zip::centralBytes ||
      loadLittleEndian<uint32_t>(bytes) != zip::centralSignature)
    return malformed("its directory is damaged");
  uint16_t flags = loadLittleEndian<uint16_t>(bytes + 8);
  uint16_t method = loadLittleEndian<uint16_t>(bytes + 10);
  size_t nameSize = loadLittleEndian<uint16_t>(bytes + 28);
  size_t extraSize = loadLittleEndian<uint16_t>(bytes + 30);
  size_t commentSize = loadLittleEndian<uint16_t>(bytes + 32);
  size_t total = zip::centralBytes + nameSize + extraSize + commentSize;
  if (total > left)
    return malformed("its directory is damaged");
  ZipEntry entry;
  const unsigned char *name = bytes + zip::centralBytes;
  entry.name.assign(name, name + nameSize);
  entry.deflated = method == zip::deflated;
  entry.crc = loadLittleEndian<uint32_t>(bytes + 16);
  entry.compressedSize = loadLittleEndian<uint32_t>(bytes + 20);
  entry.size = loadLittleEndian<uint32_t>(bytes + 24);
  entry.headerOffset = loadLittleEndian<uint32_t>(bytes + 42);
  if (flags & zip::encryptedFlag)
    return Error(ErrorKind::Unsupported,
                 "'" + entry.name + "' is encrypted, which is not supported");
  if (method != zip::stored && method != zip::deflated)
    return Error(ErrorKind::Unsupported,
                 "'" + entry.name + "' uses zip method " +
                     std::to_string(method) +
                     "; only stored (0) and deflated (8) are supported");
  if (Status status = applyExtra64(name + nameSize, extraSize, entry); !status)
    return status.error();
  if (Status status = checkSizes(entry); !status)
    return status.error();
  bytes += total;
  left -= total;
  return entry;
}

/// Finds where the entry's data start: its local header has a length of its
/// own, and must agree on the name and the method.
Status locateData(const InputFile &file, uint64_t directoryOffset,
                  ZipEntry &entry) {
  Expected<Bytes> header = readBytes(file, entry.headerOffset, zip::localBytes);
  if (!header)
    return header.error();
  const unsigned char *bytes = header->data();
  uint64_t nameSize = loadLittleEndian<uint16_t>(bytes + 26);
  uint64_t extraSize = loadLittleEndian<uint16_t>(bytes + 28);
  Expected<Bytes> name =
      readBytes(file, entry.headerOffset + zip::localBytes, nameSize);
  if (!name)
    return name.error();
  uint16_t method = entry.deflated ? zip::deflated : zip::stored;
  if (loadLittleEndian<uint32_t>(bytes) != zip::localSignature ||
      loadLittleEndian<uint16_t>(bytes + 8) != method ||
      std::string(name->begin(), name->end()) != entry.name)
    return malformed("'" + entry.name + "' is not where its directory says");
  entry.dataOffset =
      entry.headerOffset + zip::localBytes + nameSize + extraSize;
  if (entry.dataOffset > directoryOffset ||
      entry.compressedSize > directoryOffset - entry.dataOffset)
    return malformed("'" + entry.name + "' reaches into the directory");
  return Status::success();
}

/// Entries that share bytes let a small file claim any amount of content.
Status checkDisjoint(const std::vector<ZipEntry> &entries) {
  std::vector<const ZipEntry *> sorted;
  std::set<std::string> names;
  for (const ZipEntry &entry : entries) {
    sorted.push_back(&entry);
    if (!names.insert(entry.name).second)
      return malformed("'" + entry.name + "' occurs twice");
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const ZipEntry *lhs, const ZipEntry *rhs) {
              return lhs->headerOffset < rhs->headerOffset;
            });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i - 1]->dataOffset + sorted[i - 1]->compressedSize >
        sorted[i]->headerOffset)
      return malformed("'" + sorted[i - 1]->name + "' and '" + sorted[i]->name +
                       "' overlap");
  return Status::success();
}
} // namespace

Expected<std::vector<ZipEntry>> ensc::readZipDirectory(const InputFile &file) {
  Expected<DirectoryRange> range = findDirectory(file);
  if (!range)
    return range.error();
  Expected<Bytes> directory = readBytes(file, range->offset, range->size);
  if (!directory)
    return directory.error();
  const unsigned char *bytes = directory->data();
  size_t left = directory->size();
  std::vector<ZipEntry> entries;
  for (uint64_t i = 0; i < range->entries; ++i) {
    Expected<ZipEntry> entry = parseEntry(bytes, left);
    if (!entry)
      return entry.error();
    if (Status status = locateData(file, range->offset, *entry); !status)
      return status.error();
    entries.push_back(std::move(*entry));
  }
  if (left != 0)
    return malformed("its directory has " + std::to_string(left) +
                     " bytes too many");
  if (Status status = checkDisjoint(entries); !status)
    return status.error();
  return entries;
}
