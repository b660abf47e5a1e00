//===- Index.cpp - Positions in row-major tensors -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Index.h"
#include "Dispatch.h"

#include <cstring>

using namespace ensc;
using namespace ensc::reference;

namespace {
/// How far apart neighbours along each dimension are.
std::vector<int64_t> rowMajorStrides(const Shape &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

/// Every sum of one entry of `offsets` and one of begin, begin + step, ...
/// (`count` of them), the latter running faster.
std::vector<int64_t> refine(const std::vector<int64_t> &offsets, int64_t begin,
                            int64_t step, int64_t count) {
  std::vector<int64_t> refined;
  refined.reserve(offsets.size() * count);
  for (int64_t offset : offsets)
    for (int64_t i = 0; i < count; ++i)
      refined.push_back(offset + begin + i * step);
  return refined;
}
} // namespace

std::vector<int64_t>
ensc::reference::offsetsOver(const Shape &shape,
                             const std::vector<int64_t> &dims) {
  std::vector<int64_t> strides = rowMajorStrides(shape);
  std::vector<int64_t> offsets = {0};
  for (int64_t dim : dims)
    offsets = refine(offsets, 0, strides[dim], shape[dim]);
  return offsets;
}

std::vector<int64_t> ensc::reference::windowOffsets(
    const Shape &shape, const std::vector<int64_t> &starts,
    const std::vector<int64_t> &counts, const std::vector<int64_t> &strides) {
  std::vector<int64_t> elementStrides = rowMajorStrides(shape);
  std::vector<int64_t> offsets = {0};
  for (size_t dim = 0; dim < shape.size(); ++dim)
    offsets = refine(offsets, starts[dim] * elementStrides[dim],
                     strides[dim] * elementStrides[dim], counts[dim]);
  return offsets;
}

std::vector<int64_t>
ensc::reference::otherDims(int64_t rank, const std::vector<int64_t> &dims) {
  std::vector<bool> listed(rank, false);
  for (int64_t dim : dims)
    listed[dim] = true;
  std::vector<int64_t> others;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!listed[dim])
      others.push_back(dim);
  return others;
}

std::vector<int64_t> ensc::reference::dimRange(int64_t first, int64_t last) {
  std::vector<int64_t> dims;
  for (int64_t dim = first; dim < last; ++dim)
    dims.push_back(dim);
  return dims;
}

Shape ensc::reference::extentsOf(const Shape &shape,
                                 const std::vector<int64_t> &dims) {
  Shape extents;
  for (int64_t dim : dims)
    extents.push_back(shape[dim]);
  return extents;
}

void ensc::reference::copyElement(Tensor &target, int64_t targetIndex,
                                  const Tensor &source, int64_t sourceIndex) {
  assert(target.dtype() == source.dtype() && "copying between element types");
  size_t width = sizeOf(target.dtype());
  std::memcpy(static_cast<char *>(target.bytes()) + targetIndex * width,
              static_cast<const char *>(source.bytes()) + sourceIndex * width,
              width);
}

int64_t ensc::reference::integerAt(const Tensor &tensor, int64_t index) {
  switch (tensor.dtype()) {
  case DType::I32:
    return tensor.data<int32_t>()[index];
  case DType::I64:
    return tensor.data<int64_t>()[index];
  case DType::UI32:
    return tensor.data<uint32_t>()[index];
  default:
    rejectOperand();
  }
}

int64_t ensc::reference::clampIndex(int64_t value, int64_t low, int64_t high) {
  if (value < low)
    return low;
  return value > high ? high : value;
}
