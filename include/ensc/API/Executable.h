//===- Executable.h - A compiled program ------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_API_EXECUTABLE_H
#define ENSC_API_EXECUTABLE_H

#include "ensc/API/Error.h"
#include "ensc/API/Options.h"
#include "ensc/API/Tensor.h"
#include "ensc/Runtime/Groups.h"
#include "ensc/Runtime/Program.h"

#include <memory>
#include <string>
#include <vector>

namespace ensc {

/// What a program was compiled from: enough to compile it again.
struct ProgramOrigin {
  std::string name; ///< The file, as errors give it.
  std::string text; ///< Empty: not known, as for what a library holds.
  CompileOptions options;
};

/// How Executable::call runs an entry.
struct CallOptions {
  int64_t runs = 1;     ///< 0 runs do nothing and give results of 0 runs.
  int64_t firstRun = 0; ///< The id of the first run.
  int threads = 0;      ///< 0: as many as there are cores.
  RunSchedule schedule = RunSchedule::Auto;
  /// For entries that have steps: those from begin on and below end, counted
  /// from 0.
  int64_t beginStep = 0, endStep = 0;
};

/// A compiled program: entries that can be called for any number of runs.
/// Copies share the code. Calls from several threads are safe.
///
/// ```cpp
/// Executable program = *Compiler().compileFile("model.mlir");
/// std::vector<Tensor> results = *program.call("f", {x}, {/*runs=*/8});
/// ```
class Executable {
public:
  explicit Executable(Program program, ProgramOrigin origin = {})
      : program_(std::move(program)),
        origin_(std::make_shared<const ProgramOrigin>(std::move(origin))) {}

  /// Loads a shared library that `ensc compile --emit=so` made.
  static Expected<Executable> open(const std::string &path);

  /// Entries, arguments, results and learners by name, type and role.
  const Manifest &manifest() const { return program_.manifest(); }

  /// Calls an entry for N runs. `arguments` are those of the entry in order: of
  /// the entry's type if all runs share them, with a leading dimension of N if
  /// each run has its own. Every result leads with N. The memory of arguments
  /// is read in place.
  ///
  /// Fails on an unknown entry, on arguments of the wrong number or type, on
  /// labels out of range and on steps that do not count upwards from 0.
  Expected<std::vector<Tensor>> call(const std::string &entry,
                                     const std::vector<Tensor> &arguments,
                                     const CallOptions &options = {}) const;

  /// Like call, into memory that exists: `results` are those of the entry in
  /// order, each with a leading dimension of N. A result may be the memory of
  /// an argument of the same type, which it replaces: so a call goes on where
  /// the last one ended.
  Status callInto(const std::string &entry,
                  const std::vector<Tensor> &arguments,
                  std::vector<Tensor> &results,
                  const CallOptions &options = {}) const;

  const Program &program() const { return program_; }

  /// What the program was compiled from; with an empty text if a library was
  /// loaded.
  const ProgramOrigin &origin() const { return *origin_; }

private:
  /// The entry called `name`, or what is wrong with the call.
  Expected<const ManifestEntry *> findEntry(const std::string &name,
                                            const CallOptions &options) const;

  Program program_;
  std::shared_ptr<const ProgramOrigin> origin_;
};

} // namespace ensc

#endif // ENSC_API_EXECUTABLE_H
