//===- Training.h - Training programs at work -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENS_BENCH_TRAINING_H
#define ENSC_TOOLS_ENS_BENCH_TRAINING_H

#include "Model.h"

#include "ensc/API/Executable.h"
#include "ensc/API/Options.h"

#include <functional>

namespace ensc::bench {

/// A model's program, compiled, with its data.
struct CompiledModel {
  Model model;
  int64_t steps = 0; ///< That one call does at most.
  Executable program;
  double compileSeconds = 0.0;
  bool cached = false; ///< Found compiled on disk.
  Data data;

  static Expected<CompiledModel> compile(const Model &model, int64_t steps,
                                         const CompileOptions &options);

  const ManifestEntry &entry() const;

  /// Of what each run has of its own: state, losses and learning rate.
  int64_t bytesPerRun() const;
};

/// Enough steps for a call of some 20 ms or more, in whole passes over the
/// data.
int64_t chooseSteps(const Model &model);

/// N runs of a model, in the memory that the caller of a program owns: each
/// advance goes on where the last one ended.
class Training {
public:
  Training(const CompiledModel &compiled, int64_t runs);

  /// Does `steps` steps of all runs, at most those of one call. Only `runs`,
  /// `threads` and `schedule` of the options are to be set.
  Status advance(int64_t steps, const CallOptions &options);

  /// All parameters, then all moments, each with a leading dimension of runs.
  const std::vector<Tensor> &state() const { return state_; }
  /// The losses of the last advance, runs x steps of a call.
  const Tensor &losses() const { return losses_; }
  int64_t step() const { return step_; }

private:
  const CompiledModel &compiled;
  std::vector<Tensor> state_;
  Tensor losses_, rates;
  int64_t step_ = 0;
};

/// Seconds of repeated work.
struct Timing {
  double best = 0.0, median = 0.0;
  /// Cores that were busy, on average. Fewer than the threads that were used
  /// say that the machine had other work, or not enough of this.
  double cores = 0.0;
};

/// Repeats several pieces of work in turn, so that they meet the same machine,
/// until the repetitions take `seconds` in all, each at least `least` times.
Expected<std::vector<Timing>>
alternate(double seconds, int64_t least,
          const std::vector<std::function<Status()>> &works);

} // namespace ensc::bench

#endif // ENSC_TOOLS_ENS_BENCH_TRAINING_H
