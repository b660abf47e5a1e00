//===- HyperValues.h - Whether hyper-parameters are in range ----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_HYPERVALUES_H
#define ENSC_RUNTIME_HYPERVALUES_H

#include "ensc/Runtime/Manifest.h"

namespace ensc {

/// The hyper-parameters of a learner of a program, in the order of the source,
/// each once.
std::vector<ManifestValue> hypersOf(const Manifest &manifest,
                                    const std::string &learner);

/// Checks that values of a hyper-parameter, one for all runs or one for each,
/// are in its range once they have its type. The error names the first that is
/// not, and its run; it begins with `what`.
Status checkHyperValues(const ManifestValue &hyper,
                        const std::vector<double> &values,
                        const std::string &what);

/// The same for the tensor given for an argument, which may have no range.
Status checkHyperTensor(const ManifestValue &argument, const Tensor &tensor,
                        const std::string &what);

/// Checks that values of a hyper-parameter are at most those of the one that is
/// its limit, both one for all runs or one for each. The error names the first
/// run where they are not; it begins with `what`.
Status checkHyperLimit(const ManifestValue &hyper,
                       const std::vector<double> &values,
                       const std::vector<double> &limits,
                       const std::string &what);

/// The same for all arguments of an entry that have a limit among them, given
/// tensors that fit.
Status checkHyperLimits(const ManifestEntry &entry,
                        const std::vector<Tensor> &arguments);

} // namespace ensc

#endif // ENSC_RUNTIME_HYPERVALUES_H
