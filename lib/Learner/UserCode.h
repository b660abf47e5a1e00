//===- UserCode.h - Functions of somebody else ------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LEARNER_USERCODE_H
#define ENSC_LIB_LEARNER_USERCODE_H

#include "ensc/API/Error.h"

#include <functional>

namespace ensc {

/// Calls `code`, which a user has written: what it throws becomes an error that
/// begins with `what`, as in "the callback". ensc itself throws nothing and is
/// compiled without exceptions, so that nothing thrown may pass through it.
Status callUserCode(const char *what, const std::function<Status()> &code);

} // namespace ensc

#endif // ENSC_LIB_LEARNER_USERCODE_H
