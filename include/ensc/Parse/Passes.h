//===- Passes.h - Passes of the phase Parse ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_PARSE_PASSES_H
#define ENSC_PARSE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ensc {

#define GEN_PASS_DECL
#include "ensc/Parse/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ensc/Parse/Passes.h.inc"

} // namespace ensc

#endif // ENSC_PARSE_PASSES_H
