//===- Sink.h - Keeping a fit in a directory --------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXPERIMENT_SINK_H
#define ENSC_EXPERIMENT_SINK_H

#include "ensc/API/Experiment.h"
#include "ensc/Learner/FitSink.h"

#include <memory>

namespace ensc {

/// What keeps one fit in the directory that the options name. Nothing happens
/// on disk before FitSink::start; the directory is locked from then on until
/// the sink is destroyed.
std::unique_ptr<FitSink> makeExperimentSink(const ExperimentOptions &options);

} // namespace ensc

#endif // ENSC_EXPERIMENT_SINK_H
