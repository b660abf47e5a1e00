//===- MakeLearner.h - A learner of a model ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENS_BENCH_MAKELEARNER_H
#define ENSC_TOOLS_ENS_BENCH_MAKELEARNER_H

#include "Commands.h"

#include "ensc/API/Learner.h"

namespace ensc::bench {

/// Compiles the learner of a model, and gives it data of `batchCount` batches.
Expected<Learner> makeLearner(const Settings &settings);

} // namespace ensc::bench

#endif // ENSC_TOOLS_ENS_BENCH_MAKELEARNER_H
