//===- Memory.cpp - What fits into this machine ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Memory.h"

#include <cstdio>

#include <unistd.h>

using namespace ensc;

static std::string inGibibytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g GiB", bytes / (1 << 30));
  return text;
}

Status ensc::checkFits(const std::string &what, int64_t runs,
                       int64_t bytesPerRun) {
  double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                  static_cast<double>(sysconf(_SC_PAGESIZE));
  // As f64, since the product may exceed every integer type.
  double needed = static_cast<double>(runs) * static_cast<double>(bytesPerRun);
  if (needed <= memory)
    return Status::success();
  return Error(ErrorKind::InvalidArgument,
               what + " of " + std::to_string(runs) + " runs takes " +
                   inGibibytes(needed) + ", but this machine has " +
                   inGibibytes(memory) + "; use fewer runs at a time");
}
