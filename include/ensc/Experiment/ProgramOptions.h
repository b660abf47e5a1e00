//===- ProgramOptions.h - Options of a program as JSON ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXPERIMENT_PROGRAMOPTIONS_H
#define ENSC_EXPERIMENT_PROGRAMOPTIONS_H

#include "ensc/API/Error.h"
#include "ensc/API/Options.h"
#include "ensc/Artifact/JsonLines.h"

namespace ensc {

/// The options of a program that decide what it computes, for plan.json: not
/// those that decide how fast, and where programs are kept.
Json compileOptionsAsJson(const CompileOptions &options);

/// The options that compileOptionsAsJson() has described, those of the field
/// "options" of a program in plan.json. What it leaves out has its default.
Expected<CompileOptions> compileOptionsFromJson(const Json &json);

} // namespace ensc

#endif // ENSC_EXPERIMENT_PROGRAMOPTIONS_H
