//===- Reduction.cpp - Reductions of the interpreter ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Reduction.h"
#include "Arithmetic.h"
#include "Index.h"

#include <cmath>
#include <limits>

using namespace ensc;
using namespace ensc::reference;

namespace {
constexpr size_t partialCount = 16;

template <typename T>
T sumOver(const T *elements, const std::vector<int64_t> &offsets) {
  T partials[partialCount] = {};
  for (size_t i = 0; i < offsets.size(); ++i)
    partials[i % partialCount] =
        addElements<T>(partials[i % partialCount], elements[offsets[i]]);
  for (size_t distance = partialCount / 2; distance > 0; distance /= 2)
    for (size_t j = 0; j < distance; ++j)
      partials[j] = addElements<T>(partials[j], partials[j + distance]);
  return partials[0];
}

/// The value that changes no other under max or min.
template <typename T> T identityOf(ReduceKind kind) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>)
    return kind == ReduceKind::Max ? -Limits::infinity() : Limits::infinity();
  else
    return kind == ReduceKind::Max ? Limits::min() : Limits::max();
}

template <typename T>
T extremeOver(ReduceKind kind, const T *elements,
              const std::vector<int64_t> &offsets) {
  T extreme = identityOf<T>(kind);
  for (int64_t offset : offsets)
    extreme = kind == ReduceKind::Max
                  ? maxElements<T>(extreme, elements[offset])
                  : minElements<T>(extreme, elements[offset]);
  return extreme;
}

/// Whether `candidate` replaces `best`, which comes before it.
template <typename T> bool beats(ArgReduceKind kind, T candidate, T best) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(best))
      return false;
    if (std::isnan(candidate))
      return true;
  }
  return kind == ArgReduceKind::Max ? candidate > best : candidate < best;
}
} // namespace

Tensor ensc::reference::reduce(ReduceKind kind, const Tensor &operand,
                               const std::vector<int64_t> &dims) {
  std::vector<int64_t> kept = otherDims(operand.rank(), dims);
  std::vector<int64_t> starts = offsetsOver(operand.shape(), kept);
  std::vector<int64_t> offsets = offsetsOver(operand.shape(), dims);
  Tensor result =
      Tensor::zeros(operand.dtype(), extentsOf(operand.shape(), kept));
  dispatch(operand.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_same_v<T, bool>) {
      rejectOperand();
    } else {
      for (size_t i = 0; i < starts.size(); ++i) {
        const T *elements = operand.data<T>() + starts[i];
        result.data<T>()[i] = kind == ReduceKind::Sum
                                  ? sumOver<T>(elements, offsets)
                                  : extremeOver<T>(kind, elements, offsets);
      }
    }
  });
  return result;
}

Tensor ensc::reference::argReduce(ArgReduceKind kind, const Tensor &operand,
                                  int64_t dim) {
  std::vector<int64_t> kept = otherDims(operand.rank(), {dim});
  std::vector<int64_t> starts = offsetsOver(operand.shape(), kept);
  std::vector<int64_t> offsets = offsetsOver(operand.shape(), {dim});
  Tensor result = Tensor::zeros(DType::I32, extentsOf(operand.shape(), kept));
  dispatch(operand.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (size_t i = 0; i < starts.size(); ++i) {
      const T *elements = operand.data<T>() + starts[i];
      size_t best = 0;
      for (size_t k = 1; k < offsets.size(); ++k)
        if (beats<T>(kind, elements[offsets[k]], elements[offsets[best]]))
          best = k;
      result.data<int32_t>()[i] = static_cast<int32_t>(best);
    }
  });
  return result;
}
