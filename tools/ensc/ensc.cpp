//===- ensc.cpp - The command line of ensc --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "llvm/Support/InitLLVM.h"

#include <csignal>

using namespace ensc;

int main(int argc, char **argv) {
  llvm::InitLLVM initialize(argc, argv);
  // A file that grows too large is an error like a full disk, not a crash.
  std::signal(SIGXFSZ, SIG_IGN);
  for (llvm::cl::SubCommand *command :
       {&tool::compileCommand, &tool::runCommand, &tool::trainCommand,
        &tool::runsCommand, &llvm::cl::SubCommand::getTopLevel()})
    llvm::cl::HideUnrelatedOptions(tool::category, *command);
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "ensc: trains many runs of one program at once\n");
  if (tool::compileCommand)
    return tool::compileMain();
  if (tool::runCommand)
    return tool::runMain();
  if (tool::trainCommand)
    return tool::trainMain();
  if (tool::runsCommand)
    return tool::runsMain();
  llvm::cl::PrintHelpMessage(/*Hidden=*/false, /*Categorized=*/true);
  return 1;
}
