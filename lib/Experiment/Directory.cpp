//===- Directory.cpp - The directory of a fit -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Directory.h"

#include "EventLog.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/InputFile.h"
#include "ensc/Experiment/JsonFields.h"
#include "ensc/Experiment/PlanFile.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <unistd.h>

using namespace ensc;
namespace fs = std::filesystem;

static Error cannotUse(const std::string &path, ErrorKind kind,
                       const std::string &why) {
  return Error(kind, "cannot use the experiment '" + path + "': " + why);
}

//===----------------------------------------------------------------------===//
// What is at the path
//===----------------------------------------------------------------------===//

static bool exists(const std::string &path) {
  std::error_code code;
  return fs::exists(path, code);
}

static bool isExperiment(const std::string &path) {
  return exists(path + "/plan.json") || exists(path + "/experiment.json");
}

/// Whether nothing is in a directory but what a process left that was killed
/// while it created an experiment.
static bool isVacant(const std::string &path, std::error_code &code) {
  bool hasLock = exists(path + "/lock");
  fs::directory_iterator next(path, code), end;
  for (; !code && next != end; next.increment(code)) {
    std::string name = next->path().filename().string();
    if (!hasLock || (name != "lock" && name != "program" &&
                     name.rfind(".plan.json.", 0) != 0))
      return false;
  }
  return true;
}

/// Fails where something is at the path that is no experiment and must stay.
static Status checkPath(const std::string &path) {
  if (path.empty())
    return cannotUse(path, ErrorKind::InvalidArgument, "its path is empty");
  std::error_code code;
  fs::file_status status = fs::status(path, code);
  if (!fs::exists(fs::symlink_status(path, code)))
    return Status::success();
  if (!fs::is_directory(status))
    return cannotUse(path, ErrorKind::InvalidArgument,
                     "a file of that name exists");
  if (isExperiment(path))
    return Status::success();
  bool vacant = isVacant(path, code);
  if (code)
    return cannotUse(path, ErrorKind::Io, code.message());
  if (!vacant)
    return cannotUse(path, ErrorKind::InvalidArgument,
                     "the directory holds something else; name another one");
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Creating
//===----------------------------------------------------------------------===//

static Status makeDirectories(const std::string &path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code)
    return Error(ErrorKind::Io,
                 "cannot make the directory '" + path + "': " + code.message());
  return Status::success();
}

Status Directory::create(const Json &plan,
                         const std::vector<std::string> &texts) {
  if (Status status = makeDirectories(layout_.programs()); !status)
    return status;
  for (size_t i = 0; i < texts.size(); ++i)
    if (!texts[i].empty())
      if (Status status = writeFileAtomically(
              layout_.programs() + "/" + std::to_string(i) + ".mlir", texts[i]);
          !status)
        return status;
  Json content = {{"format", experimentFormat},
                  {"created", creationTime()},
                  {"versions", {{"ensc", ENSC_VERSION}}}};
  content.update(plan);
  // Its presence makes the directory an experiment, so it comes last.
  if (Status status = writeJson(layout_.plan(), content); !status)
    return status;
  plan_ = std::make_shared<Json>(std::move(content));
  isNew_ = true;
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Going on
//===----------------------------------------------------------------------===//

static std::vector<std::string> readTexts(const Layout &layout, size_t count) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    Expected<std::string> text =
        readTextFile(layout.programs() + "/" + std::to_string(i) + ".mlir");
    texts.push_back(text ? *text : "");
  }
  return texts;
}

std::string ensc::describeEpochs(int64_t was, int64_t is) {
  std::string change =
      "epochs: was " + std::to_string(was) + ", is " + std::to_string(is);
  return is < was ? change + "; they may only grow" : change;
}

/// What is wrong with another number of epochs; empty if nothing is.
static std::string checkEpochs(const Json &plan, int64_t was, int64_t is) {
  if (is < was)
    return describeEpochs(was, is);
  const Json *goal = findField(plan, "goal");
  const Json *search = findField(plan, "search");
  if (is > was &&
      ((goal && !goal->is_null()) || (search && !search->is_null())))
    return describeEpochs(was, is) +
           "; with a goal or a search they cannot grow, for what was " +
           "decided depends on them";
  return "";
}

Error ensc::otherPlan(const std::string &path,
                      const std::vector<std::string> &differences) {
  constexpr size_t shown = 8;
  std::string text = "it was started with another plan";
  for (size_t i = 0; i < std::min(differences.size(), shown); ++i)
    text += "\n  " + differences[i];
  if (differences.size() > shown)
    text += "\n  and " + std::to_string(differences.size() - shown) + " more";
  return cannotUse(path, ErrorKind::InvalidArgument,
                   text + "\nname another directory, or start over with " +
                       "--fresh, which moves this one aside");
}

Status Directory::reopen(const Json &plan,
                         const std::vector<std::string> &texts) {
  Expected<Json> kept = readJson(layout_.plan());
  if (!kept)
    return cannotUse(layout_.root, kept.error().kind(),
                     kept.error().message() +
                         "; put the file back, or start over with --fresh, "
                         "which moves this one aside");
  std::optional<int64_t> was = integerOf(findField(*kept, "epochs"));
  std::optional<int64_t> is = integerOf(findField(plan, "epochs"));
  if (!was || !is)
    return Error(ErrorKind::InvalidData,
                 layout_.plan() + ": expected the field epochs");
  std::vector<std::string> differences =
      comparePlans(*kept, plan, readTexts(layout_, texts.size()), texts);
  if (std::string wrong = checkEpochs(plan, *was, *is); !wrong.empty())
    differences.push_back(wrong);
  if (!differences.empty())
    return otherPlan(layout_.root, differences);
  plan_ = std::make_shared<Json>(std::move(*kept));
  return Status::success();
}

Expected<Directory> Directory::open(const std::string &path, bool fresh,
                                    const Json &plan,
                                    const std::vector<std::string> &texts) {
  if (Status status = checkPath(path); !status)
    return status.error();
  if (fresh && isExperiment(path))
    if (Status status = moveAside(path); !status)
      return status.error();
  if (exists(path + "/experiment.json") && !exists(path + "/plan.json"))
    return cannotUse(path, ErrorKind::Unsupported,
                     "it was written by an older ensc, in format 1 with "
                     "experiment.json; name another directory, or start over "
                     "with --fresh, which moves this one aside");
  if (Status status = makeDirectories(path); !status)
    return cannotUse(path, ErrorKind::Io, status.error().message());
  Layout layout{path, integerOf(findField(plan, "runs")).value_or(0)};
  Expected<Lock> lock = Lock::take(layout.lock());
  if (!lock)
    return cannotUse(path, lock.error().kind(), lock.error().message());
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    return cannotUse(path, ErrorKind::Io, describeErrno(errno));
  // What was there is aside now.
  if (fresh && exists(layout.plan()))
    return cannotUse(path, ErrorKind::InvalidArgument,
                     "another process has just begun one there");
  Directory directory(layout, std::move(*lock));
  Status status = exists(layout.plan()) ? directory.reopen(plan, texts)
                                        : directory.create(plan, texts);
  if (!status)
    return status.error();
  return directory;
}
