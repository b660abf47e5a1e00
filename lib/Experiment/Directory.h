//===- Directory.h - The directory of a fit ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_DIRECTORY_H
#define ENSC_LIB_EXPERIMENT_DIRECTORY_H

#include "Layout.h"
#include "ensc/Experiment/Lock.h"

#include "ensc/Artifact/JsonLines.h"

#include <optional>
#include <string>
#include <vector>

namespace ensc {

/// The directory of a fit, locked: no other process writes to it.
class Directory {
public:
  /// Creates the experiment, or opens that of the same plan. `plan` is what
  /// makePlan() gives, `texts` are those of its programs. `fresh`: an
  /// experiment that exists is moved aside. Fails where something else is at
  /// the path, where another process writes to it, and where the plan that is
  /// kept differs in more than a lower number of epochs. plan.json stays as it
  /// is, with the epochs that it began with.
  static Expected<Directory> open(const std::string &path, bool fresh,
                                  const Json &plan,
                                  const std::vector<std::string> &texts);

  const Layout &layout() const { return layout_; }

  /// All of plan.json.
  const Json &plan() const { return *plan_; }

  /// Whether the experiment was made by open().
  bool isNew() const { return isNew_; }

private:
  Directory(Layout layout, Lock lock)
      : layout_(std::move(layout)), lock_(std::move(lock)) {}
  Status create(const Json &plan, const std::vector<std::string> &texts);
  Status reopen(const Json &plan, const std::vector<std::string> &texts);

  Layout layout_;
  Lock lock_;
  std::shared_ptr<const Json> plan_;
  bool isNew_ = false;
};

/// "epochs: was 5, is 3; they may only grow".
std::string describeEpochs(int64_t was, int64_t is);

/// The error about an experiment that was started with another plan.
Error otherPlan(const std::string &path,
                const std::vector<std::string> &differences);

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_DIRECTORY_H
