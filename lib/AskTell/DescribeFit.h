//===- DescribeFit.h - What a fit computes, before it is begun --*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_ASKTELL_DESCRIBEFIT_H
#define ENSC_LIB_ASKTELL_DESCRIBEFIT_H

#include "ensc/API/Learner.h"
#include "ensc/Artifact/JsonLines.h"

namespace ensc {

/// What plan.json would say of a fit with these options. Nothing is trained or
/// written. Hyper-parameters without a default need no value. Fails where
/// the options do not fit the learner.
Expected<Json> describeFit(Learner &learner, FitOptions options);

} // namespace ensc

#endif // ENSC_LIB_ASKTELL_DESCRIBEFIT_H
