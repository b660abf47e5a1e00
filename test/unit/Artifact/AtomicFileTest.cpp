//===- AtomicFileTest.cpp - Tests of AtomicFile ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/AtomicFile.h"

#include "FileSizeLimit.h"
#include "TestFiles.h"

#include <unistd.h>

using namespace ensc;

TEST(AtomicFileTest, CommitReplacesTheTarget) {
  TemporaryDirectory directory;
  std::string path = directory.file("a.txt");
  writeBytes(path, "old");
  ASSERT_TRUE(writeFileAtomically(path, "new"));
  EXPECT_EQ(readBytes(path), "new");
  EXPECT_EQ(directory.count(), 1);
}

TEST(AtomicFileTest, WithoutCommitNothingRemains) {
  TemporaryDirectory directory;
  std::string path = directory.file("a.txt");
  writeBytes(path, "old");
  {
    Expected<AtomicFile> file = AtomicFile::create(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("half of it"));
  }
  EXPECT_EQ(readBytes(path), "old");
  EXPECT_EQ(directory.count(), 1);
}

TEST(AtomicFileTest, TheTargetIsInvisibleUntilCommit) {
  TemporaryDirectory directory;
  std::string path = directory.file("a.txt");
  Expected<AtomicFile> file = AtomicFile::create(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("bytes"));
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(readBytes(path), "bytes");
}

TEST(AtomicFileTest, LinksAndDevicesStayWhatTheyAre) {
  TemporaryDirectory directory;
  std::string path = directory.file("a.txt"), link = directory.file("link");
  writeBytes(path, "old");
  ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
  ASSERT_TRUE(writeFileAtomically(link, "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(readBytes(path), "new");

  ASSERT_TRUE(writeFileAtomically("/dev/null", "nothing"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  Status status = writeFileAtomically("/dev/full", "too much");
  EXPECT_FALSE(status);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(AtomicFileTest, DeferredFilesAreFlushedTogether) {
  TemporaryDirectory directory;
  for (const char *name : {"a", "b"}) {
    Expected<AtomicFile> file = AtomicFile::create(directory.file(name));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write(name));
    ASSERT_TRUE(file->commit(Durability::Deferred));
  }
  EXPECT_TRUE(flushFileSystem(directory.path()));
  EXPECT_EQ(readBytes(directory.file("b")), "b");
  EXPECT_EQ(errorOf(flushFileSystem("/nonexistent")),
            "cannot flush '/nonexistent': No such file or directory");
}

TEST(AtomicFileTest, AFullDiskIsReportedAndLeavesNothing) {
  TemporaryDirectory directory;
  std::string path = directory.file("a.txt");
  std::string text(100000, 'x'), message;
  {
    FileSizeLimit limit(4096);
    message = errorOf(writeFileAtomically(path, text));
  }
  EXPECT_EQ(message, "cannot write '" + path + "': File too large");
  EXPECT_EQ(directory.count(), 0);
}

TEST(AtomicFileTest, AMissingDirectoryIsReported) {
  TemporaryDirectory directory;
  std::string path = directory.file("none/a.txt");
  EXPECT_EQ(errorOf(writeFileAtomically(path, "x")),
            "cannot write '" + path + "': No such file or directory");
}

TEST(AtomicFileTest, ATargetThatIsADirectoryIsReported) {
  TemporaryDirectory directory;
  std::string path = directory.file("a");
  std::filesystem::create_directory(path);
  EXPECT_EQ(errorOf(writeFileAtomically(path, "x")),
            "cannot write '" + path + "': Is a directory");
  EXPECT_EQ(directory.count(), 1);
}

TEST(AtomicFileTest, AForbiddenDirectoryIsReported) {
  if (::geteuid() == 0)
    GTEST_SKIP() << "root may write everywhere";
  TemporaryDirectory directory;
  ::chmod(directory.path().c_str(), 0500);
  std::string path = directory.file("a.txt");
  EXPECT_EQ(errorOf(writeFileAtomically(path, "x")),
            "cannot write '" + path + "': Permission denied");
  ::chmod(directory.path().c_str(), 0700);
}
