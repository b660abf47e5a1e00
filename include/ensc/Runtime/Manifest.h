//===- Manifest.h - What a compiled program holds ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_MANIFEST_H
#define ENSC_RUNTIME_MANIFEST_H

#include "ensc/API/Error.h"
#include "ensc/API/Tensor.h"
#include "ensc/Runtime/NumberRange.h"

#include <optional>
#include <string>
#include <vector>

namespace ensc {

/// An argument or a result of an entry, as one run sees it.
struct ManifestValue {
  std::string name;
  std::string role; ///< param, state, data, hyper, seed, order_seed, step,
                    ///< rows or ""
  DType dtype = DType::F32;
  Shape shape;
  bool perRun = false;   ///< Each run has its own; otherwise all runs share it.
  bool maximize = false; ///< Of a metric: whether more of it is better.
  std::optional<double> defaultValue; ///< Of a hyper-parameter that need not be
                                      ///< given.
  NumberRange range;                  ///< Of a hyper-parameter: what it may be.
  std::string limit;   ///< Of a hyper-parameter: the other one that it must not
                       ///< exceed, or "".
  int64_t classes = 0; ///< Of labels: they are in [0, classes); 0: no labels.

  /// The shape of what is given for `runs` runs: if each has its own, it leads
  /// with the runs.
  Shape shapeFor(int64_t runs) const;
};

/// `shape` with a leading dimension of `runs`.
Shape withRuns(int64_t runs, const Shape &shape);

/// One compiled instance of an entry.
struct ManifestInstance {
  std::string symbol;
  int64_t lanes = 1;         ///< Runs per group.
  int64_t arenaBytes = 0;    ///< Scratch memory of one call.
  int64_t flopsPerStep = 0;  ///< Of the contractions in one step of one run; a
                             ///< multiply-add counts two.
  int64_t cyclesPerStep = 0; ///< About, for a group, with all data in the
                             ///< first-level cache; 0: not known.
  int64_t bytesMoved = 0;    ///< By a step of a group, from and to the arena.
  int64_t bytesTouched = 0;  ///< Distinct ones among them.
};

/// A function of the program that can be called for any number of runs.
struct ManifestEntry {
  std::string name;
  std::vector<ManifestValue> arguments; ///< Without the steps begin and end.
  std::vector<ManifestValue> results;
  std::optional<ManifestInstance> solo, lanes;

  /// The position of the argument called `name`, or nothing.
  std::optional<size_t> findArgument(const std::string &name) const;
};

/// What `ens.learner` said that is not code.
struct ManifestLearner {
  std::string name;
  int64_t batchSize = 0, rows = 0, stepsPerEpoch = 0, validationRows = 0;
  std::string monitor;   ///< The metric that decides which run is best.
  bool maximize = false; ///< Whether more of it is better.
  std::string shuffle;   ///< per_run, shared or none.
};

/// Everything about a program but its code. Embedded in shared libraries as
/// JSON text under the symbol `ensc_manifest`.
struct Manifest {
  int64_t abiVersion = 0;
  std::string cpu; ///< The CPU that the code was compiled for.
  std::vector<ManifestEntry> entries;
  std::vector<ManifestLearner> learners;

  /// The entry called `name`, or null.
  const ManifestEntry *findEntry(const std::string &name) const;

  std::string toJson() const;

  /// Fails on text that is not a manifest, or is one of another ABI version.
  static Expected<Manifest> fromJson(const std::string &text);
};

} // namespace ensc

#endif // ENSC_RUNTIME_MANIFEST_H
