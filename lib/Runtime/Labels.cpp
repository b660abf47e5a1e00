//===- Labels.cpp - Whether labels are those of a class -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Labels.h"

#include <algorithm>

using namespace ensc;

/// The first element out of [0, classes), or the number of elements.
template <typename T>
static int64_t findOutside(const Tensor &tensor, int64_t classes) {
  const T *begin = tensor.data<T>(), *end = begin + tensor.size();
  return std::find_if(begin, end,
                      [&](T label) {
                        auto number = static_cast<int64_t>(label);
                        return number < 0 || number >= classes;
                      }) -
         begin;
}

static int64_t findOutside(const Tensor &tensor, int64_t classes) {
  switch (tensor.dtype()) {
  case DType::I32:
    return findOutside<int32_t>(tensor, classes);
  case DType::I64:
    return findOutside<int64_t>(tensor, classes);
  case DType::UI32:
    return findOutside<uint32_t>(tensor, classes);
  default:
    return tensor.size();
  }
}

static std::string labelAt(const Tensor &tensor, int64_t element) {
  if (tensor.dtype() == DType::I32)
    return std::to_string(tensor.data<int32_t>()[element]);
  if (tensor.dtype() == DType::UI32)
    return std::to_string(tensor.data<uint32_t>()[element]);
  return std::to_string(tensor.data<int64_t>()[element]);
}

/// "row 5", "element 2 of row 5", "row 5 of run 1".
static std::string placeOf(const ManifestValue &argument, int64_t element) {
  int64_t perRun = numElements(argument.shape);
  int64_t rows = argument.shape.empty() ? 1 : argument.shape.front();
  int64_t perRow = perRun / rows;
  int64_t inRun = element % perRun;
  std::string place = "row " + std::to_string(inRun / perRow);
  if (perRow > 1)
    place = "element " + std::to_string(inRun % perRow) + " of " + place;
  if (argument.perRun)
    place += " of run " + std::to_string(element / perRun);
  return place;
}

Status ensc::checkLabels(const ManifestValue &argument, const Tensor &tensor,
                         const std::string &what) {
  if (argument.classes < 1)
    return Status::success();
  int64_t element = findOutside(tensor, argument.classes);
  if (element == tensor.size())
    return Status::success();
  return Error(ErrorKind::InvalidData,
               what + " has the label " + labelAt(tensor, element) + " in " +
                   placeOf(argument, element) + "; labels must be in [0, " +
                   std::to_string(argument.classes) + ")");
}
