//===- Program.h - Training programs as text --------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENS_BENCH_PROGRAM_H
#define ENSC_TOOLS_ENS_BENCH_PROGRAM_H

#include "Model.h"

namespace ensc::bench {

/// The training of one run as plain functions, loss, gradient and optimizer
/// written out:
///
///   @train(parameters, moments, x, y, lr, begin, end)
///       -> (parameters, moments, losses)
///
/// does the steps [begin, end), at most `steps` of them. Element i of `losses`
/// is the loss of step begin + i. Moments are those of Adam: m of all
/// parameters, then v of all.
std::string trainingProgram(const Model &model, int64_t steps);

/// The same training as an `ens.learner` called @mlp, in the order of the data.
std::string learnerProgram(const Model &model);

/// The leaves that the optimizer keeps of each parameter: "m" and "v" of Adam.
std::vector<std::string> momentsOf(Optimizer optimizer);

} // namespace ensc::bench

#endif // ENSC_TOOLS_ENS_BENCH_PROGRAM_H
