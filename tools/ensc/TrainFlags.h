//===- TrainFlags.h - What the flags of ensc train say ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_TRAINFLAGS_H
#define ENSC_TOOLS_ENSC_TRAINFLAGS_H

#include "ensc/API/Learner.h"
#include "ensc/API/Options.h"
#include "ensc/Data/DataSet.h"
#include "ensc/Plan/Plan.h"

#include <string>

namespace ensc::tool {

/// The rows that the flags ask for.
Expected<Plan> planOfFlags();

/// Where the data comes from.
DataOptions dataOfFlags();

/// The learner to train; empty: the only one.
std::string learnerOfFlags();

/// How the program of some rows of the plan is compiled for the data. With
/// `ownOrders` each run has an order of the data of its own.
CompileOptions compileOptionsOf(const ProgramKey &program, bool ownOrders,
                                const DataSet &data);

/// What to train, apart from the plan: epochs, records, stopping, search,
/// memory and the directory of the experiment.
Expected<FitOptions> fitOptionsOfFlags();

/// Fails where a flag would mean nothing for a plan.
Status checkUseOfFlags(const Plan &plan);

/// Warns where --data-seed means nothing for the programs of a plan. It is a
/// part of what an experiment is, so that it goes on with the same.
void warnOfDataSeed(const Learner &learner);

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_TRAINFLAGS_H
