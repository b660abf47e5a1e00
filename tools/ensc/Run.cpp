//===- Run.cpp - ensc run -------------------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "OutputDirectory.h"

#include "ensc/API/Allocate.h"
#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/Npy.h"
#include "ensc/Artifact/Safetensors.h"
#include "ensc/Learner/Values.h"
#include "ensc/Runtime/Memory.h"
#include "ensc/Runtime/Suggest.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

using namespace ensc;
namespace cl = llvm::cl;

static cl::opt<std::string> entryName("entry", cl::desc("The function to call"),
                                      cl::value_desc("function"),
                                      cl::cat(tool::category),
                                      cl::sub(tool::runCommand));
static tool::IntegerFlag runs("runs", tool::atLeast(1),
                              cl::desc("How many runs (default: 1)"),
                              cl::init(1), cl::value_desc("n"),
                              cl::cat(tool::category),
                              cl::sub(tool::runCommand));
static cl::list<std::string> argumentFlags(
    "arg",
    cl::desc("An argument, by name or by position: a number, a comma list of "
             "its elements or of one number per run, or @file.npy, "
             "@file.npz:key or @file.safetensors:key. Repeat the flag for each "
             "argument"),
    cl::value_desc("name=value"), cl::cat(tool::category),
    cl::sub(tool::runCommand));
static cl::opt<std::string>
    argumentFile("args",
                 cl::desc("Take all arguments that --arg does not give and "
                          "that this file has from it, by their names"),
                 cl::value_desc("@file.safetensors"), cl::cat(tool::category),
                 cl::sub(tool::runCommand));
static tool::IntegerFlag
    rows("rows", tool::atLeast(0),
         cl::desc("Rows of the training data, for a learner"),
         cl::value_desc("n"), cl::cat(tool::category),
         cl::sub(tool::runCommand));
static tool::IntegerFlag
    validationRows("validation-rows", tool::atLeast(0),
                   cl::desc("Rows of the validation data, for a learner"),
                   cl::value_desc("n"), cl::cat(tool::category),
                   cl::sub(tool::runCommand));
static cl::opt<std::string>
    saveDirectory("save",
                  cl::desc("Write each result to <dir>/<result>.npy, with a "
                           "leading dimension of runs"),
                  cl::value_desc("dir"), cl::cat(tool::category),
                  cl::sub(tool::runCommand));

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

/// Stores `value` if it is an integer that the element type has. The bounds are
/// compared as f64: converting a number beyond them is undefined.
template <typename Int>
static bool setInteger(Tensor &tensor, int64_t index, double value) {
  constexpr int digits = std::numeric_limits<Int>::digits;
  double limit = std::ldexp(1.0, digits);
  double least = std::is_signed_v<Int> ? -limit : 0.0;
  if (value != std::floor(value) || value < least || value >= limit)
    return false;
  tensor.data<Int>()[index] = static_cast<Int>(value);
  return true;
}

static Status setElement(Tensor &tensor, int64_t index, double value) {
  switch (tensor.dtype()) {
  case DType::F32:
    if (std::isfinite(value) && !std::isfinite(static_cast<float>(value)))
      break;
    tensor.data<float>()[index] = static_cast<float>(value);
    return Status::success();
  case DType::F64:
    tensor.data<double>()[index] = value;
    return Status::success();
  case DType::I1:
    tensor.data<bool>()[index] = value != 0;
    return Status::success();
  case DType::I32:
    if (setInteger<int32_t>(tensor, index, value))
      return Status::success();
    break;
  case DType::I64:
    if (setInteger<int64_t>(tensor, index, value))
      return Status::success();
    break;
  case DType::UI32:
    if (setInteger<uint32_t>(tensor, index, value))
      return Status::success();
    break;
  }
  return invalid(formatNumber(value) + " is no " + nameOf(tensor.dtype()));
}

static Expected<Tensor> allocateFor(const ManifestValue &argument,
                                    Shape shape) {
  return allocateTensor(argument.dtype, std::move(shape),
                        "the argument '" + argument.name + "'");
}

/// Repeats the value of one run for all of them.
static Expected<Tensor> repeat(const Tensor &one,
                               const ManifestValue &argument) {
  Expected<Tensor> made = allocateFor(argument, argument.shapeFor(runs));
  if (!made)
    return made;
  Tensor all = *made;
  for (int64_t run = 0; run < runs; ++run)
    std::memcpy(static_cast<char *>(all.bytes()) + run * one.sizeInBytes(),
                one.bytes(), one.sizeInBytes());
  return all;
}

/// A tensor that was read from `place` as the value of an argument.
static Expected<Tensor> fitTensor(const ManifestValue &argument,
                                  const std::string &place,
                                  const Tensor &tensor) {
  if (tensor.dtype() == argument.dtype && argument.perRun &&
      tensor.shape() == argument.shape)
    return repeat(tensor, argument);
  if (tensor.dtype() != argument.dtype ||
      tensor.shape() != argument.shapeFor(runs))
    return invalid(
        place + " is " + typeString(tensor.dtype(), tensor.shape()) +
        ", but the argument '" + argument.name + "' must be " +
        typeString(argument.dtype, argument.shapeFor(runs)) +
        (argument.perRun ? ", the first dimension being the runs" : ""));
  return tensor;
}

static Expected<Tensor> fromFile(const ManifestValue &argument,
                                 const std::string &place) {
  Expected<Tensor> tensor = tool::readTensor(place);
  if (!tensor)
    return tensor.error();
  return fitTensor(argument, place, *tensor);
}

static Expected<Tensor> fromText(const ManifestValue &argument,
                                 const std::string &text) {
  Expected<Values> values = Values::parse("--arg " + argument.name, text);
  if (!values)
    return values.error();
  int64_t elements = numElements(argument.shape);
  // A scalar of which each run has its own takes one value per run.
  bool scalarPerRun = argument.perRun && elements == 1;
  if (std::optional<int64_t> given = values->count();
      given && !scalarPerRun && *given != elements)
    return invalid("--arg " + argument.name + "=" + text + " gives " +
                   std::to_string(*given) + " values, but " +
                   typeString(argument.dtype, argument.shape) + " has " +
                   std::to_string(elements) +
                   " elements (a single value serves all)");
  Expected<std::vector<double>> expanded =
      values->expand(scalarPerRun ? runs : elements);
  if (!expanded)
    return expanded.error();
  Expected<Tensor> made = allocateFor(
      argument, scalarPerRun ? argument.shapeFor(runs) : argument.shape);
  if (!made)
    return made;
  Tensor tensor = *made;
  for (int64_t i = 0; i < tensor.size(); ++i)
    if (Status status = setElement(tensor, i, (*expanded)[i]); !status)
      return status.error().inContext("--arg " + argument.name);
  if (argument.perRun && !scalarPerRun)
    return repeat(tensor, argument);
  return tensor;
}

/// The value of an argument that no flag gives.
static Expected<Tensor> defaultOf(const ManifestValue &argument) {
  Expected<Tensor> made = allocateFor(argument, argument.shapeFor(runs));
  if (!made)
    return made;
  if (argument.role == "seed") {
    Tensor seeds = *made;
    for (int64_t run = 0; run < seeds.size(); ++run)
      seeds.data<int64_t>()[run] = seedOf(tool::seed(), run);
    return seeds;
  }
  if (argument.defaultValue) {
    Tensor tensor = *made;
    for (int64_t i = 0; i < tensor.size(); ++i)
      if (Status status = setElement(tensor, i, *argument.defaultValue);
          !status)
        return status.error();
    return tensor;
  }
  return invalid("the argument '" + argument.name + "' (" +
                 typeString(argument.dtype, argument.shape) +
                 ") is missing; add --arg " + argument.name + "=...");
}

/// Splits the --arg flags into names and values, and checks the names.
static Expected<std::map<std::string, std::string>>
parseFlags(const ManifestEntry &entry) {
  std::map<std::string, std::string> values;
  for (const std::string &flag : argumentFlags) {
    auto [name, value] = llvm::StringRef(flag).split('=');
    if (value.empty())
      return invalid("--arg " + flag + ": expected name=value");
    std::vector<std::string> names;
    std::string position;
    for (size_t i = 0; i < entry.arguments.size(); ++i) {
      const std::string &existing = entry.arguments[i].name;
      names.push_back(existing.empty() ? std::to_string(i) : existing);
      if (name == existing || name == std::to_string(i))
        position = std::to_string(i);
    }
    if (position.empty())
      return invalid("--arg " + flag + ": @" + entry.name +
                     " has no argument '" + name.str() + "'" +
                     suggest(name.str(), names));
    if (!values.emplace(position, value.str()).second)
      return invalid("--arg " + name.str() + " is given twice");
  }
  return values;
}

/// The tensors of --args, none without it.
static Expected<Safetensors> readArgumentFile() {
  if (argumentFile.empty())
    return Safetensors();
  llvm::StringRef file = argumentFile;
  if (!file.consume_front("@") || !file.ends_with(".safetensors"))
    return invalid("--args " + argumentFile + ": expected @FILE.safetensors");
  return readSafetensors(file.str());
}

/// The value of an argument: of its flag, which is empty if there is none, of
/// the file of --args, or its default.
static Expected<Tensor> valueOf(const ManifestValue &argument,
                                llvm::StringRef flag, const Safetensors &file) {
  if (flag.consume_front("@"))
    return fromFile(argument, flag.str());
  if (!flag.empty())
    return fromText(argument, flag.str());
  if (const Tensor *tensor = file.find(argument.name))
    return fitTensor(argument,
                     llvm::StringRef(argumentFile).drop_front().str() + ":" +
                         argument.name,
                     *tensor);
  return defaultOf(argument);
}

static Expected<std::vector<Tensor>> makeArguments(const ManifestEntry &entry) {
  Expected<std::map<std::string, std::string>> flags = parseFlags(entry);
  if (!flags)
    return flags.error();
  Expected<Safetensors> file = readArgumentFile();
  if (!file)
    return file.error();
  std::vector<Tensor> arguments;
  for (size_t i = 0; i < entry.arguments.size(); ++i) {
    ManifestValue argument = entry.arguments[i];
    if (argument.name.empty())
      argument.name = std::to_string(i);
    if (Status status =
            checkFits("the argument '" + argument.name + "'",
                      argument.perRun ? runs : int64_t{1},
                      numElements(argument.shape) * sizeOf(argument.dtype));
        !status)
      return status.error();
    auto flag = flags->find(std::to_string(i));
    Expected<Tensor> value =
        valueOf(argument, flag == flags->end() ? "" : flag->second, *file);
    if (!value)
      return value.error();
    arguments.push_back(*value);
  }
  return arguments;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static void printElement(llvm::raw_ostream &os, const Tensor &tensor,
                         int64_t index) {
  switch (tensor.dtype()) {
  case DType::F32:
    os << formatNumber(tensor.data<float>()[index]);
    return;
  case DType::F64:
    os << formatNumber(tensor.data<double>()[index]);
    return;
  case DType::I1:
    os << (tensor.data<bool>()[index] ? "true" : "false");
    return;
  case DType::I32:
    os << tensor.data<int32_t>()[index];
    return;
  case DType::I64:
    os << tensor.data<int64_t>()[index];
    return;
  case DType::UI32:
    os << tensor.data<uint32_t>()[index];
    return;
  }
}

/// Nested brackets, like an array literal.
static void printElements(llvm::raw_ostream &os, const Tensor &tensor,
                          size_t dim, int64_t &index) {
  if (dim == tensor.shape().size())
    return printElement(os, tensor, index++);
  os << "[";
  for (int64_t i = 0; i < tensor.shape()[dim]; ++i) {
    if (i)
      os << ", ";
    printElements(os, tensor, dim + 1, index);
  }
  os << "]";
}

static std::string resultName(const ManifestEntry &entry, size_t position) {
  const std::string &name = entry.results[position].name;
  return name.empty() ? "result" + std::to_string(position) : name;
}

static Status save(const ManifestEntry &entry,
                   const std::vector<Tensor> &results) {
  Expected<tool::OutputDirectory> made =
      tool::OutputDirectory::make(saveDirectory);
  if (!made)
    return made.error();
  for (size_t i = 0; i < results.size(); ++i)
    if (Status status = writeNpy(
            saveDirectory + "/" + resultName(entry, i) + ".npy", results[i]);
        !status)
      return status;
  return Status::success();
}

int tool::runMain() {
  // What options alone keep of each run.
  constexpr int64_t bytesPerRun = 256;
  if (Status status = checkFits("the plan", runs, bytesPerRun); !status)
    return fail(status.error());
  if (entryName.empty())
    return fail(invalid("name the function to call with --entry"));
  CompileOptions options = compileOptions();
  options.entries = {entryName};
  if (rows.getNumOccurrences())
    options.rows = rows;
  if (validationRows.getNumOccurrences())
    options.validationRows = validationRows;
  Compiler compiler(options);
  Expected<Executable> program = compileModel(compiler, modelPath());
  if (!program)
    return fail(program.error());
  const ManifestEntry *entry = program->manifest().findEntry(entryName);
  if (!entry)
    return fail(invalid("the program has no function @" + entryName));
  Expected<std::vector<Tensor>> arguments = makeArguments(*entry);
  if (!arguments)
    return fail(arguments.error());
  CallOptions call;
  call.runs = runs;
  call.threads = threads();
  call.schedule = schedule();
  Expected<std::vector<Tensor>> results =
      program->call(entryName, *arguments, call);
  if (!results)
    return fail(results.error());
  if (!saveDirectory.empty()) {
    Status status = save(*entry, *results);
    return status ? 0 : fail(status.error());
  }
  for (size_t i = 0; i < results->size(); ++i) {
    int64_t index = 0;
    llvm::outs() << resultName(*entry, i) << " = ";
    printElements(llvm::outs(), (*results)[i], 0, index);
    llvm::outs() << " : "
                 << typeString((*results)[i].dtype(), (*results)[i].shape())
                 << "\n";
  }
  return 0;
}
