//===- Names.h - What names may be ------------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_NAMES_H
#define ENSC_RUNTIME_NAMES_H

#include <string>
#include <string_view>

namespace ensc {

/// What keeps `name` from being one, with the rule, as in "it has '/', but a
/// name ..."; empty if nothing does. Names of functions, learners, metrics,
/// arguments and results are written in flags and lists, and end up as columns,
/// keys and names of files, and in comments of headers.
std::string describeBadName(std::string_view name);

/// The key of the numbers of runs in a file that holds the states of several,
/// beside the names of parameters and leaves of the optimizer.
inline constexpr const char *stackedRunsName = "run";

/// Columns of each table of runs that say neither hyper-parameters nor what a
/// plan may say of the program and its data.
inline constexpr const char *runColumns[] = {
    "run",      "program", "seed",   "order_seed", "init",
    "patience", "status",  "reason", "max_steps",  "steps"};

/// What a plan may say of a run beside hyper-parameters and these.
inline constexpr const char *choiceColumns[] = {"model", "optimizer",
                                                "batch_size", "data"};

/// Whether a hyper-parameter may not have the name, since tables of runs have
/// another column of that name. Those called `seed` and `order_seed` are inputs
/// of the program themselves.
bool isColumnOfRuns(std::string_view name);

} // namespace ensc

#endif // ENSC_RUNTIME_NAMES_H
