//===- Names.cpp - What names may be --------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Names.h"

#include "ensc/Runtime/Utf8.h"

#include <algorithm>
#include <cstdio>

using namespace ensc;

/// Commas separate names in flags and columns in files, signs of comparison and
/// equality end them in flags, colons the files that hold them; slashes and
/// backslashes separate directories.
static constexpr std::string_view separators = "\",/:<=>\\";

/// In front of a name a '.' hides a file, a '-' makes a flag or turns an order
/// around, an '@' stands for a file.
static constexpr std::string_view prefixes = ".-@ ";

static std::string quote(const Character &character) {
  if (character.code >= 0x20 && character.code < 0x7F)
    return std::string("'") + static_cast<char>(character.code) + "'";
  char code[16];
  std::snprintf(code, sizeof(code), "U+%04X", character.code);
  return code;
}

/// What is wrong with a name, in few words; empty: nothing.
static std::string findFault(std::string_view name) {
  if (name.empty())
    return "it is empty";
  if (prefixes.find(name.front()) != std::string_view::npos)
    return "it begins with " + quote(decodeCharacter(name));
  if (name.back() == ' ')
    return "it ends with ' '";
  while (!name.empty()) {
    Character next = decodeCharacter(name);
    if (!next.valid)
      return "it is no UTF-8";
    if (!isShown(next) ||
        (next.size == 1 && separators.find(name[0]) != std::string_view::npos))
      return "it has " + quote(next);
    name.remove_prefix(next.size);
  }
  return "";
}

std::string ensc::describeBadName(std::string_view name) {
  std::string fault = findFault(name);
  if (fault.empty())
    return "";
  return fault + ", but a name consists of characters that can be seen, other "
                 "than \" , / : < = > \\, and begins with none of . - @";
}

bool ensc::isColumnOfRuns(std::string_view name) {
  for (std::string_view prefix : {"final_", "best_"})
    if (name.substr(0, prefix.size()) == prefix) {
      std::string_view metric = name.substr(prefix.size());
      return metric == "loss" || metric.substr(0, 4) == "val_";
    }
  auto isAmong = [&](const auto &columns) {
    return std::find(std::begin(columns), std::end(columns), name) !=
           std::end(columns);
  };
  bool isInput = name == "seed" || name == "order_seed";
  return !isInput && (isAmong(runColumns) || isAmong(choiceColumns));
}
