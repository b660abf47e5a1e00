//===- RunStatus.cpp - What became of a run -------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Learner.h"
#include "ensc/Runtime/Suggest.h"

using namespace ensc;

static constexpr const char *names[] = {"pending", "running", "completed",
                                        "stopped", "reached", "diverged"};

const char *ensc::nameOf(RunStatus status) {
  return names[static_cast<int>(status)];
}

Expected<RunStatus> ensc::parseRunStatus(const std::string &name) {
  int position = 0;
  for (const char *known : names) {
    if (name == known)
      return static_cast<RunStatus>(position);
    ++position;
  }
  return Error(ErrorKind::InvalidArgument,
               "no run has the status '" + name + "'" +
                   suggest(name, {std::begin(names), std::end(names)}));
}
