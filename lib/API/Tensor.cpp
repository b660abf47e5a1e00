//===- Tensor.cpp - Dense arrays in host memory ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Tensor.h"

#include "ensc/API/Allocate.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace ensc;

namespace {
struct DTypeInfo {
  DType dtype;
  const char *name;
  size_t bytes;
};
constexpr DTypeInfo dtypeTable[] = {
    {DType::F32, "f32", 4}, {DType::F64, "f64", 8}, {DType::I1, "i1", 1},
    {DType::I32, "i32", 4}, {DType::I64, "i64", 8}, {DType::UI32, "ui32", 4},
};
} // namespace

size_t ensc::sizeOf(DType dtype) {
  return dtypeTable[static_cast<size_t>(dtype)].bytes;
}

const char *ensc::nameOf(DType dtype) {
  return dtypeTable[static_cast<size_t>(dtype)].name;
}

Expected<DType> ensc::parseDType(const std::string &name) {
  for (const DTypeInfo &info : dtypeTable)
    if (name == info.name)
      return info.dtype;
  return Error(ErrorKind::InvalidArgument,
               "unknown element type '" + name +
                   "'; expected f32, f64, i1, i32, i64 or ui32");
}

int64_t ensc::numElements(const Shape &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

std::string ensc::typeString(DType dtype, const Shape &shape) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + nameOf(dtype);
}

Tensor::Tensor() : Tensor(zeros(DType::F32, {})) {}

Tensor Tensor::zeros(DType dtype, Shape shape) {
  Expected<Tensor> tensor = allocateTensor(dtype, std::move(shape), "a tensor");
  if (tensor)
    return *tensor;
  // As operator new does, so that a program handles both alike.
  if (std::new_handler handler = std::get_new_handler())
    handler();
  std::abort();
}

Tensor Tensor::borrow(DType dtype, Shape shape, void *data) {
  return Tensor(dtype, std::move(shape),
                std::shared_ptr<void>(std::shared_ptr<void>(), data));
}

Tensor Tensor::view(DType dtype, Shape shape, void *data,
                    std::shared_ptr<void> owner) {
  return Tensor(dtype, std::move(shape), std::shared_ptr<void>(owner, data));
}

Tensor Tensor::clone() const {
  Tensor copy = zeros(dtype_, shape_);
  std::memcpy(copy.bytes(), bytes(), sizeInBytes());
  return copy;
}

Tensor Tensor::reshaped(Shape shape) const {
  assert(numElements(shape) == size() && "reshape changes the element count");
  return Tensor(dtype_, std::move(shape), data_);
}

bool Tensor::bitwiseEquals(const Tensor &other) const {
  return dtype_ == other.dtype_ && shape_ == other.shape_ &&
         std::memcmp(bytes(), other.bytes(), sizeInBytes()) == 0;
}
