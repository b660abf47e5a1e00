//===- Flags.cpp - The command line of ens-bench --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flags.h"

#include "ensc/Runtime/Suggest.h"
#include "ensc/Runtime/WholeNumber.h"

#include <algorithm>

using namespace ensc;
using namespace ensc::bench;

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

static Error unknownFlag(const std::string &name,
                         const std::vector<Flag> &known) {
  std::vector<std::string> names;
  for (const Flag &flag : known)
    names.push_back(flag.name);
  return invalid("there is no flag --" + name + suggest(name, names));
}

Expected<Flags> Flags::parse(const std::vector<std::string> &arguments,
                             const std::vector<Flag> &known) {
  Flags flags;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument.rfind("--", 0) != 0) {
      flags.positional_.push_back(argument);
      continue;
    }
    size_t equals = argument.find('=');
    bool hasValue = equals != std::string::npos;
    std::string name = argument.substr(2, hasValue ? equals - 2 : equals);
    auto flag = std::find_if(known.begin(), known.end(), [&](const Flag &flag) {
      return flag.name == name;
    });
    if (flag == known.end())
      return unknownFlag(name, known);
    if (flag->value.empty() && hasValue)
      return invalid("--" + name + " takes no value");
    if (!flag->value.empty() && !hasValue && ++i == arguments.size())
      return invalid("--" + name + " needs a value: --" + name + "=" +
                     flag->value);
    std::string value = hasValue              ? argument.substr(equals + 1)
                        : flag->value.empty() ? ""
                                              : arguments[i];
    if (!flags.values.emplace(name, std::move(value)).second)
      return invalid("--" + name + " is given twice");
  }
  return flags;
}

std::string Flags::text(const std::string &name,
                        const std::string &otherwise) const {
  auto found = values.find(name);
  return found == values.end() ? otherwise : found->second;
}

Expected<int64_t> Flags::integer(const std::string &name, int64_t otherwise,
                                 int64_t least, int64_t most) const {
  auto found = values.find(name);
  if (found == values.end())
    return otherwise;
  return parseWholeNumber("--" + name, found->second, least, most);
}

std::string bench::describe(const std::vector<Flag> &known) {
  constexpr size_t column = 28;
  std::string text;
  for (const Flag &flag : known) {
    std::string name =
        "  --" + flag.name + (flag.value.empty() ? "" : "=" + flag.value);
    text += name +
            std::string(column - std::min(column - 1, name.size()), ' ') +
            flag.help + "\n";
  }
  return text;
}
