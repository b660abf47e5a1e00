//===- Labels.h - Whether labels are those of a class -----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_LABELS_H
#define ENSC_RUNTIME_LABELS_H

#include "ensc/Runtime/Manifest.h"

namespace ensc {

/// Checks that the elements of `tensor`, which is given for `argument`, are in
/// [0, classes) where the argument has classes. The error names the first
/// element that is not, its row and the range; it begins with `what`, as in
/// "the data 'y'".
Status checkLabels(const ManifestValue &argument, const Tensor &tensor,
                   const std::string &what);

} // namespace ensc

#endif // ENSC_RUNTIME_LABELS_H
