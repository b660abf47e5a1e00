//===- Flags.h - The command line of ens-bench ------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not LLVM's command line: libLLVM has taken names like --threads already.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENS_BENCH_FLAGS_H
#define ENSC_TOOLS_ENS_BENCH_FLAGS_H

#include "ensc/API/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ensc::bench {

/// A flag that exists. One without `value` is a switch.
struct Flag {
  std::string name;  ///< Without the dashes.
  std::string value; ///< What its value is, for the help; empty: none.
  std::string help;
};

/// What was given: flags as --name=VALUE or --name VALUE, and the rest.
class Flags {
public:
  /// Fails on a flag that `known` has not, or that lacks its value.
  static Expected<Flags> parse(const std::vector<std::string> &arguments,
                               const std::vector<Flag> &known);

  const std::vector<std::string> &positional() const { return positional_; }
  bool has(const std::string &name) const { return values.count(name); }

  /// The value of a flag, or `otherwise`.
  std::string text(const std::string &name, const std::string &otherwise) const;

  /// The same as a whole number from `least` to `most`.
  Expected<int64_t> integer(const std::string &name, int64_t otherwise,
                            int64_t least, int64_t most = INT64_MAX) const;

private:
  std::vector<std::string> positional_;
  std::map<std::string, std::string> values;
};

/// One line per flag.
std::string describe(const std::vector<Flag> &known);

} // namespace ensc::bench

#endif // ENSC_TOOLS_ENS_BENCH_FLAGS_H
