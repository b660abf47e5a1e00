//===- NamedTensor.h - Arrays with their keys -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_NAMEDTENSOR_H
#define ENSC_ARTIFACT_NAMEDTENSOR_H

#include "ensc/API/Tensor.h"

#include <string>

namespace ensc {

/// An array under the key that it has in a file.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};

} // namespace ensc

#endif // ENSC_ARTIFACT_NAMEDTENSOR_H
