//===- Flags.cpp - Flags of ensc by the type of their values --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flags.h"

#include "Commands.h"

#include "ensc/Artifact/Csv.h"
#include "ensc/Runtime/WholeNumber.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace ensc;

std::string tool::spellFlag(const llvm::cl::Option &option) {
  return (option.ArgStr.size() == 1 ? "-" : "--") + option.ArgStr.str();
}

bool tool::refuseValue(const llvm::cl::Option &option,
                       const std::string &expected, llvm::StringRef text) {
  fail(Error(ErrorKind::InvalidArgument, spellFlag(option) + " must be " +
                                             expected + ", got '" + text.str() +
                                             "'"));
  return true;
}

bool tool::IntegerParser::parse(llvm::cl::Option &option, llvm::StringRef,
                                llvm::StringRef text, long long &value) {
  Expected<int64_t> number =
      parseWholeNumber(spellFlag(option), text.str(), least, most);
  if (!number) {
    fail(number.error());
    return true;
  }
  value = *number;
  return false;
}

bool tool::NumberParser::parse(llvm::cl::Option &option, llvm::StringRef,
                               llvm::StringRef text, double &value) {
  std::optional<double> number = parseNumber(text.str());
  if (!number || !std::isfinite(*number))
    return refuseValue(option, "a finite number", text);
  value = *number;
  return false;
}

bool tool::SwitchParser::parse(llvm::cl::Option &option, llvm::StringRef,
                               llvm::StringRef text, bool &value) {
  auto parsed = llvm::StringSwitch<std::optional<bool>>(text)
                    .Cases({"", "true", "1"}, true)
                    .Cases({"false", "0"}, false)
                    .Default(std::nullopt);
  if (!parsed)
    return refuseValue(option, "true or false", text);
  value = *parsed;
  return false;
}
