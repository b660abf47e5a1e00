//===- MakeLearner.cpp - A learner of a model -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakeLearner.h"

#include "Program.h"

#include "ensc/API/Compiler.h"

using namespace ensc;
using namespace ensc::bench;

Expected<Learner> bench::makeLearner(const Settings &settings) {
  const Model &model = settings.model;
  Expected<Executable> program =
      Compiler(settings.compile)
          .compile(learnerProgram(model), model.name() + ".mlir");
  if (!program)
    return program.error();
  Expected<Learner> learner = Learner::create(*program);
  if (!learner)
    return learner;
  Data data = makeData(model);
  for (auto [name, tensor] : {std::pair("x", data.x), std::pair("y", data.y)}) {
    Shape shape(tensor.shape().begin() + 1, tensor.shape().end());
    shape.front() *= batchCount;
    if (Status status = learner->setData(name, tensor.reshaped(shape)); !status)
      return status.error();
  }
  return learner;
}
