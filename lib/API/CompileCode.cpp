//===- CompileCode.cpp - From text to objects -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileCode.h"

#include "Compilation.h"
#include "LargeStack.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir;
using namespace ensc;

std::vector<llvm::StringRef> CompiledCode::objectBytes() const {
  std::vector<llvm::StringRef> bytes;
  for (const llvm::SmallVector<char, 0> &object : objects)
    bytes.emplace_back(object.data(), object.size());
  return bytes;
}

/// Lowers what a compilation holds after Schedule.
static Expected<CompiledCode> finish(Compilation &compilation) {
  if (Status status = compilation.advanceTo("lower"); !status)
    return status.error();
  Expected<std::unique_ptr<llvm::Module>> module = compilation.emitCode();
  if (!module)
    return module.error();
  Expected<llvm::SmallVector<char, 0>> object =
      emitObject(**module, compilation.cpu());
  if (!object)
    return object.error();
  CompiledCode code{compilation.manifest(), {}};
  code.objects.push_back(std::move(*object));
  return code;
}

//===----------------------------------------------------------------------===//
// Shares
//===----------------------------------------------------------------------===//

namespace {
/// The functions that one thread lowers.
struct Share {
  llvm::StringSet<> functions;
  int64_t ops = 0;
};
} // namespace

static int64_t countOps(Operation *root) {
  int64_t ops = 0;
  root->walk([&](Operation *) { ++ops; });
  return ops;
}

/// Gives the greatest function that is left to the smallest share, so that all
/// take about as long. Equal modules are divided equally.
static std::vector<Share> divide(ModuleOp module, int threads) {
  // With less to do, starting a thread takes longer than it saves: it reads its
  // share into a context of its own, in some milliseconds.
  constexpr int64_t leastOps = 100;
  std::vector<std::pair<int64_t, std::string>> functions;
  int64_t total = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    functions.emplace_back(countOps(function), function.getName().str());
    total += functions.back().first;
  }
  llvm::stable_sort(functions, [](const auto &a, const auto &b) {
    return a.first > b.first;
  });
  int64_t count = std::min<int64_t>(
      {threads, static_cast<int64_t>(functions.size()), total / leastOps});
  std::vector<Share> shares(std::max<int64_t>(count, 1));
  for (const auto &[ops, name] : functions) {
    Share &share = *llvm::min_element(
        shares, [](const Share &a, const Share &b) { return a.ops < b.ops; });
    share.functions.insert(name);
    share.ops += ops;
  }
  return shares;
}

static void eraseOthers(ModuleOp module, const Share &share) {
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!share.functions.contains(function.getName()))
      function.erase();
}

/// A share as bytes, which another thread reads into a context of its own.
/// Unlike text they say where in the source each op comes from.
static Expected<std::string> writeShare(ModuleOp module, const Share &share) {
  OwningOpRef<ModuleOp> part = module.clone();
  eraseOthers(*part, share);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(writeBytecodeToFile(*part, os)))
    return Error(ErrorKind::Internal, "cannot write a module as bytecode");
  return bytes;
}

static Expected<CompiledCode> finishShare(const std::string &bytes,
                                          const std::string &name,
                                          const CompileOptions &options) {
  Expected<Compilation> compilation =
      Compilation::resume(bytes, name, options, /*from=*/"schedule");
  if (!compilation)
    return compilation.error();
  return finish(*compilation);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Adds the code of one share to a program whose manifest says what Schedule
/// knew. An entry may have its instances in two shares.
static void merge(CompiledCode share, CompiledCode &code) {
  for (ManifestEntry &entry : share.manifest.entries) {
    auto known =
        llvm::find_if(code.manifest.entries, [&](const ManifestEntry &other) {
          return other.name == entry.name;
        });
    if (entry.solo)
      known->solo = std::move(entry.solo);
    if (entry.lanes)
      known->lanes = std::move(entry.lanes);
  }
  for (llvm::SmallVector<char, 0> &object : share.objects)
    code.objects.push_back(std::move(object));
}

static Expected<CompiledCode> finishShares(Compilation &compilation,
                                           llvm::ArrayRef<Share> shares,
                                           const std::string &name,
                                           const CompileOptions &options) {
  Manifest manifest = buildManifest(compilation.module(), compilation.cpu());
  std::vector<std::string> bytes;
  for (const Share &share : shares.drop_front()) {
    Expected<std::string> written = writeShare(compilation.module(), share);
    if (!written)
      return written.error();
    bytes.push_back(std::move(*written));
  }
  std::vector<std::optional<Expected<CompiledCode>>> results(shares.size());
  auto finishOther = [&](size_t i) {
    results[i + 1] = finishShare(bytes[i], name, options);
  };
  std::vector<Thread> threads;
  for (size_t i = 0; i < bytes.size(); ++i) {
    Expected<Thread> thread = Thread::start(
        [&finishOther, i] { finishOther(i); }, compilingStackBytes);
    if (!thread)
      break;
    threads.push_back(std::move(*thread));
  }
  eraseOthers(compilation.module(), shares.front());
  results[0] = finish(compilation);
  // Where no more threads could start, this one does their work.
  for (size_t i = threads.size(); i < bytes.size(); ++i)
    finishOther(i);
  threads.clear();
  CompiledCode code{std::move(manifest), {}};
  for (std::optional<Expected<CompiledCode>> &result : results) {
    if (!*result)
      return result->error();
    merge(std::move(**result), code);
  }
  return code;
}

Expected<CompiledCode> ensc::compileCode(const std::string &text,
                                         const std::string &name,
                                         const CompileOptions &options,
                                         int threads) {
  Expected<Compilation> compilation = Compilation::start(text, name, options);
  if (!compilation)
    return compilation.error();
  if (Status status = compilation->advanceTo("schedule"); !status)
    return status.error();
  std::vector<Share> shares = divide(compilation->module(), threads);
  if (shares.size() == 1)
    return finish(*compilation);
  return finishShares(*compilation, shares, name, options);
}
