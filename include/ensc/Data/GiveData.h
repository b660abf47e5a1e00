//===- GiveData.h - Arrays for a learner ------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DATA_GIVEDATA_H
#define ENSC_DATA_GIVEDATA_H

#include "ensc/API/Executable.h"
#include "ensc/API/Learner.h"
#include "ensc/Data/DataSet.h"

#include <vector>

namespace ensc {

/// Gives a learner of these programs every array that it trains on or is
/// validated on. Fails where one is missing or does not fit, or where two
/// programs want the same array in two types.
Status giveData(Learner &learner, const std::vector<Executable> &programs,
                const DataSet &data);

} // namespace ensc

#endif // ENSC_DATA_GIVEDATA_H
