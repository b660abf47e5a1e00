//===- BuildId.cpp - The identity of code in this process -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Cache/BuildId.h"

#include <cstdint>
#include <cstring>
#include <link.h>

using namespace ensc;

namespace {
/// What is looked for in the objects of the process, and what was found.
struct Search {
  uintptr_t address;
  std::optional<std::string> buildId;
};

bool holds(const dl_phdr_info &object, uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object.dlpi_phdr[i];
    uintptr_t start = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= start &&
        address - start < segment.p_memsz)
      return true;
  }
  return false;
}

std::string asHex(const char *bytes, size_t size) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    auto byte = static_cast<unsigned char>(bytes[i]);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

size_t alignTo(size_t size, size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

/// Looks through a segment of notes, which the linker wrote: it is well formed.
std::optional<std::string> findBuildId(const char *notes, size_t size,
                                       size_t alignment) {
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof(note));
    size_t name = at + sizeof(note);
    size_t content = name + alignTo(note.n_namesz, alignment);
    if (content + note.n_descsz > size)
      return std::nullopt;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
        std::memcmp(notes + name, "GNU", sizeof("GNU")) == 0)
      return asHex(notes + content, note.n_descsz);
    at = content + alignTo(note.n_descsz, alignment);
  }
  return std::nullopt;
}

int visit(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  if (!holds(*object, search.address))
    return 0;
  for (int i = 0; i < object->dlpi_phnum && !search.buildId; ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    auto notes =
        reinterpret_cast<const char *>(object->dlpi_addr + segment.p_vaddr);
    search.buildId =
        findBuildId(notes, segment.p_memsz, segment.p_align == 8 ? 8 : 4);
  }
  return 1;
}
} // namespace

std::optional<std::string> ensc::buildIdOf(const void *address) {
  Search search{reinterpret_cast<uintptr_t>(address), std::nullopt};
  ::dl_iterate_phdr(visit, &search);
  return search.buildId;
}
