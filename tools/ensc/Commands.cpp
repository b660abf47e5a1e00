//===- Commands.cpp - What the subcommands share --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "ensc/Artifact/Npy.h"
#include "ensc/Artifact/Npz.h"
#include "ensc/Artifact/Safetensors.h"
#include "ensc/Report/Text.h"
#include "ensc/Runtime/Memory.h"
#include "ensc/Runtime/Suggest.h"
#include "ensc/Runtime/Threads.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ensc;
namespace cl = llvm::cl;

cl::OptionCategory tool::category("Options of ensc");
cl::SubCommand tool::compileCommand("compile",
                                    "Compile a program, or run some phases");
cl::SubCommand tool::runCommand("run", "Call a function for N runs");
cl::SubCommand tool::trainCommand("train", "Train N runs of a learner");
cl::SubCommand tool::predictCommand("predict",
                                    "Predict with the models of an experiment");
cl::SubCommand tool::evaluateCommand(
    "evaluate", "Loss and metrics of the models of an experiment on new data");
cl::SubCommand tool::runsCommand("runs", "List, compare or export runs");
cl::SubCommand tool::watchCommand("watch", "Watch an experiment while it runs");
cl::SubCommand tool::reportCommand("report",
                                   "Write an experiment as one HTML page");

//===----------------------------------------------------------------------===//
// Flags of several subcommands
//===----------------------------------------------------------------------===//

static cl::opt<std::string>
    model(cl::Positional, cl::desc("<model.mlir, or - for standard input>"),
          cl::Required, cl::cat(tool::category), cl::sub(tool::compileCommand),
          cl::sub(tool::runCommand), cl::sub(tool::trainCommand));
static tool::IntegerFlag
    lanes("lanes",
          cl::desc("Runs per vector: 8 or 16; without it as many as the CPU's "
                   "vectors hold"),
          cl::cat(tool::category), cl::sub(tool::compileCommand),
          cl::sub(tool::runCommand), cl::sub(tool::predictCommand),
          cl::sub(tool::evaluateCommand), cl::sub(tool::trainCommand));
static cl::opt<std::string>
    cpu("cpu",
        cl::desc("CPU to compile for: native (the default), or a name such as "
                 "x86-64-v3 or x86-64-v4"),
        cl::init("native"), cl::value_desc("name"), cl::cat(tool::category),
        cl::sub(tool::compileCommand), cl::sub(tool::runCommand),
        cl::sub(tool::predictCommand), cl::sub(tool::evaluateCommand),
        cl::sub(tool::trainCommand));
static cl::list<std::string>
    perRun("per-run",
           cl::desc("Arguments of which each run has its own, besides those "
                    "whose role says so"),
           cl::CommaSeparated, cl::value_desc("name,..."),
           cl::cat(tool::category), cl::sub(tool::compileCommand),
           cl::sub(tool::runCommand), cl::sub(tool::trainCommand));
static tool::IntegerFlag
    threadCount("threads", tool::Between{0, mostThreads},
                cl::desc("Threads; 0 (the default): one per core"), cl::init(0),
                cl::cat(tool::category), cl::sub(tool::runCommand),
                cl::sub(tool::predictCommand), cl::sub(tool::evaluateCommand),
                cl::sub(tool::trainCommand));
static tool::IntegerFlag
    seedOption("seed", cl::desc("Run i draws its random numbers from seed + i"),
               cl::init(0), cl::cat(tool::category), cl::sub(tool::runCommand),
               cl::sub(tool::trainCommand));
static tool::ChoiceFlag<RunSchedule> scheduleOption(
    "schedule", cl::desc("How runs share the vectors of the CPU"),
    cl::values(clEnumValN(RunSchedule::Auto, "auto",
                          "lanes where they pay (the default)"),
               clEnumValN(RunSchedule::Solo, "solo",
                          "one run at a time, vectors inside it"),
               clEnumValN(RunSchedule::Lanes, "lanes",
                          "a vector lane per run")),
    cl::init(RunSchedule::Auto), cl::cat(tool::category),
    cl::sub(tool::runCommand), cl::sub(tool::predictCommand),
    cl::sub(tool::evaluateCommand), cl::sub(tool::trainCommand));
static tool::ChoiceFlag<Backend> backend(
    "backend", cl::desc("What executes the program"),
    cl::values(clEnumValN(Backend::Jit, "jit", "compiled code (the default)"),
               clEnumValN(Backend::Interpret, "interpret",
                          "the reference interpreter: slow, the same bits")),
    cl::init(Backend::Jit), cl::cat(tool::category), cl::sub(tool::runCommand),
    cl::sub(tool::predictCommand), cl::sub(tool::evaluateCommand),
    cl::sub(tool::trainCommand));

static tool::SwitchFlag
    noCache("no-cache",
            cl::desc("Compile even if the program is kept compiled on disk, "
                     "and keep nothing"),
            cl::cat(tool::category), cl::sub(tool::runCommand),
            cl::sub(tool::predictCommand), cl::sub(tool::evaluateCommand),
            cl::sub(tool::trainCommand));

CompileOptions tool::compileOptions() {
  CompileOptions options;
  if (lanes.getNumOccurrences() > 0)
    options.lanes = lanes;
  options.cpu = cpu;
  options.perRun.assign(perRun.begin(), perRun.end());
  options.backend = backend;
  options.cache = !noCache;
  return options;
}

std::string tool::modelPath() { return model; }
int tool::threads() { return threadCount; }
int64_t tool::seed() { return seedOption; }
RunSchedule tool::schedule() { return scheduleOption; }

//===----------------------------------------------------------------------===//
// Errors and data
//===----------------------------------------------------------------------===//

int tool::fail(const Error &error) {
  llvm::StringRef message = error.message();
  // Diagnostics of the compiler say "file:line:column: error: ..." themselves.
  if (!message.split('\n').first.contains(": error: "))
    llvm::errs() << "ensc: error: ";
  for (llvm::StringRef line : llvm::split(message, '\n'))
    llvm::errs() << printable(line) << "\n";
  return 1;
}

Expected<Executable> tool::compileModel(Compiler &compiler,
                                        const std::string &path) {
  Expected<Executable> program = compiler.compileFile(path);
  warnOfCache(compiler);
  return program;
}

void tool::warnOfCache(const Compiler &compiler) {
  if (!compiler.cacheWarning().empty())
    llvm::errs() << "ensc: warning: the compiled program is not kept: "
                 << compiler.cacheWarning() << "; --no-cache avoids this\n";
}

void tool::warnOfLostRecords(const ExperimentReader &experiment) {
  if (std::optional<std::string> lost = experiment.describeLostRecords())
    llvm::errs() << "ensc: warning: " << printable(*lost) << "\n";
}

static Expected<Tensor> readFromSafetensors(const std::string &file,
                                            const std::string &key) {
  Expected<Safetensors> content = readSafetensors(file);
  if (!content)
    return content.error();
  if (const Tensor *tensor = content->find(key))
    return *tensor;
  std::vector<std::string> names;
  for (const NamedTensor &tensor : content->tensors)
    names.push_back(tensor.name);
  return Error(ErrorKind::InvalidData,
               file + " has no tensor '" + key + "'" + suggest(key, names));
}

Expected<Tensor> tool::readTensor(const std::string &place) {
  llvm::StringRef text(place);
  auto [file, key] = text.rsplit(':');
  if (text.ends_with(".npz") || text.ends_with(".safetensors"))
    return Error(ErrorKind::InvalidArgument,
                 place + " holds several arrays; name one as " + place +
                     ":key");
  if (file.ends_with(".safetensors"))
    return readFromSafetensors(file.str(), key.str());
  if (!file.ends_with(".npz"))
    return readNpy(place);
  Expected<NpzFile> archive = NpzFile::open(file.str());
  if (!archive)
    return archive.error();
  return archive->read(key.str());
}
