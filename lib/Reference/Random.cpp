//===- Random.cpp - Random ops of the interpreter -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Random.h"
#include "Dispatch.h"
#include "ensc/Reference/Philox.h"

#include <utility>

using namespace ensc;
using namespace ensc::reference;

Tensor ensc::reference::rngBits(const Tensor &seed, const Tensor &step,
                                const std::optional<Tensor> &offset,
                                uint32_t site, DType dtype,
                                const Shape &shape) {
  Tensor result = Tensor::zeros(dtype, shape);
  int64_t perSeed = seed.size() == 0 ? 0 : result.size() / seed.size();
  for (int64_t s = 0; s < seed.size(); ++s) {
    PhiloxStream stream(seed.data<int64_t>()[s], site, step.data<int64_t>()[s]);
    uint64_t first =
        offset ? static_cast<uint64_t>(offset->data<int64_t>()[s]) * perSeed
               : 0;
    for (int64_t e = 0; e < perSeed; ++e) {
      if (dtype == DType::UI32)
        result.data<uint32_t>()[s * perSeed + e] = stream.word(first + e);
      else
        result.data<int64_t>()[s * perSeed + e] = stream.doubleWord(first + e);
    }
  }
  return result;
}

Tensor ensc::reference::permutation(const Tensor &seed, const Tensor &epoch,
                                    int64_t size) {
  Shape shape = seed.shape();
  shape.push_back(size);
  Tensor result = Tensor::zeros(DType::I32, shape);
  for (int64_t s = 0; s < seed.size(); ++s) {
    PhiloxStream stream(seed.data<int64_t>()[s], permutationSite,
                        epoch.data<int64_t>()[s]);
    int32_t *order = result.data<int32_t>() + s * size;
    for (int64_t i = 0; i < size; ++i)
      order[i] = static_cast<int32_t>(i);
    for (int64_t i = size - 1; i > 0; --i) {
      uint64_t j = (uint64_t(stream.word(i)) * uint64_t(i + 1)) >> 32;
      std::swap(order[i], order[j]);
    }
  }
  return result;
}
