//===- OutputDirectory.cpp - Where a command writes files -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputDirectory.h"

#include <algorithm>
#include <filesystem>

#include <unistd.h>

using namespace ensc;
namespace fs = std::filesystem;

Expected<tool::OutputDirectory>
tool::OutputDirectory::make(const std::string &path) {
  OutputDirectory directory;
  std::error_code code;
  fs::path part;
  for (const fs::path &name : fs::path(path).lexically_normal()) {
    part /= name;
    if (fs::create_directory(part, code))
      directory.made.push_back(part.string());
    if (code == std::errc::file_exists)
      code = std::make_error_code(std::errc::not_a_directory);
    if (code)
      return Error(ErrorKind::Io, "cannot create the directory " + path + ": " +
                                      code.message());
  }
  return directory;
}

tool::OutputDirectory::~OutputDirectory() {
  // This leaves those that are not empty.
  while (!made.empty() && ::rmdir(made.back().c_str()) == 0)
    made.pop_back();
}
