//===- Yaml.h - Values by name as YAML --------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_YAML_H
#define ENSC_LIB_EXPERIMENT_YAML_H

#include <cstdint>
#include <string>

namespace ensc {

/// A map of names to scalars, in the order in which they are added.
class YamlMap {
public:
  void add(const std::string &name, int64_t value);
  /// Numbers read back as floating-point numbers of the same bits, in YAML 1.1
  /// too.
  void add(const std::string &name, double value);
  void add(const std::string &name, const std::string &value);

  const std::string &text() const { return text_; }

private:
  void addName(const std::string &name);

  std::string text_;
};

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_YAML_H
