//===- OutputDirectory.h - Where a command writes files ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TOOLS_ENSC_OUTPUTDIRECTORY_H
#define ENSC_TOOLS_ENSC_OUTPUTDIRECTORY_H

#include "ensc/API/Error.h"

#include <string>
#include <vector>

namespace ensc::tool {

/// A directory for files. What was made for it goes again with this object if
/// nothing was written there.
class OutputDirectory {
public:
  /// Makes the directory `path`, and those that lead there, unless they exist.
  static Expected<OutputDirectory> make(const std::string &path);

  OutputDirectory(OutputDirectory &&) = default;
  ~OutputDirectory();

private:
  OutputDirectory() = default;

  std::vector<std::string> made; ///< From the outermost one.
};

} // namespace ensc::tool

#endif // ENSC_TOOLS_ENSC_OUTPUTDIRECTORY_H
