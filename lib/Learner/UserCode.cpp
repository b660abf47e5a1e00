//===- UserCode.cpp - Functions of somebody else --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserCode.h"

#include <exception>
#include <string>

using namespace ensc;

static Error thrown(const char *what, const std::string &text) {
  return Error(ErrorKind::InvalidArgument,
               std::string(what) + " threw " + text);
}

Status ensc::callUserCode(const char *what,
                          const std::function<Status()> &code) {
  try {
    return code();
  } catch (const std::exception &exception) {
    return thrown(what, std::string("an exception: ") + exception.what());
  } catch (...) {
    return thrown(what, "something that is no std::exception");
  }
}
