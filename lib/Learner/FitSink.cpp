//===- FitSink.cpp - What keeps a fit -------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Learner/FitSink.h"

using namespace ensc;

FitSink::~FitSink() = default;

const char *ensc::nameOf(FitEvent::Kind kind) {
  constexpr const char *names[] = {"admitted", "stopped", "copied", "changed"};
  return names[static_cast<int>(kind)];
}

const Tensor *Snapshot::Ensemble::find(const std::string &name) const {
  for (const NamedTensor &named : tensors)
    if (named.name == name)
      return &named.tensor;
  return nullptr;
}
