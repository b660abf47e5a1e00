//===- MemoryPlan.h - What a fit will take ----------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_MEMORYPLAN_H
#define ENSC_LIB_LEARNER_MEMORYPLAN_H

#include "Session.h"

namespace ensc {

/// Plans a fit with checked options. Fails if a limit is too low for one run,
/// or without a limit, if this machine has too little memory.
Expected<MemoryPlan> planMemory(const LearnerEntries &entries,
                                const std::map<std::string, Tensor> &data,
                                const FitOptions &options,
                                int64_t stepsPerEpoch, size_t metrics);

} // namespace ensc

#endif // ENSC_LIB_LEARNER_MEMORYPLAN_H
