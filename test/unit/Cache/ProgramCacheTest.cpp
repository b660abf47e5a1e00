//===- ProgramCacheTest.cpp - Compiled programs on disk -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Cache/ProgramCache.h"

#include "FileSizeLimit.h"
#include "TestFiles.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ensc;
namespace fs = std::filesystem;

namespace {

/// A variable of the environment that is as it was when the test ends.
class Variable {
public:
  Variable(const char *name, const char *value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    set(value);
  }
  ~Variable() { set(before ? before->c_str() : nullptr); }
  void set(const char *value) {
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }

private:
  const char *name;
  std::optional<std::string> before;
};

CachedProgram someProgram() {
  return {"{\"manifest\": 1}", {std::string("\0object", 7), "another"}};
}

bool equal(const std::optional<CachedProgram> &a, const CachedProgram &b) {
  return a && a->manifest == b.manifest && a->objects == b.objects;
}

/// The one file of a directory.
std::string onlyFile(const TemporaryDirectory &directory) {
  EXPECT_EQ(directory.count(), 1);
  return fs::directory_iterator(directory.path())->path().string();
}

TEST(ProgramCache, GivesWhatWasStoredUnderTheKey) {
  TemporaryDirectory directory;
  ProgramCache cache(directory.file("a/b"));
  EXPECT_FALSE(cache.find("key"));
  ASSERT_TRUE(cache.store("key", someProgram()));
  EXPECT_TRUE(equal(cache.find("key"), someProgram()));
  EXPECT_FALSE(cache.find("kez"));
  EXPECT_FALSE(cache.find(""));
  // The code is for this user alone.
  EXPECT_EQ(fs::status(directory.file("a/b")).permissions(),
            fs::perms::owner_all);

  CachedProgram other = {"", {}};
  ASSERT_TRUE(cache.store("key", other));
  EXPECT_TRUE(equal(cache.find("key"), other));
}

TEST(ProgramCache, IgnoresTruncatedFilesAndReplacesThem) {
  TemporaryDirectory directory;
  ProgramCache cache(directory.path());
  ASSERT_TRUE(cache.store("key", someProgram()));
  std::string path = onlyFile(directory);
  std::string whole = readBytes(path);
  for (size_t size = 0; size < whole.size(); ++size) {
    writeBytes(path, whole.substr(0, size));
    EXPECT_FALSE(cache.find("key")) << size << " bytes";
  }
  writeBytes(path, whole + "x");
  EXPECT_FALSE(cache.find("key"));
  ASSERT_TRUE(cache.store("key", someProgram()));
  EXPECT_TRUE(equal(cache.find("key"), someProgram()));
}

TEST(ProgramCache, IgnoresFilesWithAnyWrongBit) {
  TemporaryDirectory directory;
  ProgramCache cache(directory.path());
  ASSERT_TRUE(cache.store("key", someProgram()));
  std::string path = onlyFile(directory);
  std::string whole = readBytes(path);
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] ^= 1 << (bit % 8);
    writeBytes(path, damaged);
    EXPECT_FALSE(cache.find("key")) << "bit " << bit;
  }
  writeBytes(path, whole);
  EXPECT_TRUE(cache.find("key"));
}

TEST(ProgramCache, IgnoresAFileOfAnotherKey) {
  TemporaryDirectory directory;
  ProgramCache cache(directory.path());
  ASSERT_TRUE(cache.store("one", someProgram()));
  std::string one = onlyFile(directory);
  std::string bytes = readBytes(one);
  fs::remove(one);
  ASSERT_TRUE(cache.store("two", someProgram()));
  writeBytes(onlyFile(directory), bytes);
  EXPECT_FALSE(cache.find("two"));
}

TEST(ProgramCache, FilesAreForTheirUserAlone) {
  TemporaryDirectory directory;
  ProgramCache cache(directory.file("cache"));
  mode_t before = ::umask(0);
  Status status = cache.store("key", someProgram());
  ::umask(before);
  ASSERT_TRUE(status);
  fs::path path = fs::directory_iterator(directory.file("cache"))->path();
  EXPECT_EQ(fs::status(path).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(directory.file("cache")).permissions(),
            fs::perms::owner_all);
}

TEST(ProgramCache, IgnoresFilesThatOthersMayWrite) {
  TemporaryDirectory directory;
  ProgramCache cache(directory.path());
  ASSERT_TRUE(cache.store("key", someProgram()));
  std::string path = onlyFile(directory);
  for (mode_t mode : {0620, 0602, 0666}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_FALSE(cache.find("key")) << std::oct << mode;
  }
  // Others may read it.
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  EXPECT_TRUE(cache.find("key"));
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  ASSERT_TRUE(cache.store("key", someProgram()));
  EXPECT_TRUE(cache.find("key"));
}

TEST(ProgramCache, IgnoresDirectoriesThatOthersMayWrite) {
  TemporaryDirectory directory;
  ProgramCache cache(directory.path());
  ASSERT_TRUE(cache.store("key", someProgram()));
  for (mode_t mode : {0770, 0702, 01777}) {
    ASSERT_EQ(::chmod(directory.path().c_str(), mode), 0);
    EXPECT_FALSE(cache.find("key")) << std::oct << mode;
    EXPECT_CONTAINS(errorOf(cache.store("key", someProgram())),
                    "which others may write");
  }
  ASSERT_EQ(::chmod(directory.path().c_str(), 0755), 0);
  EXPECT_TRUE(cache.find("key"));
}

TEST(ProgramCache, IgnoresWhatBelongsToAnotherUser) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root may give files away";
  TemporaryDirectory directory;
  ProgramCache cache(directory.path());
  ASSERT_TRUE(cache.store("key", someProgram()));
  constexpr uid_t other = 12345;
  std::string path = onlyFile(directory);
  ASSERT_EQ(::chown(path.c_str(), other, -1), 0);
  EXPECT_FALSE(cache.find("key"));
  ASSERT_EQ(::chown(path.c_str(), 0, -1), 0);
  EXPECT_TRUE(cache.find("key"));
  ASSERT_EQ(::chown(directory.path().c_str(), other, -1), 0);
  EXPECT_FALSE(cache.find("key"));
  EXPECT_FALSE(cache.store("key", someProgram()));
}

TEST(ProgramCache, AFullDiskLeavesNothing) {
  TemporaryDirectory directory;
  ProgramCache cache(directory.path());
  {
    FileSizeLimit limit(64);
    EXPECT_CONTAINS(errorOf(cache.store("key", someProgram())), "cannot write");
  }
  EXPECT_EQ(directory.count(), 0);
  EXPECT_FALSE(cache.find("key"));
}

TEST(ProgramCache, SaysWhyADirectoryCannotBeUsed) {
  TemporaryDirectory directory;
  writeBytes(directory.file("file"), "");
  ProgramCache cache(directory.file("file/cache"));
  EXPECT_FALSE(cache.find("key"));
  EXPECT_CONTAINS(errorOf(cache.store("key", someProgram())),
                  "/file/cache': Not a directory");
}

TEST(ProgramCache, KeepsWhatWasUsedLastWithinTheLimit) {
  TemporaryDirectory directory;
  CachedProgram program = {"", {std::string(1000, 'x')}};
  ProgramCache cache(directory.path(), /*limit=*/3500);
  writeBytes(directory.file("notes.txt"), std::string(9000, 'x'));
  auto age = [&](std::chrono::minutes minutes) {
    for (const auto &file : fs::directory_iterator(directory.path()))
      fs::last_write_time(file.path(), file.last_write_time() - minutes);
  };
  for (const char *key : {"a", "b", "c"}) {
    ASSERT_TRUE(cache.store(key, program));
    age(std::chrono::minutes(1));
  }
  EXPECT_TRUE(cache.find("a"));
  ASSERT_TRUE(cache.store("d", program));
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("c"));
  EXPECT_TRUE(cache.find("d"));
  // Files of others are not the cache's to count or remove.
  EXPECT_TRUE(fs::exists(directory.file("notes.txt")));
}

TEST(ProgramCache, RemovesWhatDeadProcessesLeft) {
  TemporaryDirectory directory;
  ProgramCache cache(directory.path());
  ASSERT_TRUE(cache.store("key", someProgram()));
  std::string name = fs::path(onlyFile(directory)).filename().string();
  std::string old = directory.file("." + name + ".99.0.tmp");
  std::string fresh = directory.file("." + name + ".99.1.tmp");
  std::string others = directory.file(".other.99.0.tmp");
  for (const std::string &path : {old, fresh, others})
    writeBytes(path, "half");
  for (const std::string &path : {old, others})
    fs::last_write_time(path, fs::file_time_type::clock::now() -
                                  std::chrono::hours(2));
  ASSERT_TRUE(cache.store("key", someProgram()));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
  EXPECT_TRUE(fs::exists(others));
}

TEST(ProgramCache, SeveralProcessesMayStoreAndFindAtOnce) {
  TemporaryDirectory directory;
  // Small enough that each process evicts what the others stored.
  ProgramCache cache(directory.path(), /*limit=*/5000);
  auto work = [&](int process) {
    for (int i = 0; i < 100; ++i) {
      std::string key = "key " + std::to_string(i % 3);
      CachedProgram program = {key, {std::string(1000 + i % 3, 'x')}};
      if (!cache.store(key, program))
        return 1;
      std::optional<CachedProgram> found = cache.find(key);
      if (found && !equal(found, program))
        return 2;
    }
    return 0;
  };
  std::vector<pid_t> children;
  for (int process = 0; process < 3; ++process) {
    pid_t child = ::fork();
    if (child == 0)
      ::_exit(work(process));
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_LE(directory.count(), 4);
}

TEST(ProgramCache, TheEnvironmentNamesTheDirectory) {
  Variable own("ENSC_CACHE_DIR", nullptr), xdg("XDG_CACHE_HOME", nullptr),
      home("HOME", nullptr);
  EXPECT_EQ(ProgramCache::findDirectory(), std::nullopt);
  home.set("/home/ada");
  EXPECT_EQ(ProgramCache::findDirectory(), "/home/ada/.cache/ensc");
  xdg.set("relative");
  EXPECT_EQ(ProgramCache::findDirectory(), "/home/ada/.cache/ensc");
  xdg.set("/caches");
  EXPECT_EQ(ProgramCache::findDirectory(), "/caches/ensc");
  own.set("kept");
  EXPECT_EQ(ProgramCache::findDirectory(), "kept");
  own.set("");
  EXPECT_EQ(ProgramCache::findDirectory(), std::nullopt);
}

} // namespace
