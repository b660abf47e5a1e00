//===- TensorConversion.cpp - Tensors as MLIR types and attributes --------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/TensorConversion.h"
#include "Dispatch.h"

#include "mlir/IR/Builders.h"

#include "llvm/Support/raw_ostream.h"

using namespace ensc;
using namespace ensc::reference;

namespace {
std::string textOf(mlir::Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  attribute.print(stream);
  return text;
}

Error cannotRead(mlir::Attribute attribute) {
  return Error(ErrorKind::Unsupported,
               "cannot read the constant " + textOf(attribute) +
                   " as a tensor; expected a static dense<...> of f32, f64, "
                   "i1, i32, i64 or ui32, or a scalar of these");
}

Expected<Tensor> readDense(mlir::DenseElementsAttr dense) {
  std::optional<DType> dtype = toDType(dense.getElementType());
  if (!dtype || !dense.getType().hasStaticShape() ||
      dense.getElementType().isIndex())
    return cannotRead(dense);
  Tensor tensor = Tensor::zeros(*dtype, dense.getType().getShape().vec());
  dispatch(*dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    int64_t i = 0;
    for (T value : dense.getValues<T>())
      tensor.data<T>()[i++] = value;
  });
  return tensor;
}

Expected<Tensor> readInteger(mlir::IntegerAttr integer) {
  std::optional<DType> dtype = toDType(integer.getType());
  if (!dtype)
    return cannotRead(integer);
  Tensor tensor = Tensor::zeros(*dtype, {});
  uint64_t bits = integer.getValue().getZExtValue();
  dispatch(*dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    tensor.data<T>()[0] = static_cast<T>(bits);
  });
  return tensor;
}

Expected<Tensor> readFloat(mlir::FloatAttr attribute) {
  if (attribute.getType().isF32())
    return Tensor::scalar(attribute.getValue().convertToFloat());
  if (attribute.getType().isF64())
    return Tensor::scalar(attribute.getValue().convertToDouble());
  return cannotRead(attribute);
}
} // namespace

std::optional<DType> ensc::reference::toDType(mlir::Type elementType) {
  if (elementType.isF32())
    return DType::F32;
  if (elementType.isF64())
    return DType::F64;
  if (elementType.isSignlessInteger(1))
    return DType::I1;
  if (elementType.isSignlessInteger(32))
    return DType::I32;
  if (elementType.isSignlessInteger(64) || elementType.isIndex())
    return DType::I64;
  if (elementType.isUnsignedInteger(32))
    return DType::UI32;
  return std::nullopt;
}

mlir::Type ensc::reference::toElementType(mlir::MLIRContext *context,
                                          DType dtype) {
  mlir::Builder builder(context);
  switch (dtype) {
  case DType::F32:
    return builder.getF32Type();
  case DType::F64:
    return builder.getF64Type();
  case DType::I1:
    return builder.getI1Type();
  case DType::I32:
    return builder.getI32Type();
  case DType::I64:
    return builder.getI64Type();
  case DType::UI32:
    return builder.getIntegerType(32, /*isSigned=*/false);
  }
  rejectOperand();
}

mlir::RankedTensorType ensc::reference::toTensorType(mlir::MLIRContext *context,
                                                     const Tensor &tensor) {
  return mlir::RankedTensorType::get(tensor.shape(),
                                     toElementType(context, tensor.dtype()));
}

bool ensc::reference::hasType(const Tensor &tensor, mlir::Type type) {
  auto tensorType = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensorType)
    return tensor.rank() == 0 && toDType(type) == tensor.dtype();
  return toDType(tensorType.getElementType()) == tensor.dtype() &&
         tensorType.getShape() == llvm::ArrayRef<int64_t>(tensor.shape());
}

Expected<Tensor> ensc::reference::toTensor(mlir::Attribute attribute) {
  if (auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(attribute))
    return readDense(dense);
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(attribute))
    return readInteger(integer);
  if (auto floating = llvm::dyn_cast<mlir::FloatAttr>(attribute))
    return readFloat(floating);
  return cannotRead(attribute);
}

mlir::DenseElementsAttr ensc::reference::toAttribute(mlir::MLIRContext *context,
                                                     const Tensor &tensor) {
  mlir::RankedTensorType type = toTensorType(context, tensor);
  return dispatch(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return mlir::DenseElementsAttr::get(
        type, llvm::ArrayRef<T>(tensor.data<T>(), tensor.size()));
  });
}
