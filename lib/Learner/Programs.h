//===- Programs.h - The programs of a learner -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_PROGRAMS_H
#define ENSC_LIB_LEARNER_PROGRAMS_H

#include "ensc/API/Executable.h"
#include "ensc/API/Search.h"

#include <string>
#include <vector>

namespace ensc {

/// The entries that Expand makes of a learner.
struct LearnerEntries {
  const ManifestEntry *init = nullptr, *fit = nullptr, *evaluate = nullptr;

  /// Those that there are: a learner without validation data has nothing to
  /// evaluate.
  std::vector<const ManifestEntry *> all() const;

  /// The hyper-parameters of all entries, each once, in the order of the
  /// source.
  std::vector<const ManifestValue *> hypers() const;

  /// The first argument with a role, or null.
  const ManifestValue *findRole(const std::string &role) const;
};

/// A program that runs of a learner may be of.
struct LearnerProgram {
  Executable executable;
  const ManifestLearner *info = nullptr;
  LearnerEntries entries;
  /// The position among the learner's metrics of each result of `evaluate`.
  std::vector<size_t> metrics;
};

/// The programs of a learner, and what they have in common.
struct LearnerPrograms {
  std::vector<LearnerProgram> list;
  std::vector<MetricInfo> metrics; ///< Of all programs, each name once.
  size_t monitor = 0;

  /// Takes the learner called `name` of each program; empty: its only one.
  /// Fails where there is none, and where programs watch different metrics.
  static Expected<LearnerPrograms> create(std::vector<Executable> programs,
                                          const std::string &name);

  /// The data of training, then of validation, each name once.
  std::vector<std::string> dataNames() const;
};

} // namespace ensc

#endif // ENSC_LIB_LEARNER_PROGRAMS_H
