//===- Program.cpp - Compiled code and what it expects --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Program.h"

#include "ElfFile.h"

#include <dlfcn.h>

using namespace ensc;

Expected<Program>
Program::link(Manifest manifest, std::shared_ptr<void> owner,
              const std::function<void *(const std::string &)> &lookup) {
  std::vector<EntryKernels> kernels;
  std::string missing;
  auto find = [&](const std::optional<ManifestInstance> &instance) -> Kernel {
    if (!instance)
      return {};
    void *address = lookup(instance->symbol);
    if (!address) {
      missing = instance->symbol;
      return {};
    }
    return reinterpret_cast<ensc_entry>(address);
  };
  for (const ManifestEntry &entry : manifest.entries)
    kernels.push_back({find(entry.solo), find(entry.lanes)});
  if (!missing.empty())
    return Error(ErrorKind::InvalidData,
                 "the manifest names the symbol '" + missing +
                     "', which the compiled code lacks");
  return Program(std::move(manifest), std::move(kernels), std::move(owner));
}

Expected<Program> Program::open(const std::string &path) {
  // A name without a slash would be searched for in the system's directories.
  std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  if (Status status = checkElfFile(file); !status)
    return status.error();
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return Error(ErrorKind::Io, std::string("cannot load ") + dlerror());
  std::shared_ptr<void> owner(handle, dlclose);
  const auto *text = static_cast<const char *>(dlsym(handle, "ensc_manifest"));
  if (!text)
    return Error(ErrorKind::InvalidData,
                 path + " is not a library that ensc compiled: it has no "
                        "ensc_manifest");
  Expected<Manifest> manifest = Manifest::fromJson(text);
  if (!manifest)
    return manifest.error().inContext(path);
  return link(std::move(*manifest), owner, [&](const std::string &symbol) {
    return dlsym(handle, symbol.c_str());
  });
}
