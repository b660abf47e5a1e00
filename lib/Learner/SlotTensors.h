//===- SlotTensors.h - The slots of an ensemble as tensors ------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_SLOTTENSORS_H
#define ENSC_LIB_LEARNER_SLOTTENSORS_H

#include "Ensemble.h"

namespace ensc {

/// The tensors of Snapshot::Ensemble for some slots. Fails where memory is
/// short.
Expected<std::vector<NamedTensor>> saveSlots(Ensemble &ensemble,
                                             const std::vector<int64_t> &slots);

/// The numbers of the runs that such tensors lead with.
Expected<std::vector<int64_t>> readRuns(const Snapshot::Ensemble &saved);

/// Writes rows of such tensors to slots: pairs of both. What admit() gave the
/// slots must be there. Fails if a tensor is missing or has another type.
Status loadSlots(Ensemble &ensemble, const Snapshot::Ensemble &saved,
                 const std::vector<std::pair<int64_t, int64_t>> &moves);

} // namespace ensc

#endif // ENSC_LIB_LEARNER_SLOTTENSORS_H
