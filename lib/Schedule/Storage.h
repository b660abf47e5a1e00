//===- Storage.h - Where the values of a phase program live -----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SCHEDULE_STORAGE_H
#define ENSC_LIB_SCHEDULE_STORAGE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace ensc::schedule {

/// A buffer of the phase program. With `lanes` the first dimension of the
/// tensor is the last one of the memory.
struct Memory {
  mlir::Value memref;
  bool lanes = false;
};

/// What the values of the tensor program have become so far.
struct Storage {
  /// Tensors that are in memory.
  llvm::DenseMap<mlir::Value, Memory> tensors;
  /// Index values, outside of phases.
  mlir::IRMapping indices;
  /// The ids of the runs, where the program asks for them.
  mlir::Value runIds;
};

/// A list in the order of memory: the first element last, if there are lanes.
template <typename T>
llvm::SmallVector<T> inMemoryOrder(llvm::ArrayRef<T> list, bool lanes) {
  llvm::SmallVector<T> result(list.drop_front(lanes));
  if (lanes)
    result.push_back(list.front());
  return result;
}

/// The type of a buffer that holds a tensor.
inline mlir::MemRefType memoryType(mlir::RankedTensorType type, bool lanes) {
  return mlir::MemRefType::get(inMemoryOrder(type.getShape(), lanes),
                               type.getElementType());
}

} // namespace ensc::schedule

#endif // ENSC_LIB_SCHEDULE_STORAGE_H
