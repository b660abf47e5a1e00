//===- Shape.cpp - Data movement ops of the interpreter -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Shape.h"
#include "Dispatch.h"
#include "Index.h"

using namespace ensc;
using namespace ensc::reference;

namespace {
/// The elements of `source` at `offsets`, in that order, as shape `shape`.
Tensor pick(const Tensor &source, Shape shape,
            const std::vector<int64_t> &offsets) {
  Tensor result = Tensor::zeros(source.dtype(), std::move(shape));
  for (size_t i = 0; i < offsets.size(); ++i)
    copyElement(result, i, source, offsets[i]);
  return result;
}

/// Where a window lies: per batch element, its clamped starts.
class WindowStarts {
public:
  WindowStarts(const Tensor &operand, const std::vector<Tensor> &starts,
               const std::vector<int64_t> &sizes, int64_t batchDims)
      : inner_(operand.shape().begin() + batchDims, operand.shape().end()),
        starts_(starts), sizes_(sizes) {}

  /// Offsets in `operand` of the window of batch element `batch`.
  std::vector<int64_t> offsets(int64_t batch) const {
    std::vector<int64_t> begins;
    for (size_t dim = 0; dim < inner_.size(); ++dim)
      begins.push_back(clampIndex(integerAt(starts_[dim], batch), 0,
                                  inner_[dim] - sizes_[dim]));
    std::vector<int64_t> offsets = windowOffsets(
        inner_, begins, sizes_, std::vector<int64_t>(inner_.size(), 1));
    for (int64_t &offset : offsets)
      offset += batch * numElements(inner_);
    return offsets;
  }

private:
  Shape inner_;
  const std::vector<Tensor> &starts_;
  const std::vector<int64_t> &sizes_;
};

/// The leading `batchDims` extents.
Shape batchShape(const Tensor &operand, int64_t batchDims) {
  return Shape(operand.shape().begin(), operand.shape().begin() + batchDims);
}

Shape concatShapes(Shape first, const Shape &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Along one padded dimension: the operand indices first .. first + count - 1
/// are those that land inside the result, `begin` is where the first lands.
struct PaddedDim {
  int64_t first = 0;
  int64_t count = 0;
  int64_t begin = 0;
};

PaddedDim placeDim(int64_t operandExtent, int64_t resultExtent, int64_t low,
                   int64_t step) {
  PaddedDim placed;
  for (int64_t i = 0; i < operandExtent; ++i) {
    int64_t position = low + i * step;
    if (position < 0 || position >= resultExtent)
      continue;
    if (placed.count == 0) {
      placed.first = i;
      placed.begin = position;
    }
    ++placed.count;
  }
  return placed;
}

Shape paddedShape(const Shape &shape, const PadAmounts &amounts) {
  Shape result;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t gaps = shape[dim] > 0 ? shape[dim] - 1 : 0;
    result.push_back(amounts.low[dim] + shape[dim] +
                     gaps * amounts.interior[dim] + amounts.high[dim]);
  }
  return result;
}
} // namespace

Tensor ensc::reference::iota(DType dtype, const Shape &shape, int64_t dim) {
  Tensor result = Tensor::zeros(dtype, shape);
  int64_t inner = 1;
  for (size_t later = dim + 1; later < shape.size(); ++later)
    inner *= shape[later];
  dispatch(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (int64_t i = 0, count = result.size(); i < count; ++i)
      result.data<T>()[i] = static_cast<T>(i / inner % shape[dim]);
  });
  return result;
}

Tensor ensc::reference::broadcast(const Tensor &operand, const Shape &shape,
                                  const std::vector<int64_t> &dims) {
  // The operand's stride along each result dimension; 0 along new ones.
  std::vector<int64_t> strides(shape.size(), 0);
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[dims[i]] = stride;
    stride *= operand.shape()[i];
  }
  Tensor result = Tensor::zeros(operand.dtype(), shape);
  for (int64_t i = 0, count = result.size(); i < count; ++i) {
    int64_t rest = i;
    int64_t source = 0;
    for (size_t dim = shape.size(); dim-- > 0;) {
      source += rest % shape[dim] * strides[dim];
      rest /= shape[dim];
    }
    copyElement(result, i, operand, source);
  }
  return result;
}

Tensor ensc::reference::transpose(const Tensor &operand,
                                  const std::vector<int64_t> &permutation) {
  return pick(operand, extentsOf(operand.shape(), permutation),
              offsetsOver(operand.shape(), permutation));
}

Tensor ensc::reference::slice(const Tensor &operand,
                              const std::vector<int64_t> &starts,
                              const std::vector<int64_t> &limits,
                              const std::vector<int64_t> &strides) {
  Shape shape;
  for (size_t dim = 0; dim < starts.size(); ++dim)
    shape.push_back((limits[dim] - starts[dim] + strides[dim] - 1) /
                    strides[dim]);
  return pick(operand, shape,
              windowOffsets(operand.shape(), starts, shape, strides));
}

Tensor ensc::reference::dynamicSlice(const Tensor &operand,
                                     const std::vector<Tensor> &starts,
                                     const std::vector<int64_t> &sizes,
                                     int64_t batchDims) {
  Shape batch = batchShape(operand, batchDims);
  WindowStarts window(operand, starts, sizes, batchDims);
  Tensor result = Tensor::zeros(operand.dtype(), concatShapes(batch, sizes));
  int64_t next = 0;
  for (int64_t b = 0; b < numElements(batch); ++b)
    for (int64_t offset : window.offsets(b))
      copyElement(result, next++, operand, offset);
  return result;
}

Tensor ensc::reference::dynamicUpdateSlice(const Tensor &operand,
                                           const Tensor &update,
                                           const std::vector<Tensor> &starts,
                                           int64_t batchDims) {
  Shape sizes(update.shape().begin() + batchDims, update.shape().end());
  WindowStarts window(operand, starts, sizes, batchDims);
  Tensor result = operand.clone();
  int64_t next = 0;
  for (int64_t b = 0; b < numElements(batchShape(operand, batchDims)); ++b)
    for (int64_t offset : window.offsets(b))
      copyElement(result, offset, update, next++);
  return result;
}

Tensor ensc::reference::concat(const std::vector<Tensor> &operands,
                               int64_t dim) {
  Shape shape = operands.front().shape();
  shape[dim] = 0;
  for (const Tensor &operand : operands)
    shape[dim] += operand.shape()[dim];

  Tensor result = Tensor::zeros(operands.front().dtype(), shape);
  std::vector<int64_t> starts(shape.size(), 0);
  for (const Tensor &operand : operands) {
    std::vector<int64_t> offsets = windowOffsets(
        shape, starts, operand.shape(), std::vector<int64_t>(shape.size(), 1));
    for (size_t i = 0; i < offsets.size(); ++i)
      copyElement(result, offsets[i], operand, i);
    starts[dim] += operand.shape()[dim];
  }
  return result;
}

Tensor ensc::reference::pad(const Tensor &operand, const Tensor &value,
                            const PadAmounts &amounts, int64_t batchDims) {
  Shape shape = paddedShape(operand.shape(), amounts);
  Tensor result = Tensor::zeros(operand.dtype(), shape);
  int64_t perValue = 1;
  for (size_t dim = batchDims; dim < shape.size(); ++dim)
    perValue *= shape[dim];
  for (int64_t i = 0, count = result.size(); i < count; ++i)
    copyElement(result, i, value, i / perValue);

  std::vector<int64_t> firsts, counts, begins, steps;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t step = amounts.interior[dim] + 1;
    PaddedDim placed =
        placeDim(operand.shape()[dim], shape[dim], amounts.low[dim], step);
    firsts.push_back(placed.first);
    counts.push_back(placed.count);
    begins.push_back(placed.begin);
    steps.push_back(step);
  }
  std::vector<int64_t> sources = windowOffsets(
      operand.shape(), firsts, counts, std::vector<int64_t>(shape.size(), 1));
  std::vector<int64_t> targets = windowOffsets(shape, begins, counts, steps);
  for (size_t i = 0; i < sources.size(); ++i)
    copyElement(result, targets[i], operand, sources[i]);
  return result;
}

Tensor ensc::reference::reverse(const Tensor &operand,
                                const std::vector<int64_t> &dims) {
  const Shape &shape = operand.shape();
  std::vector<int64_t> starts(shape.size(), 0);
  std::vector<int64_t> strides(shape.size(), 1);
  for (int64_t dim : dims) {
    starts[dim] = shape[dim] - 1;
    strides[dim] = -1;
  }
  return pick(operand, shape, windowOffsets(shape, starts, shape, strides));
}
