//===- ens-opt.cpp - Runs passes and pipelines on MLIR text ---------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FatalErrors.h"

#include "ensc/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  ensc::tool::handleFatalErrors("ens-opt");
  mlir::DialectRegistry registry;
  ensc::registerAllDialects(registry);
  ensc::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "ens-opt: runs passes of ensc on MLIR text\n", registry));
}
