//===- Program.h - Compiled code and what it expects ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_PROGRAM_H
#define ENSC_RUNTIME_PROGRAM_H

#include "ensc/Runtime/ABI.h"
#include "ensc/Runtime/Manifest.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ensc {

/// The code of an instance: an `ensc_entry`, or something that behaves like
/// one.
using Kernel =
    std::function<int64_t(const ensc_group *, int64_t begin, int64_t end)>;

/// The code of an entry; an instance that was not compiled is empty.
struct EntryKernels {
  Kernel solo, lanes;
};

/// A manifest with the code it describes, however that came into memory. Copies
/// share the code. Calling from several threads is safe.
class Program {
public:
  /// `kernels` are those of the manifest's entries, in order; `owner` keeps the
  /// code alive.
  Program(Manifest manifest, std::vector<EntryKernels> kernels,
          std::shared_ptr<void> owner)
      : manifest_(std::move(manifest)), kernels_(std::move(kernels)),
        owner_(std::move(owner)) {}

  /// Looks up the symbols of a manifest by `lookup`, which returns null for a
  /// symbol that does not exist.
  static Expected<Program>
  link(Manifest manifest, std::shared_ptr<void> owner,
       const std::function<void *(const std::string &)> &lookup);

  /// Loads a shared library that ensc compiled. Fails on a file that is not one
  /// or was compiled for another ABI version.
  static Expected<Program> open(const std::string &path);

  const Manifest &manifest() const { return manifest_; }

  /// The kernels of an entry of the manifest.
  const EntryKernels &kernelsOf(const ManifestEntry &entry) const {
    return kernels_[&entry - manifest_.entries.data()];
  }

private:
  Manifest manifest_;
  std::vector<EntryKernels> kernels_;
  std::shared_ptr<void> owner_;
};

} // namespace ensc

#endif // ENSC_RUNTIME_PROGRAM_H
