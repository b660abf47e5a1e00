//===- RowNumbers.h - The rows that a run trains on -------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_ROWNUMBERS_H
#define ENSC_LIB_LEARNER_ROWNUMBERS_H

#include "FitChecks.h"

namespace ensc {

/// Whether the choice of each run fits the rows that its program was compiled
/// for.
Status checkRowChoices(const LearnerPrograms &programs,
                       const FitOptions &options, const FitPlan &plan);

/// Writes the rows of a run with a checked choice: `count` of the `total` rows
/// of the data, those that it trains on or those that it is validated on.
void writeRows(const RowChoice &choice, int64_t seed, bool validation,
               int64_t total, int64_t *rows, int64_t count);

/// Whether an argument with the role `rows` names rows of validation.
bool namesValidationRows(const ManifestValue &argument);

/// The rows of the training data, of which an entry is told some.
int64_t countDataRows(const LearnerEntries &entries);

} // namespace ensc

#endif // ENSC_LIB_LEARNER_ROWNUMBERS_H
