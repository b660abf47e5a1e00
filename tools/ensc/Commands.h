//===- Commands.h - What the subcommands share ------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_COMMANDS_H
#define ENSC_TOOLS_ENSC_COMMANDS_H

#include "Flags.h"

#include "ensc/API/Compiler.h"
#include "ensc/API/Error.h"
#include "ensc/API/Options.h"
#include "ensc/API/Tensor.h"
#include "ensc/Experiment/Reader.h"

#include "llvm/Support/CommandLine.h"

#include <string>

namespace ensc::tool {

extern llvm::cl::SubCommand compileCommand, runCommand, trainCommand,
    runsCommand, watchCommand, reportCommand, predictCommand, evaluateCommand;
extern llvm::cl::OptionCategory category;

/// Each returns the exit code: 0, or 1 after an error.
int compileMain();
int runMain();
int trainMain();
int runsMain();
int predictMain();
int evaluateMain();
int watchMain();
int reportMain();

/// Prints an error, located or not, to standard error. Returns 1.
int fail(const Error &error);

/// Compiles a model, or finds it compiled on disk. What is wrong with the
/// cache is a warning.
Expected<Executable> compileModel(Compiler &compiler, const std::string &path);

/// Says on standard error why the last program is not kept on disk, if it
/// should be.
void warnOfCache(const Compiler &compiler);

/// Says on standard error what the records of an experiment lack.
void warnOfLostRecords(const ExperimentReader &experiment);

/// What the flags that several subcommands have say.
CompileOptions compileOptions();
std::string modelPath();
int threads();
int64_t seed();
RunSchedule schedule();

/// Reads `file.npy`, `file.npz:key` or `file.safetensors:key`.
Expected<Tensor> readTensor(const std::string &place);

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_COMMANDS_H
