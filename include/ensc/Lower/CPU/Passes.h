//===- Passes.h - Passes of the phase Lower/CPU -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LOWER_CPU_PASSES_H
#define ENSC_LOWER_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ensc {

#define GEN_PASS_DECL
#include "ensc/Lower/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ensc/Lower/CPU/Passes.h.inc"

} // namespace ensc

#endif // ENSC_LOWER_CPU_PASSES_H
