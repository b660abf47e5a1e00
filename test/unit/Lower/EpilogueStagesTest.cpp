//===- EpilogueStagesTest.cpp - Epilogues cut in two ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EpilogueStages.h"
#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;

namespace {

/// An epilogue of `ops`, with lanes at points (%i, %l), otherwise (%i, %j), of
/// the sum %s. It has the memrefs %c, %d, %table and %rate, an element of which
/// is that of a lane or the only one.
class Epilogue {
public:
  Epilogue(const std::string &ops, bool hasLanes = false) {
    context.loadDialect<ens::EnsDialect, arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect>();
    std::string last = hasLanes ? "%l" : "%j";
    std::string text = "func.func @f(%c: memref<4x8xf32>, %d: memref<4x8xf32>, "
                       "%table: memref<4x8xi32>, %rate: memref<8xf32>) {\n"
                       "  ens.contract domain = [4, 8] " +
                       std::string(hasLanes ? "lanes " : "") +
                       "over = [2] : f32 {\n"
                       "  ^bb0(%i: index, " +
                       last +
                       ": index, %k: index):\n"
                       "    %x = arith.constant 1.0 : f32\n"
                       "    ens.yield %x, %x : f32, f32\n"
                       "  } epilogue {\n  ^bb0(%i: index, " +
                       last + ": index, %s: f32):\n" + ops +
                       "  }\n  return\n}\n";
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << text;
      return;
    }
    module->walk([&](ens::ContractOp contract) {
      stages = cutIntoStages(contract.getEpilogue().front(), hasLanes);
    });
  }

  std::string head() { return namesOf(stages.head); }
  std::string tail() { return namesOf(stages.tail); }
  /// What is handed on, the ops that make it.
  std::string handedOn() {
    std::string names;
    for (Value value : stages.handedOn) {
      Operation *op = value.getDefiningOp();
      names += (names.empty() ? "" : " ") +
               (op ? op->getName().stripDialect().str() : "argument");
    }
    return names;
  }

private:
  static std::string namesOf(ArrayRef<Operation *> ops) {
    std::string names;
    for (Operation *op : ops)
      names += (names.empty() ? "" : " ") + op->getName().stripDialect().str();
    return names;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  EpilogueStages stages;
};

const std::string storeQ =
    "    memref.store %q, %c[%i, %j] : memref<4x8xf32>\n";

} // namespace

TEST(EpilogueStages, CutsWhereResultsAreLate) {
  Epilogue epilogue("    %a = ens.abs %s : f32\n"
                    "    %r = ens.sqrt %a : f32\n"
                    "    %q = ens.div %s, %r : f32\n" +
                    storeQ);
  EXPECT_EQ(epilogue.head(), "abs sqrt");
  EXPECT_EQ(epilogue.tail(), "div store");
  EXPECT_EQ(epilogue.handedOn(), "argument sqrt");
}

TEST(EpilogueStages, KeepsInTheHeadWhatWaitsForNothing) {
  Epilogue epilogue("    %r = ens.rsqrt %s : f32\n"
                    "    %p = memref.load %d[%i, %j] : memref<4x8xf32>\n"
                    "    %n = ens.neg %p : f32\n"
                    "    %q = ens.mul %n, %r : f32\n"
                    "    memref.store %n, %d[%i, %j] : memref<4x8xf32>\n" +
                    storeQ);
  EXPECT_EQ(epilogue.head(), "rsqrt load neg store");
  EXPECT_EQ(epilogue.tail(), "mul store");
  EXPECT_EQ(epilogue.handedOn(), "neg rsqrt");
}

TEST(EpilogueStages, HasNoTailWhereNothingIsLate) {
  Epilogue epilogue("    %q = ens.neg %s : f32\n" + storeQ);
  EXPECT_EQ(epilogue.head(), "neg store");
  EXPECT_EQ(epilogue.tail(), "");
  EXPECT_EQ(epilogue.handedOn(), "");
}

TEST(EpilogueStages, FormsConstantsAndIndicesAnew) {
  Epilogue epilogue("    %one = arith.constant 1.0 : f32\n"
                    "    %first = arith.constant 0 : index\n"
                    "    %next = arith.maxsi %i, %first : index\n"
                    "    %r = ens.sqrt %s : f32\n"
                    "    %q = ens.add %r, %one : f32\n"
                    "    memref.store %q, %c[%next, %j] : memref<4x8xf32>\n");
  EXPECT_EQ(epilogue.tail(), "add store");
  EXPECT_EQ(epilogue.handedOn(), "sqrt");
}

TEST(EpilogueStages, LoadsAnewWhatIsTheSameAtAllPoints) {
  const std::string scaled = "    %r = ens.sqrt %s : f32\n"
                             "    %q = ens.mul %r, %p : f32\n";
  EXPECT_EQ(Epilogue("    %first = arith.constant 0 : index\n"
                     "    %p = memref.load %rate[%first] : memref<8xf32>\n" +
                     scaled + storeQ)
                .handedOn(),
            "sqrt");
  EXPECT_EQ(Epilogue("    %p = memref.load %rate[%j] : memref<8xf32>\n" +
                     scaled + storeQ)
                .handedOn(),
            "sqrt load");
  EXPECT_EQ(Epilogue("    %p = memref.load %rate[%l] : memref<8xf32>\n" +
                         scaled +
                         "    memref.store %q, %c[%i, %l] : memref<4x8xf32>\n",
                     /*hasLanes=*/true)
                .handedOn(),
            "sqrt");
}

TEST(EpilogueStages, StaysWholeWhereItMayAccessWhatItStored) {
  Epilogue loads("    %q = ens.sqrt %s : f32\n" + storeQ +
                 "    %p = memref.load %d[%i, %j] : memref<4x8xf32>\n"
                 "    memref.store %p, %d[%i, %j] : memref<4x8xf32>\n");
  EXPECT_EQ(loads.head(), "sqrt store load store");
  EXPECT_EQ(loads.tail(), "");
  Epilogue stores("    %q = ens.sqrt %s : f32\n"
                  "    memref.store %s, %c[%i, %j] : memref<4x8xf32>\n" +
                  storeQ);
  EXPECT_EQ(stores.head(), "sqrt store store");
  EXPECT_EQ(stores.tail(), "");
}

TEST(EpilogueStages, StaysWholeWithAnOpThatHasOps) {
  Epilogue epilogue("    %r = ens.sqrt %s : f32\n"
                    "    %sum = ens.fold sum over = [8] : f32 {\n"
                    "    ^bb0(%n: index):\n"
                    "      %x = memref.load %d[%i, %n] : memref<4x8xf32>\n"
                    "      ens.yield %x : f32\n    }\n"
                    "    %q = ens.add %r, %sum : f32\n" +
                    storeQ);
  EXPECT_EQ(epilogue.head(), "sqrt fold add store");
  EXPECT_EQ(epilogue.tail(), "");
}

TEST(EpilogueStages, StaysWholeWhereAnIndexFromMemoryWouldBeHandedOn) {
  Epilogue epilogue(
      "    %r = ens.sqrt %s : f32\n"
      "    %number = memref.load %table[%i, %j] : memref<4x8xi32>\n"
      "    %column = arith.index_cast %number : i32 to index\n"
      "    memref.store %r, %c[%i, %column] : memref<4x8xf32>\n");
  EXPECT_EQ(epilogue.head(), "sqrt load index_cast store");
  EXPECT_EQ(epilogue.tail(), "");
  EXPECT_EQ(epilogue.handedOn(), "");
}
