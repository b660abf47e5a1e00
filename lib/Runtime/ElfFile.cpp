//===- ElfFile.cpp - Whether a library is whole ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElfFile.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include <elf.h>

using namespace ensc;

namespace {
/// Reads a file piece by piece, never beyond its end.
class BoundedFile {
public:
  explicit BoundedFile(const std::string &path)
      : stream(path, std::ios::binary | std::ios::ate) {
    if (stream)
      size = static_cast<uint64_t>(stream.tellg());
  }

  explicit operator bool() const { return static_cast<bool>(stream); }
  uint64_t bytes() const { return size; }

  bool holds(uint64_t offset, uint64_t length) const {
    return offset <= size && length <= size - offset;
  }

  /// Fills `target` from `offset`.
  bool read(uint64_t offset, void *target, uint64_t length) {
    if (!holds(offset, length))
      return false;
    stream.seekg(static_cast<std::streamoff>(offset));
    stream.read(static_cast<char *>(target),
                static_cast<std::streamsize>(length));
    return static_cast<bool>(stream);
  }

  /// The `count` entries of a table.
  template <typename Entry>
  bool readTable(uint64_t offset, uint64_t count, std::vector<Entry> &table) {
    table.resize(count);
    return read(offset, table.data(), count * sizeof(Entry));
  }

private:
  std::ifstream stream;
  uint64_t size = 0;
};
} // namespace

static bool isSharedLibrary(const Elf64_Ehdr &header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_type == ET_DYN &&
         header.e_phentsize == sizeof(Elf64_Phdr) &&
         (header.e_shnum == 0 || header.e_shentsize == sizeof(Elf64_Shdr));
}

static bool isWhole(BoundedFile &file, const Elf64_Ehdr &header) {
  std::vector<Elf64_Phdr> segments;
  std::vector<Elf64_Shdr> sections;
  if (!file.readTable(header.e_phoff, header.e_phnum, segments) ||
      !file.readTable(header.e_shoff, header.e_shnum, sections))
    return false;
  for (const Elf64_Phdr &segment : segments)
    if (!file.holds(segment.p_offset, segment.p_filesz))
      return false;
  for (const Elf64_Shdr &section : sections)
    if (section.sh_type != SHT_NOBITS &&
        !file.holds(section.sh_offset, section.sh_size))
      return false;
  return true;
}

Status ensc::checkElfFile(const std::string &path) {
  errno = 0;
  BoundedFile file(path);
  if (!file)
    return Error(ErrorKind::Io,
                 "cannot load " + path + ": " + std::strerror(errno));
  Elf64_Ehdr header;
  if (!file.read(0, &header, sizeof(header)) || !isSharedLibrary(header))
    return Error(ErrorKind::InvalidData,
                 "cannot load " + path + ": not a 64-bit ELF shared library");
  if (!isWhole(file, header))
    return Error(ErrorKind::InvalidData,
                 "cannot load " + path + ": truncated or damaged: with " +
                     std::to_string(file.bytes()) +
                     " bytes it ends before what its headers name");
  return Status::success();
}
