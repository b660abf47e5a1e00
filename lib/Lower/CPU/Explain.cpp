//===- Explain.cpp - Kernels for a CPU, for people ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Lower/CPU/Explain.h"

#include "ensc/Dialect/Ens/IR/EnsDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace ensc;

void ensc::explainKernels(ModuleOp module, llvm::raw_ostream &os) {
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    auto entry = kernel->getAttrOfType<DictionaryAttr>(ens::entryAttr);
    if (!entry)
      continue;
    os << "@" << entry.getAs<StringAttr>("name").getValue() << ", "
       << entry.getAs<StringAttr>("instance").getValue()
       << " kernel: a step of a group takes about "
       << entry.getAs<IntegerAttr>("cycles_per_step").getInt()
       << " cycles if its data is in the cache\n";
    for (auto tiles : entry.getAs<ArrayAttr>("tiles").getAsRange<StringAttr>())
      os << "  " << tiles.getValue() << "\n";
    os << "\n";
  }
}
