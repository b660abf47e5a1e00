//===- Convert.cpp - Arrays in another element type -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Data/Convert.h"

#include "ensc/API/Allocate.h"
#include "ensc/Artifact/Csv.h"

#include <cmath>
#include <limits>
#include <type_traits>

using namespace ensc;

namespace {
/// Holds every number of the language.
using Wide = long double;
static_assert(std::numeric_limits<Wide>::digits >= 64,
              "long double must hold each i64");

/// Sets `to` to the value of `from`. Whether it is the same, or may be rounded.
template <typename To, typename From>
bool convertElement(From from, bool mayRound, To &to) {
  if constexpr (std::is_floating_point_v<From>)
    if (std::isnan(from)) {
      to = std::numeric_limits<To>::has_quiet_NaN
               ? std::numeric_limits<To>::quiet_NaN()
               : To();
      return std::numeric_limits<To>::has_quiet_NaN;
    }
  Wide value = static_cast<Wide>(from);
  Wide least = static_cast<Wide>(std::numeric_limits<To>::lowest());
  Wide most = static_cast<Wide>(std::numeric_limits<To>::max());
  bool isInfinite = std::isinf(value) && std::is_floating_point_v<To>;
  if (!isInfinite && (value < least || value > most))
    return false;
  to = static_cast<To>(from);
  return static_cast<Wide>(to) == value ||
         (mayRound && std::is_floating_point_v<To>);
}

template <typename T> std::string spell(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return formatNumber(value);
  else
    return std::to_string(value);
}

/// numpy's name of a type.
const char *numpyName(DType dtype) {
  switch (dtype) {
  case DType::F32:
    return "float32";
  case DType::F64:
    return "float64";
  case DType::I1:
    return "bool";
  case DType::I32:
    return "int32";
  case DType::I64:
    return "int64";
  case DType::UI32:
    return "uint32";
  }
  return "";
}

Error lossOf(const std::string &value, int64_t element, DType dtype) {
  bool isFloat = dtype == DType::F32 || dtype == DType::F64;
  std::string text = "element " + std::to_string(element) + " is " + value +
                     ", which " + nameOf(dtype) +
                     " does not hold; save the array with .astype('" +
                     numpyName(dtype) + "')";
  if (isFloat)
    text += ", or allow rounding with --round-data";
  return Error(ErrorKind::InvalidData, text);
}

template <typename To, typename From>
Status convertAll(const Tensor &from, bool mayRound, Tensor &to) {
  const From *in = from.data<From>();
  To *out = to.data<To>();
  for (int64_t i = 0, count = from.size(); i < count; ++i)
    if (!convertElement(in[i], mayRound, out[i]))
      return lossOf(spell(in[i]), i, to.dtype());
  return Status::success();
}

template <typename To>
Status convertFrom(const Tensor &from, bool mayRound, Tensor &to) {
  switch (from.dtype()) {
  case DType::F32:
    return convertAll<To, float>(from, mayRound, to);
  case DType::F64:
    return convertAll<To, double>(from, mayRound, to);
  case DType::I1:
    return convertAll<To, bool>(from, mayRound, to);
  case DType::I32:
    return convertAll<To, int32_t>(from, mayRound, to);
  case DType::I64:
    return convertAll<To, int64_t>(from, mayRound, to);
  case DType::UI32:
    return convertAll<To, uint32_t>(from, mayRound, to);
  }
  return Status::success();
}

Status convertInto(const Tensor &from, bool mayRound, Tensor &to) {
  switch (to.dtype()) {
  case DType::F32:
    return convertFrom<float>(from, mayRound, to);
  case DType::F64:
    return convertFrom<double>(from, mayRound, to);
  case DType::I1:
    return convertFrom<bool>(from, mayRound, to);
  case DType::I32:
    return convertFrom<int32_t>(from, mayRound, to);
  case DType::I64:
    return convertFrom<int64_t>(from, mayRound, to);
  case DType::UI32:
    return convertFrom<uint32_t>(from, mayRound, to);
  }
  return Status::success();
}
} // namespace

Expected<Tensor> ensc::convertTensor(const Tensor &tensor, DType dtype,
                                     bool mayRound) {
  if (tensor.dtype() == dtype)
    return tensor;
  Expected<Tensor> converted = allocateTensor(
      dtype, tensor.shape(), "an array, " + typeString(dtype, tensor.shape()));
  if (!converted)
    return converted;
  if (Status status = convertInto(tensor, mayRound, *converted); !status)
    return status.error();
  return converted;
}
