//===- CheckInstances.h - Lanes instances against solo ones -----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_VECTORIZE_CHECKINSTANCES_H
#define ENSC_TEST_UNIT_VECTORIZE_CHECKINSTANCES_H

#include "ensc/API/Tensor.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace ensc::test {

/// One op of a function made by functionText(), without its result name.
struct OpText {
  std::string text;
  std::string resultType;
};

/// A function that returns the results of all `ops`, which read `arguments`
/// (as written between the parentheses of a function).
std::string functionText(const std::string &name, const std::string &arguments,
                         const std::vector<OpText> &ops);

/// For each public function of the program and each choice of which of its
/// arguments differ between runs: interprets the solo instance once for each of
/// 8 runs and the lanes instance once for all, and expects equal bits. Each run
/// has data of its own; among them are a run of NaNs and one of infinities,
/// indices out of range and integers at their limits.
void checkInstances(llvm::StringRef program);

/// Calls a function of the program, compiled up to the phase Vectorize, as one
/// run alone.
std::vector<Tensor> callSolo(llvm::StringRef program, llvm::StringRef function,
                             std::vector<Tensor> arguments, int64_t runId = 0);

/// Calls the lanes instance with 8 lanes. Arguments named in `shared` are one
/// tensor for all lanes, all others lead with 8.
std::vector<Tensor> callLanes(llvm::StringRef program, llvm::StringRef function,
                              std::vector<Tensor> arguments,
                              const std::vector<bool> &shared = {},
                              int64_t firstRunId = 0);

/// `tensors`, which have one type, along a new first dimension.
Tensor stack(const std::vector<Tensor> &tensors);

/// Element `index` of the first dimension.
Tensor row(const Tensor &tensor, int64_t index);

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_VECTORIZE_CHECKINSTANCES_H
