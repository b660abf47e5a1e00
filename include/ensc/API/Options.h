//===- Options.h - How a program is compiled --------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_API_OPTIONS_H
#define ENSC_API_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ensc {

/// What executes a program.
enum class Backend {
  Jit,       ///< Compiled in this process for its CPU.
  Interpret, ///< The reference interpreter: slow, and right by definition.
};

/// How many rows of the training data each run picks for itself. The numbers of
/// these rows are inputs of the code, as is all that differs between runs.
struct OwnRows {
  int64_t training =
      0; ///< A run trains on so many; a row may occur repeatedly.
  /// A run is evaluated on so many, which is what cross-validation needs; 0: on
  /// the validation data, like all runs.
  int64_t validation = 0;
};

/// Everything that decides what the compiled code looks like, and whether it
/// is kept. The number of runs and the values of scalars do not decide: they
/// are inputs of the code.
struct CompileOptions {
  /// Runs per group of the lanes instance, 8 or 16; 0 compiles none. Without a
  /// value as many as a vector register of the CPU holds numbers of 32 bits.
  std::optional<int64_t> lanes;
  /// Names of arguments that differ per run although their role says otherwise,
  /// such as data of which each run has its own.
  std::vector<std::string> perRun;
  /// Rows of the training and of the validation data, for learners that do not
  /// say.
  std::optional<int64_t> rows, validationRows;
  /// "per_run", "shared" or "none", for learners that do not say.
  std::optional<std::string> shuffle;
  /// What takes the place of a learner's optimizer: what stands behind "#ens.",
  /// as in "sgd<lr = 0.1>". "adam" alone keeps the learning rate.
  std::optional<std::string> optimizer;
  /// What takes the place of a learner's batch size. All functions must give
  /// one value per row.
  std::optional<int64_t> batchSize;
  /// Rows of its own for each run; otherwise all runs train on all rows. The
  /// training function then takes the argument `row_numbers`, and if runs are
  /// evaluated on own rows the evaluation takes `row_numbers_val`.
  std::optional<OwnRows> ownRows;
  /// Names of the functions to compile; empty: all public ones.
  std::vector<std::string> entries;
  /// Those of them that are called for one batch of data after the other, and
  /// draw other random numbers for each: they take the number of the batch,
  /// which is CallOptions::beginStep.
  std::vector<std::string> batchEntries;
  /// "native", or a CPU that LLVM knows, such as "x86-64-v3".
  std::string cpu = "native";
  Backend backend = Backend::Jit;
  /// Whether Compiler::compile looks for the program among those that are kept
  /// on disk, and keeps it there. It changes no code.
  bool cache = true;
  /// The directory where programs are kept; empty: the one that the environment
  /// names, $ENSC_CACHE_DIR, $XDG_CACHE_HOME/ensc or ~/.cache/ensc.
  std::string cacheDirectory;
};

/// What Compiler::emit makes.
enum class EmitKind {
  IR,            ///< The MLIR text after a phase.
  LLVM,          ///< LLVM IR.
  Assembly,      ///< Assembly text.
  Object,        ///< An ELF object.
  SharedLibrary, ///< A library with its manifest, and a C header beside it.
  Explanation,   ///< For people: what is shared, what is per run, which phases.
};

/// Where Compiler::emit begins and ends.
struct EmitOptions {
  EmitKind kind = EmitKind::IR;
  /// The phase that the given text is the result of; empty: it is a source.
  std::string from;
  /// The last phase to run, for IR alone; empty: the last one.
  std::string until;
};

/// Names of the phases in order: parse, expand, differentiate, vectorize,
/// schedule, lower.
std::vector<std::string> phaseNames();

} // namespace ensc

#endif // ENSC_API_OPTIONS_H
