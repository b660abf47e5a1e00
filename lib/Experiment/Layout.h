//===- Layout.h - Where an experiment keeps what ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_LAYOUT_H
#define ENSC_LIB_EXPERIMENT_LAYOUT_H

#include <algorithm>
#include <cstdint>
#include <string>

namespace ensc {

/// The version of the files. Version 1 had experiment.json.
constexpr int64_t experimentFormat = 2;

/// Paths in the directory of an experiment.
struct Layout {
  std::string root;
  int64_t runs = 0;

  std::string plan() const { return root + "/plan.json"; }
  std::string lock() const { return root + "/lock"; }
  std::string events() const { return root + "/events.jsonl"; }
  std::string metrics() const { return root + "/metrics.csv"; }
  std::string table() const { return root + "/runs.csv"; }
  std::string programs() const { return root + "/program"; }
  std::string checkpoints() const { return root + "/checkpoints"; }
  std::string runDirectories() const { return root + "/runs"; }

  std::string checkpoint(const std::string &name) const {
    return checkpoints() + "/" + name;
  }
  std::string run(int64_t number) const {
    return runDirectories() + "/" + runName(number);
  }
  std::string finalState(int64_t number) const {
    return run(number) + "/final.safetensors";
  }

  /// The number with as many digits as the largest one needs, at least 4.
  std::string runName(int64_t number) const {
    return padded(
        number, std::max<size_t>(
                    4, std::to_string(std::max<int64_t>(runs - 1, 0)).size()));
  }

  static std::string padded(int64_t number, size_t digits) {
    std::string text = std::to_string(number);
    return std::string(digits - std::min(digits, text.size()), '0') + text;
  }
};

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_LAYOUT_H
