//===- Flags.h - Flags of ensc by the type of their values ------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's parsers of values speak of the types of C++. These say what a flag
// takes, and what it got.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_FLAGS_H
#define ENSC_TOOLS_ENSC_FLAGS_H

#include "llvm/Support/CommandLine.h"

#include <cstdint>

namespace ensc::tool {

/// A flag as users write it, as in "--runs" or "-o".
std::string spellFlag(const llvm::cl::Option &option);

/// Prints that the value of a flag has to be something else. Returns true,
/// which is an error to LLVM.
bool refuseValue(const llvm::cl::Option &option, const std::string &expected,
                 llvm::StringRef text);

class IntegerParser : public llvm::cl::parser<long long> {
public:
  using parser::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, long long &value);
  llvm::StringRef getValueName() const override { return "n"; }

  int64_t least = INT64_MIN, most = INT64_MAX;
};

class NumberParser : public llvm::cl::parser<double> {
public:
  using parser::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, double &value);
  llvm::StringRef getValueName() const override { return "number"; }
};

class SwitchParser : public llvm::cl::parser<bool> {
public:
  using parser::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, bool &value);
};

template <typename Enum> class ChoiceParser : public llvm::cl::parser<Enum> {
public:
  using llvm::cl::parser<Enum>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             Enum &value) {
    std::string names;
    for (size_t i = 0; i < this->Values.size(); ++i) {
      if (this->Values[i].Name == text) {
        value = this->Values[i].V.getValue();
        return false;
      }
      names += i == 0 ? "" : i + 1 == this->Values.size() ? " or " : ", ";
      names += this->Values[i].Name;
    }
    return refuseValue(option, names, text);
  }
};

using IntegerFlag = llvm::cl::opt<long long, false, IntegerParser>;
using NumberFlag = llvm::cl::opt<double, false, NumberParser>;
using SwitchFlag = llvm::cl::opt<bool, false, SwitchParser>;
template <typename Enum>
using ChoiceFlag = llvm::cl::opt<Enum, false, ChoiceParser<Enum>>;

/// What an IntegerFlag may be, said where the flag is.
struct Between {
  int64_t least, most = INT64_MAX;

  void apply(IntegerFlag &flag) const {
    flag.getParser().least = least;
    flag.getParser().most = most;
  }
};

/// The same without an upper limit.
inline Between atLeast(int64_t least) { return {least}; }

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_FLAGS_H
