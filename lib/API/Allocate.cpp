//===- Allocate.cpp - Memory whose size users choose ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Allocate.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>

using namespace ensc;

Expected<std::shared_ptr<void>> ensc::allocateAligned(size_t bytes,
                                                      const std::string &what) {
  constexpr size_t cacheLine = 64, hugePage = size_t{1} << 21;
  bool isLarge = bytes >= hugePage;
  void *data = nullptr;
  // A null pointer for no bytes at all would look like a failure.
  if (posix_memalign(&data, isLarge ? hugePage : cacheLine,
                     std::max(bytes, cacheLine)))
    return Error(ErrorKind::Io, "cannot allocate " + std::to_string(bytes) +
                                    " bytes for " + what);
  // Kernels walk many streams at once, each in pages of its own. Only advice:
  // without huge pages it is as right.
  if (isLarge)
    madvise(data, bytes, MADV_HUGEPAGE);
  return std::shared_ptr<void>(data, std::free);
}

Expected<Tensor> ensc::allocateTensor(DType dtype, Shape shape,
                                      const std::string &what) {
  size_t bytes = static_cast<size_t>(numElements(shape)) * sizeOf(dtype);
  Expected<std::shared_ptr<void>> memory = allocateAligned(bytes, what);
  if (!memory)
    return memory.error();
  std::memset(memory->get(), 0, bytes);
  return Tensor::view(dtype, std::move(shape), memory->get(), *memory);
}
