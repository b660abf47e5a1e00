//===- ProgramLabels.h - Short names of programs -------------- -*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REPORT_PROGRAMLABELS_H
#define ENSC_REPORT_PROGRAMLABELS_H

#include "ensc/Experiment/Reader.h"

#include <string>
#include <vector>

namespace ensc {

/// A label for each program of an experiment, none of them the same: the name
/// of its file without directories, and the options in which it differs from
/// others of that name. There is at least one.
std::vector<std::string> labelPrograms(const ExperimentReader &experiment);

} // namespace ensc

#endif // ENSC_REPORT_PROGRAMLABELS_H
