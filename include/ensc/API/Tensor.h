//===- Tensor.h - Dense arrays in host memory -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_API_TENSOR_H
#define ENSC_API_TENSOR_H

#include "ensc/API/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ensc {

/// Element types of the language. I1 is stored as one byte, 0 or 1.
enum class DType : uint8_t { F32, F64, I1, I32, I64, UI32 };

/// Bytes of one stored element.
size_t sizeOf(DType dtype);

/// The type's name in the language: "f32", "f64", "i1", "i32", "i64", "ui32".
const char *nameOf(DType dtype);

/// The DType that `name` spells, or an error that lists the valid names.
Expected<DType> parseDType(const std::string &name);

/// The DType of a C++ element type (I1 is `bool`).
template <typename T> constexpr DType dtypeOf();
template <> constexpr DType dtypeOf<float>() { return DType::F32; }
template <> constexpr DType dtypeOf<double>() { return DType::F64; }
template <> constexpr DType dtypeOf<bool>() { return DType::I1; }
template <> constexpr DType dtypeOf<int32_t>() { return DType::I32; }
template <> constexpr DType dtypeOf<int64_t>() { return DType::I64; }
template <> constexpr DType dtypeOf<uint32_t>() { return DType::UI32; }

using Shape = std::vector<int64_t>;

/// Product of the extents; 1 for rank 0.
int64_t numElements(const Shape &shape);

/// "16x32xf32", as a tensor type is written between < and >.
std::string typeString(DType dtype, const Shape &shape);

/// A dense row-major array in host memory, aligned to 64 bytes.
///
/// A Tensor is a handle: copies share storage, clone() copies the elements.
/// Reading from several threads is safe, writing is not.
class Tensor {
public:
  /// An f32 scalar 0.
  Tensor();

  /// Elements are zero. Extents must not be negative.
  static Tensor zeros(DType dtype, Shape shape);

  /// A rank-0 tensor.
  template <typename T> static Tensor scalar(T value) {
    Tensor tensor = zeros(dtypeOf<T>(), {});
    tensor.data<T>()[0] = value;
    return tensor;
  }

  /// `values.size()` must be the number of elements of `shape`.
  template <typename T>
  static Tensor of(Shape shape, const std::vector<T> &values) {
    Tensor tensor = zeros(dtypeOf<T>(), std::move(shape));
    assert(static_cast<int64_t>(values.size()) == tensor.size());
    for (size_t i = 0; i < values.size(); ++i)
      tensor.data<T>()[i] = values[i];
    return tensor;
  }

  /// A tensor over memory that somebody else owns and keeps alive for as long
  /// as any copy of the result lives, without copying an element.
  static Tensor borrow(DType dtype, Shape shape, void *data);

  /// Like borrow, but `owner` is kept alive by the tensor.
  static Tensor view(DType dtype, Shape shape, void *data,
                     std::shared_ptr<void> owner);

  DType dtype() const { return dtype_; }
  const Shape &shape() const { return shape_; }
  int64_t rank() const { return static_cast<int64_t>(shape_.size()); }
  int64_t size() const { return numElements(shape_); }
  size_t sizeInBytes() const { return size() * sizeOf(dtype_); }

  void *bytes() { return data_.get(); }
  const void *bytes() const { return data_.get(); }
  template <typename T> T *data() {
    assert(dtypeOf<T>() == dtype_ && "wrong element type");
    return static_cast<T *>(data_.get());
  }
  template <typename T> const T *data() const {
    assert(dtypeOf<T>() == dtype_ && "wrong element type");
    return static_cast<const T *>(data_.get());
  }

  /// A deep copy.
  Tensor clone() const;

  /// The same elements under another shape of equal size; shares storage.
  Tensor reshaped(Shape shape) const;

  /// Equal type and equal bits (NaN equals itself, -0 differs from +0).
  bool bitwiseEquals(const Tensor &other) const;

private:
  Tensor(DType dtype, Shape shape, std::shared_ptr<void> data)
      : dtype_(dtype), shape_(std::move(shape)), data_(std::move(data)) {}

  DType dtype_;
  Shape shape_;
  std::shared_ptr<void> data_;
};

} // namespace ensc

#endif // ENSC_API_TENSOR_H
