//===- Allocate.cpp - Memory whose size users choose ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Allocate.h"

#include <cstdlib>
#include <cstring>

using namespace ensc;

Expected<std::shared_ptr<void>> ensc::allocateAligned(size_t bytes,
                                                      const std::string &what) {
  constexpr size_t alignment = 64;
  // aligned_alloc wants a multiple of the alignment, and a null pointer for no
  // bytes at all would look like a failure.
  size_t rounded = (bytes / alignment + 1) * alignment;
  // Near the greatest number the sum wraps around.
  void *data =
      rounded > bytes ? std::aligned_alloc(alignment, rounded) : nullptr;
  if (!data)
    return Error(ErrorKind::Io, "cannot allocate " + std::to_string(bytes) +
                                    " bytes for " + what);
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
