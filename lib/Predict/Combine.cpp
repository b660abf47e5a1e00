//===- Combine.cpp - One prediction out of many ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Predict/Combine.h"

#include "ensc/API/Allocate.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace ensc;

static bool isFloat(DType dtype) {
  return dtype == DType::F32 || dtype == DType::F64;
}

static double numberAt(const Tensor &tensor, int64_t element) {
  return tensor.dtype() == DType::F32 ? tensor.data<float>()[element]
                                      : tensor.data<double>()[element];
}

static int64_t integerAt(const Tensor &tensor, int64_t element) {
  switch (tensor.dtype()) {
  case DType::I1:
    return tensor.data<bool>()[element];
  case DType::I32:
    return tensor.data<int32_t>()[element];
  case DType::UI32:
    return tensor.data<uint32_t>()[element];
  case DType::I64:
    return tensor.data<int64_t>()[element];
  case DType::F32:
  case DType::F64:
    break;
  }
  return 0;
}

/// The shape without the models that it leads with.
static Shape shapeOfOne(const Tensor &each) {
  return Shape(each.shape().begin() + 1, each.shape().end());
}

static Expected<Tensor> allocate(DType dtype, Shape shape) {
  return allocateTensor(dtype, std::move(shape), "what models predict");
}

Expected<Average> ensc::average(const Tensor &each) {
  if (!isFloat(each.dtype()) || each.rank() < 1 || each.shape()[0] < 1)
    return Error(ErrorKind::InvalidArgument,
                 "floats of at least one model can be averaged, got " +
                     typeString(each.dtype(), each.shape()));
  Expected<Tensor> mean = allocate(DType::F64, shapeOfOne(each));
  Expected<Tensor> deviation = allocate(DType::F64, shapeOfOne(each));
  if (!mean || !deviation)
    return mean ? deviation.error() : mean.error();
  int64_t models = each.shape()[0], size = mean->size();
  for (int64_t i = 0; i < size; ++i) {
    double sum = 0, squares = 0;
    for (int64_t model = 0; model < models; ++model)
      sum += numberAt(each, model * size + i);
    double center = sum / static_cast<double>(models);
    for (int64_t model = 0; model < models; ++model) {
      double distance = numberAt(each, model * size + i) - center;
      squares += distance * distance;
    }
    mean->data<double>()[i] = center;
    // The mean of equal numbers may differ from them by its rounding.
    deviation->data<double>()[i] =
        models == 1 && std::isfinite(center)
            ? 0.0
            : std::sqrt(squares / static_cast<double>(models));
  }
  return Average{*mean, *deviation};
}

Expected<Vote> ensc::vote(const Tensor &each, bool mayAbstain) {
  if (isFloat(each.dtype()) || each.rank() < 1 || each.shape()[0] < 1)
    return Error(ErrorKind::InvalidArgument,
                 "integers of at least one model can be counted, got " +
                     typeString(each.dtype(), each.shape()));
  Expected<Tensor> winner = allocate(DType::I64, shapeOfOne(each));
  Expected<Tensor> share = allocate(DType::F64, shapeOfOne(each));
  if (!winner || !share)
    return winner ? share.error() : winner.error();
  int64_t models = each.shape()[0], size = winner->size();
  std::vector<int64_t> votes;
  for (int64_t i = 0; i < size; ++i) {
    votes.clear();
    for (int64_t model = 0; model < models; ++model)
      if (int64_t value = integerAt(each, model * size + i);
          !mayAbstain || value != noClass)
        votes.push_back(value);
    std::sort(votes.begin(), votes.end());
    int64_t best = noClass, most = 0;
    for (size_t begin = 0, end; begin < votes.size(); begin = end) {
      end = static_cast<size_t>(
          std::upper_bound(votes.begin(), votes.end(), votes[begin]) -
          votes.begin());
      if (static_cast<int64_t>(end - begin) > most) {
        most = static_cast<int64_t>(end - begin);
        best = votes[begin];
      }
    }
    winner->data<int64_t>()[i] = best;
    share->data<double>()[i] =
        static_cast<double>(most) / static_cast<double>(models);
  }
  return Vote{*winner, *share};
}

Expected<Tensor> ensc::greatestOf(const Tensor &scores) {
  if (!isFloat(scores.dtype()) || scores.rank() < 1 ||
      scores.shape().back() < 1)
    return Error(ErrorKind::InvalidArgument,
                 "the greatest of some floats can be found, got " +
                     typeString(scores.dtype(), scores.shape()));
  int64_t width = scores.shape().back();
  Expected<Tensor> places = allocate(
      DType::I64, Shape(scores.shape().begin(), scores.shape().end() - 1));
  if (!places)
    return places;
  for (int64_t row = 0; row < places->size(); ++row) {
    int64_t best = 0;
    double greatest = numberAt(scores, row * width);
    for (int64_t i = 0; i < width && best != noClass; ++i) {
      double score = numberAt(scores, row * width + i);
      if (std::isnan(score)) {
        best = noClass;
      } else if (score > greatest) {
        greatest = score;
        best = i;
      }
    }
    places->data<int64_t>()[row] = best;
  }
  return places;
}
