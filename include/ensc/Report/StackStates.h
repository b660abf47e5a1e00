//===- StackStates.h - States of runs as one ------------------ -*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REPORT_STACKSTATES_H
#define ENSC_REPORT_STACKSTATES_H

#include "ensc/Artifact/Safetensors.h"

#include <cstdint>
#include <vector>

namespace ensc {

/// The states of several runs as one: each tensor leads with a dimension of
/// runs, and the first tensor, `stackedRunsName`, holds their numbers. Fails
/// where the runs have different tensors, as those of different programs do.
Expected<Safetensors> stackStates(const std::vector<Safetensors> &states,
                                  const std::vector<int64_t> &runs);

} // namespace ensc

#endif // ENSC_REPORT_STACKSTATES_H
