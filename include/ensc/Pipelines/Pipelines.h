//===- Pipelines.h - The phases as one table --------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_PIPELINES_PIPELINES_H
#define ENSC_PIPELINES_PIPELINES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class OpPassManager;
class Pass;
} // namespace mlir

namespace ensc {

/// What the phases need to know beside the program. Everything that changes the
/// compiled code is in here; the number of runs and the values of scalars are
/// not, since they are inputs of the compiled code.
struct PipelineOptions {
  /// Runs per group of the lanes instance: 8 or 16. 0: no lanes instance.
  int64_t lanes = 16;
  /// Names of arguments that differ per run beyond those whose role says so.
  std::vector<std::string> perRun;
  /// Rows of the training and validation data, for learners that do not say.
  std::optional<int64_t> rows, validationRows;
  /// "per_run", "shared" or "none", for learners that do not say.
  std::optional<std::string> shuffle;
  /// What takes the place of the optimizer, as in "sgd<lr = 0.1>", and of the
  /// batch size of learners.
  std::optional<std::string> optimizer;
  std::optional<int64_t> batchSize;
  /// Rows of the training data that each run picks for itself, to train on and
  /// to be evaluated on; 0: all runs have the same.
  int64_t ownRows = 0, ownValidationRows = 0;
  /// Functions to compile; empty: all public ones.
  std::vector<std::string> entries;
  /// Those that are called for one batch of data after the other.
  std::vector<std::string> batchEntries;
  /// "native" or a CPU that LLVM knows, such as "x86-64-v3".
  std::string cpu = "native";
};

/// Adds the passes that write what the options say into learners.
void addLearnerOptions(mlir::OpPassManager &passes,
                       const PipelineOptions &options);

void buildParsePipeline(mlir::OpPassManager &passes,
                        const PipelineOptions &options);
void buildExpandPipeline(mlir::OpPassManager &passes,
                         const PipelineOptions &options);
void buildDifferentiatePipeline(mlir::OpPassManager &passes,
                                const PipelineOptions &options);
void buildVectorizePipeline(mlir::OpPassManager &passes,
                            const PipelineOptions &options);
void buildSchedulePipeline(mlir::OpPassManager &passes,
                           const PipelineOptions &options);
void buildLowerCPUPipeline(mlir::OpPassManager &passes,
                           const PipelineOptions &options);

/// One phase: its name on the command line, the directory under lib/, what it
/// does, the passes it is made of, and the last of them, which checks what
/// holds afterwards.
struct Phase {
  llvm::StringLiteral name;
  llvm::StringLiteral directory;
  llvm::StringLiteral summary;
  void (*build)(mlir::OpPassManager &, const PipelineOptions &);
  std::unique_ptr<mlir::Pass> (*createVerifier)();
};

/// All phases in order: parse, expand, differentiate, vectorize, schedule,
/// lower.
llvm::ArrayRef<Phase> phaseTable();

/// The position of a phase in the table, or nothing.
std::optional<size_t> findPhase(llvm::StringRef name);


/// Adds the phases after `from` (nothing: from the start) up to and including
/// `until` to `passes`. Text that comes from a phase is checked first.
void buildPipeline(mlir::OpPassManager &passes, const PipelineOptions &options,
                   std::optional<size_t> from, size_t until);

/// Registers everything that text of any phase may contain, with the rules of
/// all ops.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers all passes and one pipeline per phase, for tools and tests.
void registerAllPasses();

} // namespace ensc

#endif // ENSC_PIPELINES_PIPELINES_H
