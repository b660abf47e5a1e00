//===- Convert.h - Arrays in another element type ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DATA_CONVERT_H
#define ENSC_DATA_CONVERT_H

#include "ensc/API/Tensor.h"

namespace ensc {

/// `tensor` with elements of `dtype`; itself if it has them already. Each
/// element keeps its value; with `mayRound` numbers become the nearest float,
/// ties to even, as long as they are in its range. NaNs stay NaNs. The error
/// names the first element that cannot be converted.
Expected<Tensor> convertTensor(const Tensor &tensor, DType dtype,
                               bool mayRound);

} // namespace ensc

#endif // ENSC_DATA_CONVERT_H
