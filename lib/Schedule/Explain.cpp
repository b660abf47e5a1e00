//===- Explain.cpp - A phase program for people ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Schedule/Explain.h"

#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

static void explainValues(ArrayAttr values, StringRef kind,
                          llvm::raw_ostream &os) {
  for (auto [position, value] :
       llvm::enumerate(values.getAsRange<DictionaryAttr>())) {
    os << "  " << kind << " ";
    if (auto name = value.getAs<StringAttr>("name"))
      os << name.getValue();
    else
      os << position;
    os << ": " << value.get("type");
    if (auto role = value.getAs<StringAttr>("role"))
      os << ", " << role.getValue();
    os << (value.contains("per_run") ? ", per run\n" : ", shared\n");
  }
}

/// The distinct buffers that a phase reads or writes.
template <typename AccessOp>
static llvm::SetVector<Value> buffersOf(Operation *phase) {
  llvm::SetVector<Value> buffers;
  phase->walk([&](AccessOp access) { buffers.insert(access.getMemRef()); });
  return buffers;
}

static int64_t bytesOf(const llvm::SetVector<Value> &buffers) {
  int64_t bytes = 0;
  for (Value buffer : buffers) {
    auto type = cast<MemRefType>(buffer.getType());
    bytes += type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
  }
  return bytes;
}

static void explainPhase(Operation *op, unsigned depth, bool inLanes,
                         llvm::raw_ostream &os) {
  os.indent(2 + 2 * depth);
  bool lanes = false;
  if (auto contract = dyn_cast<ContractOp>(op)) {
    os << "contract " << llvm::interleaved_array(contract.getDomain())
       << " over " << llvm::interleaved_array(contract.getOver());
    lanes = contract.getLanes();
    int64_t fused = 0;
    for (Operation &inner : contract.getEpilogue().front())
      fused += inner.getDialect() == op->getDialect();
    if (fused)
      os << ", " << fused << " ops in its epilogue";
  } else {
    auto map = cast<MapOp>(op);
    os << (map.getSequential() ? "sequential map " : "map ")
       << llvm::interleaved_array(map.getDomain());
    lanes = map.getLanes();
    int64_t folds = 0;
    map.walk([&](FoldOp) { ++folds; });
    if (folds)
      os << ", " << folds << (folds == 1 ? " fold" : " folds");
  }
  // In a solo instance a group is a run.
  if (inLanes)
    os << (lanes ? ", per run" : ", once per group");
  os << ", reads " << bytesOf(buffersOf<memref::LoadOp>(op)) << " and writes "
     << bytesOf(buffersOf<memref::StoreOp>(op)) << " bytes\n";
}

static void explainBlock(Block &block, unsigned depth, bool inLanes,
                         llvm::raw_ostream &os) {
  for (Operation &op : block) {
    if (isa<MapOp, ContractOp>(op)) {
      explainPhase(&op, depth, inLanes, os);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      os.indent(2 + 2 * depth) << "loop\n";
      explainBlock(*loop.getBody(), depth + 1, inLanes, os);
    } else if (auto read = dyn_cast<ReadRunsOp>(op)) {
      os.indent(2 + 2 * depth)
          << "read argument " << read.getArgument() << " of each run\n";
    } else if (auto write = dyn_cast<WriteRunsOp>(op)) {
      os.indent(2 + 2 * depth)
          << "write result " << write.getResultIndex() << " of each run\n";
    }
  }
}

void ensc::explainPhases(ModuleOp module, llvm::raw_ostream &os) {
  for (auto function : module.getOps<func::FuncOp>()) {
    auto entry = function->getAttrOfType<DictionaryAttr>(entryAttr);
    if (!entry)
      continue;
    int64_t lanes = entry.getAs<IntegerAttr>("lanes").getInt();
    int64_t arenaBytes = entry.getAs<IntegerAttr>("arena_bytes").getInt();
    os << "@" << entry.getAs<StringAttr>("name").getValue() << ", "
       << entry.getAs<StringAttr>("instance").getValue()
       << " instance: " << lanes << (lanes == 1 ? " run" : " runs")
       << " per group, arena of " << arenaBytes << " bytes";
    if (lanes > 1)
      os << ", " << (arenaBytes + lanes - 1) / lanes
         << " per run; what is per run has the runs as its last dimension";
    os << "\n";
    explainValues(entry.getAs<ArrayAttr>("arguments"), "argument", os);
    explainValues(entry.getAs<ArrayAttr>("results"), "result", os);
    explainBlock(function.getBody().front(), 0, lanes > 1, os);
    os << "\n";
  }
}
