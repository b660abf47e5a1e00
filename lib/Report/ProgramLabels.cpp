//===- ProgramLabels.cpp - Short names of programs ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/ProgramLabels.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace ensc;

/// What the plan says of how a program was compiled, "" where it says nothing.
static std::string optionOf(const Json &program, const std::string &name) {
  auto options = program.find("options");
  if (options == program.end() || !options->is_object())
    return "";
  auto value = options->find(name);
  if (value == options->end())
    return "";
  return value->is_string()
             ? value->get<std::string>()
             : value->dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The names of all options of some programs, in the order of the plan.
static std::vector<std::string> optionNames(const Json &programs) {
  std::vector<std::string> names;
  for (const Json &program : programs) {
    auto options = program.find("options");
    if (options == program.end() || !options->is_object())
      continue;
    for (const auto &[name, value] : options->items())
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  }
  return names;
}

/// An option in the words of a user.
static std::string describeOption(const std::string &name,
                                  const std::string &value) {
  if (name == "own_rows")
    return value + " training rows";
  if (name == "own_validation_rows")
    return value + " rows left out";
  return name + " " + value;
}

/// The options in which a program differs from one that has the same label.
static std::string describeDifferences(const Json &programs,
                                       const std::vector<std::string> &names,
                                       size_t program,
                                       const std::vector<size_t> &alike) {
  std::string text;
  for (const std::string &name : names) {
    std::string value = optionOf(programs[program], name);
    bool differs = std::any_of(alike.begin(), alike.end(), [&](size_t other) {
      return optionOf(programs[other], name) != value;
    });
    bool saysNothing = name == "own_validation_rows" && value == "0";
    if (!differs || value.empty() || saysNothing)
      continue;
    text += text.empty() ? "" : ", ";
    text += describeOption(name, value);
  }
  return text;
}

std::vector<std::string>
ensc::labelPrograms(const ExperimentReader &experiment) {
  std::vector<std::string> names;
  for (const ExperimentProgram &program : experiment.programs())
    names.push_back(program.name.substr(program.name.rfind('/') + 1));
  if (names.empty())
    return {""};
  // The reader has checked that there is an object for each.
  const Json &programs = experiment.plan().at("programs");
  std::vector<std::string> options = optionNames(programs);
  std::vector<std::string> labels;
  for (size_t i = 0; i < names.size(); ++i) {
    std::vector<size_t> alike;
    for (size_t j = 0; j < names.size(); ++j)
      if (names[j] == names[i])
        alike.push_back(j);
    std::string differences = describeDifferences(programs, options, i, alike);
    std::string label =
        names[i] + (differences.empty() ? "" : " (" + differences + ")");
    if (std::find(labels.begin(), labels.end(), label) != labels.end())
      label += " #" + std::to_string(i);
    labels.push_back(label);
  }
  return labels;
}
