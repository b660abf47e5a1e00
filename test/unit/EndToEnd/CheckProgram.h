//===- CheckProgram.h - Compiled code against the interpreter ---*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_ENDTOEND_CHECKPROGRAM_H
#define ENSC_TEST_UNIT_ENDTOEND_CHECKPROGRAM_H

#include "ensc/API/Options.h"

#include <string>

namespace ensc::test {

/// Calls every entry of a program with random arguments, NaN, infinities,
/// zeroes of both signs and subnormals among them, and expects of compiled code
/// the bits of the interpreter: for many numbers of runs, 1 and 2 threads, 8
/// and 16 lanes, and both schedules. Entries with steps run from 0 to 3.
/// `options` say the rest of how it is compiled.
void checkProgram(const std::string &text, const CompileOptions &options = {});

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_ENDTOEND_CHECKPROGRAM_H
