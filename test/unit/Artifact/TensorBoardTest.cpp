//===- TensorBoardTest.cpp - Event files of TensorBoard -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/TensorBoard.h"

#include "Python.h"
#include "TestFiles.h"

#include <cmath>

using namespace ensc;

namespace {
EventFile makeFile(double rate, bool failed) {
  EventFile file(1700000000);
  file.addHypers({{"seed", 7.0}, {"lr", rate}, {"model", "net.mlir"}});
  double first[] = {0.5}, second[] = {0.25, 0.75};
  file.addScalars(20, {"loss"}, first);
  file.addScalars(1 << 30, {"loss", "val_accuracy"}, second);
  file.addEnd(failed);
  return file;
}
} // namespace

TEST(TensorBoardTest, EqualCallsGiveEqualBytes) {
  EXPECT_EQ(makeFile(0.1, false).bytes(), makeFile(0.1, false).bytes());
  EXPECT_NE(makeFile(0.1, false).bytes(), makeFile(0.2, false).bytes());
  // A record: its length, 24 bytes of an event, and two checksums.
  std::string version = EventFile(0.0).bytes();
  EXPECT_EQ(version.size(), 8u + 4 + 24 + 4);
  EXPECT_EQ(version.substr(0, 8), std::string("\x18\0\0\0\0\0\0\0", 8));
  EXPECT_CONTAINS(version, "brain.Event:2");
}

TEST(TensorBoardTest, TensorBoardShowsEverything) {
  TemporaryDirectory directory;
  for (const char *run : {"0000", "0001"}) {
    std::filesystem::create_directory(directory.file(run));
    bool isFirst = run[3] == '0';
    writeBytes(directory.file(run) + "/events.out.tfevents.0.ensc",
               makeFile(isFirst ? 0.125 : 1e-5, !isFirst).bytes());
  }
  PythonResult result = runPython("read_events.py", directory.path());
  if (result.code == 77)
    GTEST_SKIP() << "tensorboard is not installed";
  EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_EQ(result.output,
            "0000 loss 20 0.5\n"
            "0000 loss 1073741824 0.25\n"
            "0000 val_accuracy 1073741824 0.75\n"
            "0001 loss 20 0.5\n"
            "0001 loss 1073741824 0.25\n"
            "0001 val_accuracy 1073741824 0.75\n"
            "column lr DATA_TYPE_FLOAT64\n"
            "column model DATA_TYPE_STRING\n"
            "column seed DATA_TYPE_FLOAT64\n"
            "row 0000 STATUS_SUCCESS lr=0.125 model=net.mlir seed=7.0 "
            "loss=0.25 val_accuracy=0.75\n"
            "row 0001 STATUS_FAILURE lr=1e-05 model=net.mlir seed=7.0 "
            "loss=0.25 val_accuracy=0.75\n"
            "classic loss 20 0.5\n"
            "classic loss 1073741824 0.25\n"
            "classic val_accuracy 1073741824 0.75\n"
            "classic loss 20 0.5\n"
            "classic loss 1073741824 0.25\n"
            "classic val_accuracy 1073741824 0.75\n");
}
