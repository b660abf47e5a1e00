//===- TensorConversion.h - Tensors as MLIR types and attributes *- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REFERENCE_TENSORCONVERSION_H
#define ENSC_REFERENCE_TENSORCONVERSION_H

#include "ensc/API/Tensor.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace ensc::reference {

/// The DType of an element type of the language; `index` counts as i64.
std::optional<DType> toDType(mlir::Type elementType);

/// The element type that `dtype` names.
mlir::Type toElementType(mlir::MLIRContext *context, DType dtype);

/// `tensor<...>` of the tensor's shape and element type.
mlir::RankedTensorType toTensorType(mlir::MLIRContext *context,
                                    const Tensor &tensor);

/// Whether a value of type `type`, a static tensor or a scalar, is represented
/// by tensors like `tensor`.
bool hasType(const Tensor &tensor, mlir::Type type);

/// The elements of a `dense<...>` attribute of an element type of the language,
/// or the one element of an integer, index, bool or float attribute.
Expected<Tensor> toTensor(mlir::Attribute attribute);

/// `dense<...>` with the bits of `tensor`.
mlir::DenseElementsAttr toAttribute(mlir::MLIRContext *context,
                                    const Tensor &tensor);

} // namespace ensc::reference

#endif // ENSC_REFERENCE_TENSORCONVERSION_H
