//===- EnsInterfaces.h - What the transforms ask of an op -------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSINTERFACES_H
#define ENSC_DIALECT_ENS_IR_ENSINTERFACES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "llvm/ADT/BitVector.h"

#include "ensc/Dialect/Ens/IR/EnsInterfaces.h.inc"

#endif // ENSC_DIALECT_ENS_IR_ENSINTERFACES_H
