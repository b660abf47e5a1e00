//===- EmitCHeader.cpp - A C header for a compiled program ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Emit/Emit.h"

#include "ensc/Runtime/ABI.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ensc;

/// Text as it may stand in a comment, of which it neither ends nor begins one.
static std::string inComment(llvm::StringRef text) {
  std::string safe;
  for (char c : text) {
    bool isEnd = !safe.empty() && ((safe.back() == '*' && c == '/') ||
                                   (safe.back() == '/' && c == '*'));
    if (isEnd)
      safe += ' ';
    safe += llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80 ? c : ' ';
  }
  return safe;
}

static void describe(llvm::raw_ostream &os, const char *kind,
                     const std::vector<ManifestValue> &values) {
  for (const ManifestValue &value : values) {
    os << " *   " << kind << " "
       << (value.name.empty() ? "-" : inComment(value.name)) << ": "
       << typeString(value.dtype, value.shape)
       << (value.perRun ? ", per run" : ", shared");
    if (value.classes > 0)
      os << ", in [0, " << value.classes << ")";
    if (value.defaultValue)
      os << ", usually " << *value.defaultValue;
    os << "\n";
  }
}

static void declare(llvm::raw_ostream &os, const ManifestEntry &entry,
                    const ManifestInstance &instance) {
  os << "\n/* " << inComment(entry.name) << " for " << instance.lanes
     << (instance.lanes == 1 ? " run" : " runs") << " at once; arena of "
     << instance.arenaBytes << " bytes.\n";
  describe(os, "argument", entry.arguments);
  describe(os, "result", entry.results);
  os << " */\n#define " << instance.symbol << "_lanes " << instance.lanes
     << "\n#define " << instance.symbol << "_arena_bytes "
     << instance.arenaBytes << "\nint64_t " << instance.symbol
     << "(const ensc_group *group, int64_t begin, int64_t end);\n";
}

std::string ensc::emitCHeader(const Manifest &manifest, llvm::StringRef guard) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* Made by ensc for " << inComment(manifest.cpu) << ". */\n\n#ifndef "
     << guard << "\n#define " << guard << "\n\n"
     << R"(#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The manifest of the program, JSON text that ends with a 0. */
extern const char ensc_manifest[];

#ifndef ENSC_RUNTIME_ABI_H
#define ENSC_RUNTIME_ABI_H
)"
     << "#define ENSC_ABI_VERSION " << ENSC_ABI_VERSION << R"(

/* What one call works on: a group of runs. `arguments` holds, for each argument
 * in order, one pointer if all runs share it, else one per run of the group;
 * `results` holds one pointer per run for each result. Elements are row-major;
 * a result may be the memory of an argument. The arena is scratch memory,
 * aligned to 64 bytes. Calls neither allocate nor fail. */
typedef struct ensc_group {
  uint32_t abi_version; /* ENSC_ABI_VERSION */
  uint32_t lanes;       /* runs in the group, as compiled */
  const void *const *arguments;
  void *const *results;
  const int64_t *run_ids;
  void *arena;
} ensc_group;
#endif
)";
  for (const ManifestEntry &entry : manifest.entries) {
    if (entry.solo)
      declare(os, entry, *entry.solo);
    if (entry.lanes)
      declare(os, entry, *entry.lanes);
  }
  os << R"(
#ifdef __cplusplus
}
#endif

#endif
)";
  return text;
}
