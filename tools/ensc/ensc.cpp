//===- ensc.cpp - The command line of ensc --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FatalErrors.h"
#include "Commands.h"

#include "ensc/Report/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ensc;

static llvm::cl::SubCommand *const commands[] = {
    &tool::compileCommand, &tool::runCommand,     &tool::trainCommand,
    &tool::runsCommand,    &tool::watchCommand,   &tool::reportCommand,
    &tool::predictCommand, &tool::evaluateCommand};

/// What the command line asks for; without a command, the help and 1.
static int runCommand() {
  if (tool::compileCommand)
    return tool::compileMain();
  if (tool::runCommand)
    return tool::runMain();
  if (tool::trainCommand)
    return tool::trainMain();
  if (tool::runsCommand)
    return tool::runsMain();
  if (tool::predictCommand)
    return tool::predictMain();
  if (tool::evaluateCommand)
    return tool::evaluateMain();
  if (tool::watchCommand)
    return tool::watchMain();
  if (tool::reportCommand)
    return tool::reportMain();
  llvm::cl::PrintHelpMessage(/*Hidden=*/false, /*Categorized=*/true);
  return 1;
}

/// Whether standard output took everything, as the exit code must say: a disk
/// may be full.
static Status flushOutput() {
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return Status::success();
  Error error(ErrorKind::Io, "cannot write to standard output: " +
                                 llvm::outs().error().message());
  llvm::outs().clear_error();
  return error;
}

static void printVersion(llvm::raw_ostream &os) {
  os << "ensc " << ENSC_VERSION << " (LLVM " << LLVM_VERSION_STRING << ")\n";
}

/// The flag at the end of the command line that lacks its value; null if there
/// is none.
static const llvm::cl::Option *findFlagWithoutValue(int argc, char **argv) {
  llvm::StringRef flag(argv[argc - 1]);
  if (argc < 3 || !flag.starts_with("-") || flag.contains('='))
    return nullptr;
  for (llvm::cl::SubCommand *command : commands) {
    if (command->getName() != argv[1])
      continue;
    auto &options = llvm::cl::getRegisteredOptions(*command);
    const llvm::cl::Option *option = options.lookup(flag.ltrim('-'));
    if (option && option->getValueExpectedFlag() == llvm::cl::ValueRequired)
      return option;
  }
  return nullptr;
}

/// LLVM names the flag that differs least, however much. A learner's scalars
/// are no flags, but look like some.
static std::string mendHint(llvm::StringRef line, llvm::StringRef command) {
  llvm::StringRef rest = line;
  if (!rest.consume_front("ensc: error: unknown command line argument '"))
    return line.str();
  auto [given, end] = rest.split('\'');
  auto [name, value] = given.ltrim('-').split('=');
  auto [see, hint] = end.split("; did you mean '");
  llvm::StringRef near =
      hint.take_until([](char c) { return c == '=' || c == '\''; });
  if (near.ltrim('-').edit_distance(name) <= name.size() / 2)
    return line.str();
  std::string mended = line.drop_back(end.size() - see.size()).str();
  if (command == tool::trainCommand.getName() && !value.empty()) {
    std::string scalar = name.str();
    std::replace(scalar.begin(), scalar.end(), '-', '_');
    mended += "; if it is a value of runs, it is given as --set " + scalar +
              "=" + value.str();
  }
  return mended;
}

/// The arguments without a flag that a command cannot do without.
static std::string describePositionals(llvm::StringRef name) {
  std::string text;
  for (llvm::cl::SubCommand *command : commands)
    if (command->getName() == name)
      for (const llvm::cl::Option *option : command->PositionalOpts)
        if (option->getNumOccurrencesFlag() == llvm::cl::Required)
          text += (text.empty() ? "" : " and ") + option->HelpStr.str();
  return text;
}

/// A flag of the command that has one value and was given several times, or
/// null.
static const llvm::cl::Option *findRepeatedFlag() {
  const llvm::cl::Option *found = nullptr;
  for (llvm::cl::SubCommand *command : commands) {
    if (!*command)
      continue;
    for (const auto &entry : llvm::cl::getRegisteredOptions(*command)) {
      const llvm::cl::Option *option = entry.second;
      bool isRepeated =
          option->getNumOccurrencesFlag() != llvm::cl::ZeroOrMore &&
          option->getNumOccurrencesFlag() != llvm::cl::OneOrMore &&
          option->getNumOccurrences() > 1;
      // That of several does not depend on a hash.
      if (isRepeated && (!found || option->ArgStr < found->ArgStr))
        found = option;
    }
  }
  return found;
}

static bool asksForText(llvm::StringRef argument) {
  return argument.starts_with("--help") || argument == "-h" ||
         argument.starts_with("-help") || argument == "--version" ||
         argument == "-version";
}

/// Parses the command line. LLVM begins errors with the name of the program and
/// prints some of them itself, so that for the time the name is a prefix.
static bool parseCommandLine(int argc, char **argv) {
  std::vector<const char *> arguments(argv, argv + argc);
  if (argc > 1 && llvm::none_of(llvm::drop_begin(arguments), asksForText))
    arguments[0] = "ensc: error";
  if (const llvm::cl::Option *flag = findFlagWithoutValue(argc, argv)) {
    tool::fail(Error(ErrorKind::InvalidArgument,
                     tool::spellFlag(*flag) + " needs a value"));
    return false;
  }
  std::string errors;
  llvm::raw_string_ostream os(errors);
  if (llvm::cl::ParseCommandLineOptions(
          argc, arguments.data(),
          "ensc: trains many runs of one program at once\n", &os)) {
    const llvm::cl::Option *repeated = findRepeatedFlag();
    if (repeated)
      tool::fail(Error(ErrorKind::InvalidArgument,
                       tool::spellFlag(*repeated) + " is given twice"));
    return !repeated;
  }
  // The parser of a flag has said itself what is wrong.
  if (errors.empty())
    return false;
  auto replace = [&](llvm::StringRef part, llvm::StringRef by) {
    for (size_t at; (at = errors.find(part)) != std::string::npos;)
      errors.replace(at, part.size(), by);
  };
  replace(".  Try: 'ensc: error ", "; see 'ensc ");
  replace("\nensc: error: Did you mean", "; did you mean");
  replace("!\nMust specify", "; expected");
  replace("!\nCan specify", "; expected");
  replace(": See: ensc: error --help", "; see 'ensc --help'");
  replace("error: Unknown", "error: unknown");
  replace("error: Too many", "error: too many");
  llvm::StringRef command = argc > 1 ? argv[1] : "";
  for (llvm::StringRef line :
       llvm::split(llvm::StringRef(errors).rtrim(), '\n'))
    if (line.contains("Not enough positional"))
      llvm::errs() << "ensc: error: ensc " << command << " needs "
                   << describePositionals(command) << "; see 'ensc " << command
                   << " --help'\n";
    else
      llvm::errs() << printable(mendHint(line, command)) << "\n";
  return false;
}

/// Ends the process where memory is short that no error speaks of, such as the
/// compiler's own.
[[noreturn]] static void runOutOfMemory() {
  constexpr char message[] = "ensc: error: out of memory\n";
  [[maybe_unused]] ssize_t written =
      ::write(STDERR_FILENO, message, sizeof(message) - 1);
  ::_exit(1);
}

/// Gives closed standard streams something that holds nothing: otherwise a file
/// gets their number, and what is printed ends up in it.
static void occupyStandardStreams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    // That nothing can be written to standard output is still an error.
    if (::fcntl(stream, F_GETFD) < 0 &&
        ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) !=
            stream)
      ::_exit(1);
}

/// The help and the version leave by exit(), which takes unwritten text for a
/// crash, on standard error, too, whose reader may have left.
static void checkOutputAtExit() {
  llvm::errs().clear_error();
  if (Status written = flushOutput(); !written)
    ::_exit(tool::fail(written.error()));
}

int main(int argc, char **argv) {
  occupyStandardStreams();
  llvm::InitLLVM initialize(argc, argv);
  tool::handleFatalErrors("ensc");
  std::set_new_handler(runOutOfMemory);
  // A file that grows too large is an error like a full disk, not a crash.
  std::signal(SIGXFSZ, SIG_IGN);
  for (llvm::cl::SubCommand *command : commands)
    llvm::cl::HideUnrelatedOptions(tool::category, *command);
  llvm::cl::HideUnrelatedOptions(tool::category);
  llvm::cl::SetVersionPrinter(printVersion);
  // Registered after what it uses, it runs before that is destroyed.
  llvm::outs();
  llvm::errs();
  std::atexit(checkOutputAtExit);
  if (!parseCommandLine(argc, argv))
    return 1;
  return runCommand();
}
