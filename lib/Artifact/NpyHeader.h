//===- NpyHeader.h - The header of a npy file -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_ARTIFACT_NPYHEADER_H
#define ENSC_LIB_ARTIFACT_NPYHEADER_H

#include "ensc/API/Tensor.h"

#include <string>
#include <string_view>

namespace ensc {

/// What a npy header says of the elements that follow it.
struct NpyHeader {
  std::string descr;
  bool fortranOrder = false;
  Shape shape;
};

/// Parses the dictionary of a npy header, a Python literal. Keys may come in
/// any order; each of the three must be there once, and no other.
Expected<NpyHeader> parseNpyHeader(std::string_view text);

} // namespace ensc

#endif // ENSC_LIB_ARTIFACT_NPYHEADER_H
