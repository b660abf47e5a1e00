//===- SafetensorsFormat.h - Names of the safetensors format ----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_ARTIFACT_SAFETENSORSFORMAT_H
#define ENSC_LIB_ARTIFACT_SAFETENSORSFORMAT_H

#include "ensc/API/Tensor.h"

#include <optional>

namespace ensc::safetensors {

constexpr char metadataKey[] = "__metadata__";

struct TypeName {
  DType dtype;
  const char *name;
};
constexpr TypeName typeNames[] = {
    {DType::F32, "F32"}, {DType::F64, "F64"}, {DType::I1, "BOOL"},
    {DType::I32, "I32"}, {DType::I64, "I64"}, {DType::UI32, "U32"},
};

inline const char *nameOf(DType dtype) {
  return typeNames[static_cast<size_t>(dtype)].name;
}

inline std::optional<DType> parseName(const std::string &name) {
  for (const TypeName &type : typeNames)
    if (name == type.name)
      return type.dtype;
  return std::nullopt;
}

} // namespace ensc::safetensors

#endif // ENSC_LIB_ARTIFACT_SAFETENSORSFORMAT_H
