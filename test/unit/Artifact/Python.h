//===- Python.h - Other programs that read files ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_ARTIFACT_PYTHON_H
#define ENSC_TEST_UNIT_ARTIFACT_PYTHON_H

#include <cstdio>
#include <filesystem>
#include <string>
#include <sys/wait.h>

namespace ensc {

struct PythonResult {
  int code = -1;      ///< 77 where a package is missing.
  std::string output; ///< What the script printed.
};

/// Runs a script, whose path is below test/unit/Artifact or starts with /, in
/// the environment that tools/setup.sh makes where there is one.
inline PythonResult runPython(const std::string &script,
                              const std::string &arguments) {
  std::string venv = ENSC_SOURCE_DIR "/.venv/bin/python";
  std::string command =
      std::filesystem::exists(venv) ? venv : std::string("python3");
  command +=
      " " +
      (std::filesystem::path(ENSC_SOURCE_DIR "/test/unit/Artifact") / script)
          .string() +
      " " + arguments;
  PythonResult result;
  FILE *pipe = ::popen(command.c_str(), "r");
  if (!pipe)
    return result;
  char buffer[4096];
  while (size_t got = std::fread(buffer, 1, sizeof(buffer), pipe))
    result.output.append(buffer, got);
  int code = ::pclose(pipe);
  result.code = WIFEXITED(code) ? WEXITSTATUS(code) : -1;
  return result;
}

} // namespace ensc

#endif // ENSC_TEST_UNIT_ARTIFACT_PYTHON_H
