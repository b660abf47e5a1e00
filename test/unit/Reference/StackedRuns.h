//===- StackedRuns.h - Tensors that lead with runs --------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_REFERENCE_STACKEDRUNS_H
#define ENSC_TEST_UNIT_REFERENCE_STACKEDRUNS_H

#include "ensc/API/Tensor.h"

#include <cstring>
#include <vector>

namespace ensc::test {

/// The tensors of several runs, all of one type, as one that leads with the
/// runs.
inline Tensor stacked(const std::vector<Tensor> &runs) {
  Shape shape = runs.front().shape();
  shape.insert(shape.begin(), runs.size());
  Tensor all = Tensor::zeros(runs.front().dtype(), shape);
  char *out = static_cast<char *>(all.bytes());
  for (const Tensor &run : runs) {
    std::memcpy(out, run.bytes(), run.sizeInBytes());
    out += run.sizeInBytes();
  }
  return all;
}

/// What one run has of a tensor that leads with the runs.
inline Tensor runOf(const Tensor &all, int64_t run) {
  Shape shape(all.shape().begin() + 1, all.shape().end());
  Tensor one = Tensor::zeros(all.dtype(), shape);
  std::memcpy(one.bytes(),
              static_cast<const char *>(all.bytes()) + run * one.sizeInBytes(),
              one.sizeInBytes());
  return one;
}

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_REFERENCE_STACKEDRUNS_H
