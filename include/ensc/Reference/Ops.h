//===- Ops.h - All ops of the interpreter -----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluators of the reference interpreter, one per op, on tensors in host
// memory. They are written from docs/Numerics.md and share nothing with the
// lowering, so that agreement with compiled code means something.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REFERENCE_OPS_H
#define ENSC_REFERENCE_OPS_H

#include "ensc/Reference/Contraction.h"
#include "ensc/Reference/Elementwise.h"
#include "ensc/Reference/Indexing.h"
#include "ensc/Reference/Random.h"
#include "ensc/Reference/Reduction.h"
#include "ensc/Reference/Shape.h"

#endif // ENSC_REFERENCE_OPS_H
