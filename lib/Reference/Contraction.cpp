//===- Contraction.cpp - The dot op of the interpreter --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Contraction.h"
#include "Arithmetic.h"
#include "Index.h"

#include <cmath>

using namespace ensc;
using namespace ensc::reference;

namespace {
/// The most elements that one chain of fused multiply-adds may have.
constexpr int64_t maxBlock = 1024;

/// Where the chains begin in the flattened contracted dimensions, and after the
/// last one the number of elements.
std::vector<int64_t> blockBounds(const Shape &contracted) {
  int64_t total = numElements(contracted);
  int64_t row = contracted.empty() ? 1 : contracted.back();
  std::vector<int64_t> bounds;
  if (row > maxBlock) {
    for (int64_t begin = 0; begin < total; begin += row)
      for (int64_t part = 0; part < row; part += maxBlock)
        bounds.push_back(begin + part);
  } else {
    int64_t block = row;
    for (size_t dim = contracted.size(); dim-- > 1;) {
      if (block * contracted[dim - 1] > maxBlock)
        break;
      block *= contracted[dim - 1];
    }
    for (int64_t begin = 0; begin < total; begin += block)
      bounds.push_back(begin);
  }
  bounds.push_back(total);
  return bounds;
}

/// The operands' offsets over the contracted dimensions, and how they are cut.
struct Chain {
  std::vector<int64_t> lhsOffsets;
  std::vector<int64_t> rhsOffsets;
  std::vector<int64_t> bounds;
};

template <typename T>
T blockSum(const T *lhs, const T *rhs, const Chain &chain, int64_t begin,
           int64_t end) {
  T sum = 0;
  for (int64_t k = begin; k < end; ++k)
    sum = std::fma(lhs[chain.lhsOffsets[k]], rhs[chain.rhsOffsets[k]], sum);
  return sum;
}

template <typename T>
T contract(const T *lhs, const T *rhs, const Chain &chain) {
  const std::vector<int64_t> &bounds = chain.bounds;
  if (bounds.size() == 1)
    return 0;
  T sum = blockSum(lhs, rhs, chain, bounds[0], bounds[1]);
  for (size_t block = 1; block + 1 < bounds.size(); ++block)
    sum = sum + blockSum(lhs, rhs, chain, bounds[block], bounds[block + 1]);
  return canonicalize(sum);
}

std::vector<int64_t> concatDims(std::vector<int64_t> first,
                                const std::vector<int64_t> &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Shape dotShape(const Tensor &lhs, const Tensor &rhs, const DotDims &dims,
               const std::vector<int64_t> &lhsFree,
               const std::vector<int64_t> &rhsFree) {
  Shape shape = extentsOf(lhs.shape(), dims.lhsBatch);
  for (int64_t extent : extentsOf(lhs.shape(), lhsFree))
    shape.push_back(extent);
  for (int64_t extent : extentsOf(rhs.shape(), rhsFree))
    shape.push_back(extent);
  return shape;
}
} // namespace

Tensor ensc::reference::dot(const Tensor &lhs, const Tensor &rhs,
                            const DotDims &dims) {
  std::vector<int64_t> lhsFree =
      otherDims(lhs.rank(), concatDims(dims.lhsBatch, dims.lhsContract));
  std::vector<int64_t> rhsFree =
      otherDims(rhs.rank(), concatDims(dims.rhsBatch, dims.rhsContract));
  std::vector<int64_t> lhsBatch = offsetsOver(lhs.shape(), dims.lhsBatch);
  std::vector<int64_t> rhsBatch = offsetsOver(rhs.shape(), dims.rhsBatch);
  std::vector<int64_t> rows = offsetsOver(lhs.shape(), lhsFree);
  std::vector<int64_t> columns = offsetsOver(rhs.shape(), rhsFree);
  Chain chain = {offsetsOver(lhs.shape(), dims.lhsContract),
                 offsetsOver(rhs.shape(), dims.rhsContract),
                 blockBounds(extentsOf(lhs.shape(), dims.lhsContract))};

  Tensor result =
      Tensor::zeros(lhs.dtype(), dotShape(lhs, rhs, dims, lhsFree, rhsFree));
  dispatch(lhs.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_floating_point_v<T>) {
      T *next = result.data<T>();
      for (size_t b = 0; b < lhsBatch.size(); ++b)
        for (int64_t row : rows)
          for (int64_t column : columns)
            *next++ = contract(lhs.data<T>() + lhsBatch[b] + row,
                               rhs.data<T>() + rhsBatch[b] + column, chain);
    } else {
      rejectOperand();
    }
  });
  return result;
}
