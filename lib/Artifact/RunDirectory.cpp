//===- RunDirectory.cpp - The files of an experiment ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/RunDirectory.h"

#include "ensc/Artifact/InputFile.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unistd.h>

using namespace ensc;
namespace fs = std::filesystem;

namespace {
constexpr int64_t formatVersion = 1;
constexpr size_t minDigits = 4;

Error cannotCreate(const std::string &path, const std::string &why) {
  return Error(ErrorKind::Io,
               "cannot create the experiment '" + path + "': " + why);
}

/// Removes what create() made unless it succeeds.
class Rollback {
public:
  ~Rollback() {
    std::error_code ignored;
    for (size_t i = made_.size(); i-- > 0;)
      fs::remove(made_[i], ignored);
  }
  void add(const fs::path &path) { made_.push_back(path); }
  /// Keeps what was made, and says what that is.
  std::vector<std::string> disarm() {
    std::vector<std::string> made(made_.begin(), made_.end());
    made_.clear();
    return made;
  }

private:
  std::vector<fs::path> made_;
};

/// Creates `path` and what is missing above it.
Status makeDirectories(const std::string &experiment, const fs::path &path,
                       Rollback &rollback) {
  fs::path prefix;
  for (const fs::path &part : path) {
    prefix /= part;
    std::error_code code;
    if (part.empty() || fs::is_directory(prefix, code))
      continue;
    if (!fs::create_directory(prefix, code) || code)
      return cannotCreate(
          experiment, "cannot make the directory '" + prefix.string() + "': " +
                          (code ? code.message() : "it is not a directory"));
    rollback.add(prefix);
  }
  return Status::success();
}
} // namespace

Status RunDirectory::checkVacant(const std::string &path) {
  if (path.empty())
    return cannotCreate(path, "its path is empty");
  std::error_code code;
  fs::file_status status = fs::symlink_status(path, code);
  if (fs::exists(status) && !fs::is_directory(path, code))
    return cannotCreate(path, "a file of that name exists");
  if (fs::exists(status)) {
    if (fs::exists(path + "/experiment.json", code))
      return cannotCreate(path, "it exists already; name another directory or "
                                "remove this one");
    bool isEmpty = fs::is_empty(path, code);
    if (code)
      return cannotCreate(path, code.message());
    if (!isEmpty)
      return cannotCreate(path, "the directory is not empty; name another one");
  }
  fs::path existing = fs::absolute(path, code);
  while (!fs::exists(existing, code) && existing.has_relative_path())
    existing = existing.parent_path();
  if (!fs::is_directory(existing, code))
    return cannotCreate(path, "'" + existing.string() + "' is not a directory");
  if (::access(existing.c_str(), W_OK | X_OK) != 0)
    return cannotCreate(path, "cannot write to '" + existing.string() +
                                  "': " + describeErrno(errno));
  return Status::success();
}

Expected<RunDirectory> RunDirectory::create(const std::string &path,
                                            int64_t runs,
                                            const Json &description) {
  if (Status status = checkVacant(path); !status)
    return status.error();
  RunDirectory result(path, runs);
  Rollback rollback;
  if (Status status = makeDirectories(path, path + "/runs", rollback); !status)
    return status.error();
  Json content = {{"format", formatVersion}, {"runs", runs}};
  content.update(description);
  // Its presence makes the directory an experiment, so it comes last.
  if (Status status = writeJson(result.descriptionPath(), content); !status)
    return status.error();
  result.made_ = rollback.disarm();
  return result;
}

void RunDirectory::discard() const {
  std::error_code ignored;
  fs::remove(descriptionPath(), ignored);
  fs::remove(tablePath(), ignored);
  fs::remove_all(path_ + "/runs", ignored);
  for (size_t i = made_.size(); i-- > 0;)
    fs::remove(made_[i], ignored);
}

Expected<RunDirectory> RunDirectory::open(const std::string &path) {
  std::error_code code;
  RunDirectory result(path, 0);
  if (!fs::exists(result.descriptionPath(), code))
    return Error(ErrorKind::InvalidArgument,
                 "'" + path + "' is not an experiment: it has no " +
                     "experiment.json");
  Expected<Json> content = readJson(result.descriptionPath());
  if (!content)
    return content.error();
  if (!content->is_object() || !content->contains("format") ||
      !content->contains("runs") || !(*content)["format"].is_number_integer() ||
      !(*content)["runs"].is_number_integer())
    return Error(ErrorKind::InvalidData, result.descriptionPath() +
                                             ": expected the fields format and "
                                             "runs, both integers");
  int64_t format = (*content)["format"].get<int64_t>();
  if (format != formatVersion)
    return Error(ErrorKind::Unsupported,
                 result.descriptionPath() + ": format " +
                     std::to_string(format) + " is not supported; expected " +
                     std::to_string(formatVersion));
  result.runs_ = (*content)["runs"].get<int64_t>();
  return result;
}

std::string RunDirectory::runPath(int64_t run) const {
  size_t digits = std::max(
      minDigits, std::to_string(std::max<int64_t>(runs_ - 1, 0)).size());
  std::string name = std::to_string(run);
  if (name.size() < digits)
    name.insert(0, digits - name.size(), '0');
  return path_ + "/runs/" + name;
}

Status RunDirectory::createRun(int64_t run) const {
  std::error_code code;
  fs::create_directory(runPath(run), code);
  if (code)
    return Error(ErrorKind::Io, "cannot make the directory '" + runPath(run) +
                                    "': " + code.message());
  return Status::success();
}

Expected<std::vector<int64_t>> RunDirectory::listRuns() const {
  std::error_code code;
  std::vector<int64_t> runs;
  fs::directory_iterator next(path_ + "/runs", code), end;
  for (; !code && next != end; next.increment(code)) {
    std::string name = next->path().filename().string();
    std::optional<double> run = parseNumber(name);
    // Directories that somebody else put there are none of ours.
    if (run && *run >= 0 && *run < static_cast<double>(runs_) &&
        runPath(static_cast<int64_t>(*run)) == path_ + "/runs/" + name)
      runs.push_back(static_cast<int64_t>(*run));
  }
  if (code)
    return Error(ErrorKind::Io,
                 "cannot list '" + path_ + "/runs': " + code.message());
  std::sort(runs.begin(), runs.end());
  return runs;
}

Expected<Json> RunDirectory::readDescription() const {
  return readJson(descriptionPath());
}

Expected<CsvTable> RunDirectory::readTable() const {
  return readCsv(tablePath());
}

Status RunDirectory::writeTable(const CsvTable &table) const {
  if (Status status = flushFileSystem(path_); !status)
    return status;
  return writeCsv(tablePath(), table);
}

Status RunDirectory::writeFinalState(int64_t run,
                                     const Safetensors &state) const {
  return writeSafetensors(finalStatePath(run), state, Durability::Deferred);
}
