//===- EnsOps.h - The ops and the interfaces of the dialect -----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSOPS_H
#define ENSC_DIALECT_ENS_IR_ENSOPS_H

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Dialect/Ens/IR/EnsInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsElementwise.h.inc"
#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsShape.h.inc"
#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsContraction.h.inc"
#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsIndexing.h.inc"
#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsRandom.h.inc"
#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsComposite.h.inc"
#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsTransform.h.inc"
#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsPhase.h.inc"

#endif // ENSC_DIALECT_ENS_IR_ENSOPS_H
