//===- Safetensors.h - The safetensors format -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A JSON header and the bytes of all tensors, one after the other. Element
// types: F32, F64, BOOL, I32, I64 and U32.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_SAFETENSORS_H
#define ENSC_ARTIFACT_SAFETENSORS_H

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/NamedTensor.h"

#include <string>
#include <utility>
#include <vector>

namespace ensc {

/// The content of a safetensors file.
struct Safetensors {
  /// In the order of their bytes.
  std::vector<NamedTensor> tensors;
  /// Free text by key, in the order of the file.
  std::vector<std::pair<std::string, std::string>> metadata;

  /// The tensor called `name`, or null. Valid as long as `tensors` is.
  const Tensor *find(const std::string &name) const;
};

/// Writes `content` to the file `path`, whole or not at all. Equal content in
/// equal order gives equal bytes. Names and metadata keys must be unique, and
/// no tensor may be called "__metadata__".
Status writeSafetensors(const std::string &path, const Safetensors &content,
                        Durability durability = Durability::OnCommit);

/// Reads the file `path`. Fails unless the tensors fill the file without a gap
/// and without an overlap, and each has the bytes that its shape asks for.
Expected<Safetensors> readSafetensors(const std::string &path);

/// Fails where the file `path` is not whole. Reads its header only.
Status checkSafetensors(const std::string &path);

} // namespace ensc

#endif // ENSC_ARTIFACT_SAFETENSORS_H
