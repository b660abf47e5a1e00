//===- ArrayBytes.cpp - Sizes of untrusted shapes -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayBytes.h"

using namespace ensc;

Expected<uint64_t> ensc::checkedByteCount(DType dtype, const Shape &shape) {
  int64_t bytes = static_cast<int64_t>(sizeOf(dtype));
  bool empty = false;
  for (int64_t extent : shape) {
    empty |= extent == 0;
    if (extent != 0 && __builtin_mul_overflow(bytes, extent, &bytes))
      return Error(ErrorKind::InvalidData,
                   "the shape " + typeString(dtype, shape) +
                       " has more bytes than 64 bits can count");
  }
  return static_cast<uint64_t>(empty ? 0 : bytes);
}

Status ensc::checkBooleans(const Tensor &tensor) {
  const unsigned char *bytes =
      static_cast<const unsigned char *>(tensor.bytes());
  for (int64_t i = 0, count = tensor.size(); i < count; ++i)
    if (bytes[i] > 1)
      return Error(ErrorKind::InvalidData,
                   "element " + std::to_string(i) + " is the byte " +
                       std::to_string(bytes[i]) + "; a bool is 0 or 1");
  return Status::success();
}
