//===- ProgramKey.cpp - What compiled code depends on ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramKey.h"

#include "Compilation.h"

#include "ensc/Cache/BuildId.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/TargetParser/Host.h"

using namespace ensc;

Expected<std::string> ensc::compilerIdentity() {
  static const char inEnsc = 0;
  const std::pair<const char *, const void *> parts[] = {
      {"ensc", &inEnsc},
      {"MLIR", reinterpret_cast<const void *>(&mlir::translateModuleToLLVMIR)},
      {"LLVM", reinterpret_cast<const void *>(&llvm::sys::getHostCPUName)}};
  std::string identity;
  for (const auto &[name, address] : parts) {
    std::optional<std::string> id = buildIdOf(address);
    if (!id)
      return Error(ErrorKind::Unsupported,
                   std::string("what holds the code of ") + name +
                       " has no build id; link it with --build-id");
    identity += std::string(name) + " " + *id + " ";
  }
  return identity;
}

namespace {
/// Fields with their lengths, so that no value can pass for another field.
class KeyWriter {
public:
  void add(const char *field, const std::string &value) {
    text += std::string(field) + " " + std::to_string(value.size()) + " " +
            value + "\n";
  }
  void add(const char *field, int64_t value) {
    add(field, std::to_string(value));
  }
  template <typename T>
  void add(const char *field, const std::optional<T> &value) {
    if (value)
      add(field, *value);
  }
  void add(const char *field, const std::vector<std::string> &values) {
    for (const std::string &value : values)
      add(field, value);
  }

  std::string text;
};
} // namespace

std::string ensc::programKey(const std::string &compiler, const TargetCpu &cpu,
                             const CompileOptions &options,
                             const std::string &text) {
  KeyWriter key;
  key.add("compiler", compiler);
  // The name "native" says little: two machines may share a directory.
  key.add("cpu", cpu.name);
  key.add("features", cpu.features);
  key.add("lanes", lanesOf(options));
  key.add("per-run", options.perRun);
  key.add("rows", options.rows);
  key.add("validation-rows", options.validationRows);
  key.add("shuffle", options.shuffle);
  key.add("optimizer", options.optimizer);
  key.add("batch-size", options.batchSize);
  if (options.ownRows) {
    key.add("own-rows", options.ownRows->training);
    key.add("own-validation-rows", options.ownRows->validation);
  }
  key.add("entry", options.entries);
  key.add("batch-entry", options.batchEntries);
  key.add("program", text);
  return std::move(key.text);
}
