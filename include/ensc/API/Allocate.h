//===- Allocate.h - Memory whose size users choose --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_API_ALLOCATE_H
#define ENSC_API_ALLOCATE_H

#include "ensc/API/Tensor.h"

namespace ensc {

/// Uninitialized memory, aligned to 64 bytes; a few bytes even for none. From
/// 2 MiB on in huge pages where the system grants them. Fails where memory is
/// short: "cannot allocate 80 bytes for " and `what`.
Expected<std::shared_ptr<void>> allocateAligned(size_t bytes,
                                                const std::string &what);

/// What Tensor::zeros gives. That ends the process where memory is short, as
/// any small allocation does; this fails as above.
Expected<Tensor> allocateTensor(DType dtype, Shape shape,
                                const std::string &what);

} // namespace ensc

#endif // ENSC_API_ALLOCATE_H
