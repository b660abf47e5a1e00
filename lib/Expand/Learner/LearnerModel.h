//===- LearnerModel.h - What a learner op says, resolved --------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPAND_LEARNER_LEARNERMODEL_H
#define ENSC_LIB_EXPAND_LEARNER_LEARNERMODEL_H

#include "OptimizerRules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ensc {

/// An argument or a result of a function with its name and what it is for.
struct Port {
  mlir::StringAttr name;
  mlir::Type type;
  llvm::StringRef role = "";         ///< empty: none
  mlir::FloatAttr defaultValue = {}; ///< of a hyper-parameter, or null
  llvm::StringRef direction = "";    ///< of a metric: "min" or "max"
  mlir::IntegerAttr classes = {};    ///< of labels: they are below; or null
  mlir::DictionaryAttr range = {};   ///< of a hyper-parameter, or null
  llvm::StringRef limit = "";        ///< the hyper-parameter not to exceed
};
using Ports = llvm::SmallVector<Port>;

/// A function that the learner names: its parameters come first.
struct LearnerFunction {
  mlir::func::FuncOp function;
  std::string name;          ///< "loss", or the name of the metric
  bool isRowWise;            ///< one value per row, or else one scalar
  llvm::StringRef direction; ///< what is better: "min" or "max"
  Ports extras;              ///< the arguments after the parameters
};

/// How many rows of the training data a run picks for itself; 0: none.
struct OwnRowCounts {
  int64_t training = 0, validation = 0;
};

/// Which functions of a learner are to be compiled, of those that depend on the
/// sizes of the data.
struct WantedFunctions {
  bool fit = true, evaluate = true;
};

/// Everything the emitters of the learner's functions need to know.
struct LearnerModel {
  ens::LearnerOp op;
  mlir::func::FuncOp init, predict; ///< predict may be null
  LearnerFunction loss;
  std::vector<LearnerFunction> metrics;

  Ports params, states;
  Ports data;           ///< a batch of each array that the loss reads
  Ports validationData; ///< the same for loss and metrics
  Ports ruleHypers;     ///< of the optimizer, the schedule and the clipping
  Ports lossHypers;     ///< of the loss
  Ports functionHypers; ///< of the loss and the metrics
  Ports initHypers;
  std::unique_ptr<OptimizerRule> optimizer;

  mlir::FloatType scalar; ///< the type of the loss
  int64_t rows, validationRows, batchSize;
  WantedFunctions wanted;
  OwnRowCounts ownRows; ///< not 0: those that a run picks among `rows`
  llvm::StringRef shuffle;
  std::string monitor;
  llvm::StringRef direction;

  mlir::Location loc() const { return ens::LearnerOp(op).getLoc(); }
  /// The schedule of the learning rate, or null.
  mlir::Attribute schedule() const {
    return ens::LearnerOp(op).getScheduleAttr();
  }
  bool clipsNorm() const {
    return ens::LearnerOp(op).getClipNormAttr() != nullptr;
  }
  /// The rows that a run trains on.
  int64_t trainedRows() const {
    return ownRows.training ? ownRows.training : rows;
  }
  int64_t stepsPerEpoch() const {
    return data.empty() ? 1 : trainedRows() / batchSize;
  }
  /// The rows of the arrays of which an evaluation reads some or all.
  int64_t evaluatedDataRows() const {
    return ownRows.validation ? rows : validationRows;
  }
  bool isShuffled() const { return shuffle != "none" && !data.empty(); }
  bool hasSharedOrder() const { return shuffle == "shared" && !data.empty(); }
  /// "@<learner>.<suffix>"
  std::string symbol(llvm::StringRef suffix) const;
};

/// Resolves what `op` names, or explains why it cannot be trained.
mlir::FailureOr<LearnerModel> buildLearnerModel(ens::LearnerOp op,
                                                OwnRowCounts ownRows,
                                                WantedFunctions wanted);

} // namespace ensc

#endif // ENSC_LIB_EXPAND_LEARNER_LEARNERMODEL_H
