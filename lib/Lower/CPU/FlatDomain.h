//===- FlatDomain.h - Several dimensions walked as one ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_FLATDOMAIN_H
#define ENSC_LIB_LOWER_CPU_FLATDOMAIN_H

#include "Kernel.h"

namespace ensc::cpu {

/// Whether the dimensions of `extents`, whose indices are the arguments from
/// `first` on, can be walked as one: the last index then counts through all of
/// them while the others stay 0. True if each access moves evenly and nothing
/// else looks at the indices.
bool isFlatDomain(mlir::Block &block, unsigned first,
                  llvm::ArrayRef<int64_t> extents);

/// The indices of the element at a row-major position; only the last one is not
/// 0 if the domain is flat.
llvm::SmallVector<Index> delinearize(Kernel &kernel, Index position,
                                     llvm::ArrayRef<int64_t> extents,
                                     bool isFlat, int64_t width);

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_FLATDOMAIN_H
