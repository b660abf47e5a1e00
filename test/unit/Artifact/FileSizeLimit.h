//===- FileSizeLimit.h - A disk that is as good as full ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_ARTIFACT_FILESIZELIMIT_H
#define ENSC_TEST_UNIT_ARTIFACT_FILESIZELIMIT_H

#include <csignal>
#include <sys/resource.h>

namespace ensc {

/// Lets no file grow beyond `bytes` while it lives, as a full disk would.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

private:
  rlimit before_;
  void (*handler_)(int);
};

} // namespace ensc

#endif // ENSC_TEST_UNIT_ARTIFACT_FILESIZELIMIT_H
