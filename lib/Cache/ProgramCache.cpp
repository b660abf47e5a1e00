//===- ProgramCache.cpp - Compiled programs on disk -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Cache/ProgramCache.h"

#include "CacheFile.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/InputFile.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

using namespace ensc;
namespace fs = std::filesystem;

static constexpr std::string_view extension = ".ensc";

//===----------------------------------------------------------------------===//
// Directory
//===----------------------------------------------------------------------===//

/// The value of a variable that is set and not empty.
static std::optional<std::string> environment(const char *name) {
  const char *value = std::getenv(name);
  if (!value || !*value)
    return std::nullopt;
  return value;
}

std::optional<std::string> ProgramCache::findDirectory() {
  if (std::getenv("ENSC_CACHE_DIR"))
    return environment("ENSC_CACHE_DIR");
  // The specification of XDG_CACHE_HOME says to ignore a relative path.
  std::optional<std::string> base = environment("XDG_CACHE_HOME");
  if (base && base->front() == '/')
    return *base + "/ensc";
  if (std::optional<std::string> home = environment("HOME"))
    return *home + "/.cache/ensc";
  return std::nullopt;
}

/// Makes a directory, and what is missing above it, for this user alone: code
/// that others could change must not run.
static Status makeDirectory(const std::string &directory) {
  fs::path prefix;
  for (const fs::path &part : fs::path(directory)) {
    prefix /= part;
    // An empty part follows a slash at the end.
    if (part.empty() || ::mkdir(prefix.c_str(), 0700) == 0 || errno == EEXIST)
      continue;
    std::error_code ignored;
    int code = errno;
    // Where nothing can be made, such as on a disk that can only be read, the
    // error is not that the directory exists.
    if (!fs::is_directory(prefix, ignored))
      return Error(ErrorKind::Io, "cannot make the directory '" +
                                      prefix.string() +
                                      "': " + describeErrno(code));
  }
  return Status::success();
}

/// Why a directory is none that belongs to this user and that nobody else may
/// put files into; empty if it is, nothing if it does not exist.
static std::optional<std::string> whyNotOwn(const std::string &path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0)
    return std::nullopt;
  if (!S_ISDIR(info.st_mode))
    return "which is no directory";
  if (info.st_uid != ::geteuid())
    return "which belongs to another user";
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return "which others may write";
  return "";
}

std::string ProgramCache::pathOf(std::string_view key) const {
  return directory_ + "/" + hashToHex(key) + std::string(extension);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

std::optional<CachedProgram> ProgramCache::find(std::string_view key) const {
  // What others may write is code of others.
  if (whyNotOwn(directory_) != "")
    return std::nullopt;
  std::string path = pathOf(key);
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file || !(*file)->isOwn() || (*file)->size() > limit_)
    return std::nullopt;
  std::string bytes((*file)->size(), '\0');
  if (!(*file)->readAt(0, bytes.data(), bytes.size()))
    return std::nullopt;
  std::optional<CachedProgram> program = decodeCacheFile(bytes, key);
  // The time of the last use; where it cannot be set, the program merely goes
  // earlier.
  if (program)
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return program;
}

Status ProgramCache::store(std::string_view key,
                           const CachedProgram &program) const {
  if (Status status = makeDirectory(directory_); !status)
    return status;
  if (std::string why = whyNotOwn(directory_).value_or(""); !why.empty())
    return Error(ErrorKind::Io, "cannot keep programs in '" + directory_ +
                                    "', " + why +
                                    "; make it a directory of your own with "
                                    "mode 0700");
  Expected<AtomicFile> file = AtomicFile::create(pathOf(key), 0600);
  if (!file)
    return file.error();
  if (Status status = file->write(encodeCacheFile(key, program)); !status)
    return status;
  // The checksum finds what a crash of the machine leaves.
  if (Status status = file->commit(Durability::Deferred); !status)
    return status;
  evict();
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Limit
//===----------------------------------------------------------------------===//

namespace {
struct KeptFile {
  fs::path path;
  uint64_t size;
  fs::file_time_type used;
};
} // namespace

static bool endsWith(const std::string &text, std::string_view end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Whether a name is that of a temporary file of AtomicFile for a program.
static bool isTemporary(const std::string &name) {
  return name.front() == '.' && endsWith(name, ".tmp") &&
         name.find(std::string(extension) + ".") != std::string::npos;
}

/// The programs in a directory. Removes what processes that died while they
/// stored one left behind. Another process may remove any file meanwhile.
static std::vector<KeptFile> listPrograms(const std::string &directory) {
  constexpr std::chrono::hours longestStore(1);
  auto now = fs::file_time_type::clock::now();
  std::vector<KeptFile> files;
  std::error_code code;
  fs::directory_iterator at(directory, code), end;
  for (; !code && at != end; at.increment(code)) {
    std::error_code gone;
    std::string name = at->path().filename().string();
    fs::file_time_type used = at->last_write_time(gone);
    uint64_t size = gone ? 0 : at->file_size(gone);
    if (gone)
      continue;
    if (endsWith(name, extension))
      files.push_back({at->path(), size, used});
    else if (isTemporary(name) && now - used > longestStore)
      fs::remove(at->path(), gone);
  }
  return files;
}

void ProgramCache::evict() const {
  std::vector<KeptFile> files = listPrograms(directory_);
  uint64_t total = 0;
  for (const KeptFile &file : files)
    total += file.size;
  std::sort(
      files.begin(), files.end(),
      [](const KeptFile &a, const KeptFile &b) { return a.used < b.used; });
  for (const KeptFile &file : files) {
    if (total <= limit_)
      return;
    std::error_code ignored;
    fs::remove(file.path, ignored);
    total -= file.size;
  }
}
