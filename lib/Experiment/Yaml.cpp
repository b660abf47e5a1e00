//===- Yaml.cpp - Values by name as YAML ----------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Yaml.h"

#include "ensc/Experiment/JsonFields.h"

#include <algorithm>
#include <cctype>
#include <cmath>

using namespace ensc;

/// Text in quotes: what JSON writes is YAML.
static std::string quoted(const std::string &text) { return dumpLine(text); }

void YamlMap::addName(const std::string &name) {
  // Words such as "yes" and "null" mean other things than text.
  static const char *const words[] = {"y",   "n",    "yes",   "no",  "on",
                                      "off", "true", "false", "null"};
  bool isPlain = !name.empty() && !std::isdigit((unsigned char)name[0]) &&
                 std::all_of(name.begin(), name.end(), [](unsigned char c) {
                   return std::isalnum(c) || c == '_';
                 });
  std::string lower = name;
  for (char &c : lower)
    c = static_cast<char>(std::tolower((unsigned char)c));
  isPlain &=
      std::find(std::begin(words), std::end(words), lower) == std::end(words);
  text_ += (isPlain ? name : quoted(name)) + ": ";
}

void YamlMap::add(const std::string &name, int64_t value) {
  addName(name);
  text_ += std::to_string(value) + "\n";
}

void YamlMap::add(const std::string &name, double value) {
  addName(name);
  std::string number = formatNumber(value);
  if (std::isnan(value))
    number = ".nan";
  else if (std::isinf(value))
    number = value > 0 ? ".inf" : "-.inf";
  else if (number.find('.') == std::string::npos)
    // "1e-05" is text to readers of YAML 1.1, and "1" an integer.
    number.insert(std::min(number.find('e'), number.size()), ".0");
  text_ += number + "\n";
}

void YamlMap::add(const std::string &name, const std::string &value) {
  addName(name);
  text_ += quoted(value) + "\n";
}
