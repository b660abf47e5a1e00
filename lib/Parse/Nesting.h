//===- Nesting.h - How deep the brackets of a text nest ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_PARSE_NESTING_H
#define ENSC_LIB_PARSE_NESTING_H

#include "ensc/API/Error.h"

#include <string>

namespace ensc {

/// How deep brackets and signs may nest: the parser, the passes and the
/// destructors of MLIR recurse once per level, on a stack that ends somewhere.
constexpr int deepestNesting = 256;

/// Fails at the first bracket or sign that is nested deeper, with
/// `name`:line:column. Those in strings and comments do not count.
Status checkNesting(const std::string &text, const std::string &name);

} // namespace ensc

#endif // ENSC_LIB_PARSE_NESTING_H
