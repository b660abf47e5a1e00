//===- Suggest.h - What a misspelt name may have meant ----------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_SUGGEST_H
#define ENSC_RUNTIME_SUGGEST_H

#include <string>
#include <vector>

namespace ensc {

/// The end of an error about the unknown `name`: the names that exist, as in
/// "; it has lr, beta1" or "; it has none", and the nearest of them if one is
/// near, as in "; did you mean 'lr'? (it has lr, beta1)".
std::string suggest(const std::string &name,
                    const std::vector<std::string> &existing);

} // namespace ensc

#endif // ENSC_RUNTIME_SUGGEST_H
