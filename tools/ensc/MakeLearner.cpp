//===- MakeLearner.cpp - A learner of a plan's programs -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakeLearner.h"

#include "Commands.h"
#include "TrainFlags.h"

#include "ensc/Data/GiveData.h"
#include "ensc/Runtime/HyperValues.h"

#include "llvm/ADT/STLExtras.h"

using namespace ensc;

Expected<Executable> tool::LearnerMaker::compile(const Plan &plan,
                                                 const ProgramKey &program) {
  bool ownOrders = llvm::any_of(plan.columns(), [](const PlanColumn &column) {
    return column.name == "order_seed";
  });
  Compiler compiler(compileOptionsOf(program, ownOrders, data));
  Expected<Executable> executable = compileModel(
      compiler, program.model.empty() ? modelPath() : program.model);
  compilations_ += compiler.compilations();
  cacheHits_ += compiler.cacheHits();
  return executable;
}

/// An error about a program of a plan, with the row that wants it.
static Error placed(const Error &error, const std::string &place) {
  if (place.empty())
    return error;
  // Diagnostics begin with places of their own.
  if (error.kind() == ErrorKind::InvalidModel)
    return Error(error.kind(),
                 place + ": the program of this row does not compile:\n" +
                     error.message());
  return error.inContext(place);
}

/// An error about a program, with what to do where it lacks a number of rows
/// that no data tell.
static Error withHint(const Error &error) {
  constexpr char lacksRows[] = "does not say how many rows the training data";
  // Diagnostics are text here.
  if (!tool::dataOfFlags().training.empty() ||
      error.message().find(lacksRows) == std::string::npos)
    return error;
  return Error(error.kind(),
               error.message() +
                   "\nensc: note: no data were given; --data names them");
}

Expected<Learner> tool::LearnerMaker::make(const Plan &plan, bool mayLeaveOut) {
  std::vector<Executable> programs;
  for (const ProgramKey &key : plan.programs()) {
    Expected<Executable> program = compile(plan, key);
    if (!program)
      return placed(withHint(program.error()),
                    plan.placeOfProgram(static_cast<int64_t>(programs.size())));
    programs.push_back(std::move(*program));
  }
  Expected<Learner> learner = Learner::create(programs, learnerOfFlags());
  if (!learner)
    return learner.error();
  std::vector<std::vector<std::string>> hypers;
  for (int64_t program = 0; program < learner->programs(); ++program) {
    hypers.emplace_back();
    for (const ManifestValue &hyper : hypersOf(
             learner->program(program).manifest(), learner->info(program).name))
      hypers.back().push_back(hyper.name);
  }
  if (Status status = plan.checkHypers(hypers, mayLeaveOut); !status)
    return status.error();
  if (Status status = giveData(*learner, programs, data); !status)
    return status.error();
  return learner;
}
