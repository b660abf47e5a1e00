//===- Indexing.cpp - Gather and scatter of the interpreter ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Indexing.h"
#include "Arithmetic.h"
#include "Index.h"

#include <optional>

using namespace ensc;
using namespace ensc::reference;

namespace {
/// The extents of B, M, I and R (see the header) as plain counts.
struct IndexedLoop {
  int64_t batch, middle, picks, inner;
  int64_t axisExtent;

  IndexedLoop(const Shape &operand, const Shape &indices, int64_t axis,
              int64_t batchDims) {
    batch = product(operand, 0, batchDims);
    middle = product(operand, batchDims, axis);
    picks = product(indices, batchDims, indices.size());
    inner = product(operand, axis + 1, operand.size());
    axisExtent = operand[axis];
  }

  static int64_t product(const Shape &shape, int64_t first, int64_t last) {
    return numElements(extentsOf(shape, dimRange(first, last)));
  }

  /// Calls visit(position in the gathered values, position in the operand or
  /// nothing if the index is out of range) in ascending row-major order.
  template <typename Visit>
  void forEach(const Tensor &indices, bool clamp, Visit visit) const {
    int64_t position = 0;
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t m = 0; m < middle; ++m)
        for (int64_t i = 0; i < picks; ++i) {
          int64_t index = integerAt(indices, b * picks + i);
          if (clamp)
            index = clampIndex(index, 0, axisExtent - 1);
          bool inside = index >= 0 && index < axisExtent;
          int64_t row = (b * middle + m) * axisExtent + index;
          for (int64_t r = 0; r < inner; ++r) {
            std::optional<int64_t> source;
            if (inside)
              source = row * inner + r;
            visit(position++, source);
          }
        }
  }
};

Shape gatheredShape(const Shape &operand, const Shape &indices, int64_t axis,
                    int64_t batchDims) {
  Shape shape(operand.begin(), operand.begin() + axis);
  shape.insert(shape.end(), indices.begin() + batchDims, indices.end());
  shape.insert(shape.end(), operand.begin() + axis + 1, operand.end());
  return shape;
}
} // namespace

Tensor ensc::reference::gather(const Tensor &operand, const Tensor &indices,
                               int64_t axis, int64_t batchDims,
                               GatherMode mode) {
  Tensor result = Tensor::zeros(
      operand.dtype(),
      gatheredShape(operand.shape(), indices.shape(), axis, batchDims));
  IndexedLoop loop(operand.shape(), indices.shape(), axis, batchDims);
  loop.forEach(indices, mode == GatherMode::Clamp,
               [&](int64_t position, std::optional<int64_t> source) {
                 if (source)
                   copyElement(result, position, operand, *source);
               });
  return result;
}

Tensor ensc::reference::scatter(const Tensor &operand, const Tensor &indices,
                                const Tensor &updates,
                                const ScatterOptions &options) {
  Tensor result = operand.clone();
  IndexedLoop loop(operand.shape(), indices.shape(), options.axis,
                   options.batchDims);
  dispatch(operand.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    loop.forEach(indices, options.mode == ScatterMode::Clamp,
                 [&](int64_t position, std::optional<int64_t> target) {
                   if (!target)
                     return;
                   T update = updates.data<T>()[position];
                   T &element = result.data<T>()[*target];
                   element = options.kind == ScatterKind::Set
                                 ? update
                                 : addElements<T>(element, update);
                 });
  });
  return result;
}
