//===- Npy.h - NumPy's file format for one array ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Versions 1, 2 and 3 are read, version 1 is written: its header holds any
// shape of up to 64 dimensions. Element types are those of the language,
// little-endian: <f4, <f8, |b1, <i4, <i8 and <u4. Arrays in Fortran order are
// transposed while reading.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_NPY_H
#define ENSC_ARTIFACT_NPY_H

#include "ensc/API/Tensor.h"
#include "ensc/Artifact/ByteSource.h"

#include <optional>
#include <string>

namespace ensc {

/// What the header says of an array.
struct NpyInfo {
  DType dtype = DType::F32;
  Shape shape;
  bool fortranOrder = false;
};

/// Reads the header, after which the elements are what is left of `source`.
/// Fails where readNpy would without looking at an element. Errors name no
/// file.
Expected<NpyInfo> readNpyInfo(ByteSource &source);

/// Reads the array in the file `path`.
Expected<Tensor> readNpy(const std::string &path);

/// Maps the array in the file `path` into memory, so that it may be larger than
/// the memory there is; see InputFile::map for what that asks of the file.
/// Nothing if its elements cannot be used where they lie: those in Fortran
/// order, and those that do not begin at a multiple of 64 bytes, as NumPy since
/// 1.14 has it.
Expected<std::optional<Tensor>> mapNpy(const std::string &path);

/// Reads the array that fills all of `source`. Never allocates more than the
/// source has left. Errors name no file.
Expected<Tensor> readNpy(ByteSource &source);

/// Writes `tensor` to the file `path`, whole or not at all.
Status writeNpy(const std::string &path, const Tensor &tensor);

/// What stands in front of the elements of such a file.
std::string npyHeader(DType dtype, const Shape &shape);

} // namespace ensc

#endif // ENSC_ARTIFACT_NPY_H
