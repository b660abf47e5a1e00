//===- TestExperiment.h - An experiment written by hand ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_EXPERIMENT_TESTEXPERIMENT_H
#define ENSC_TEST_UNIT_EXPERIMENT_TESTEXPERIMENT_H

#include "../Artifact/TestFiles.h"

#include "ensc/Experiment/Reader.h"

#include <filesystem>
#include <string>

namespace ensc {

/// A plan of three runs with one metric to validate.
inline const char *const testPlan = R"({
  "format": 2,
  "created": "2026-11-30T16:30:01Z",
  "versions": {"ensc": "0.1.0"},
  "learner": "net",
  "metrics": [{"name": "loss", "direction": "min"},
              {"name": "val_accuracy", "direction": "max"}],
  "monitor": "val_accuracy",
  "direction": "max",
  "programs": [{"name": "net.mlir", "learner": "net",
                "file": "program/0.mlir", "hash": "00"}],
  "runs": 3,
  "epochs": 2,
  "hypers": ["lr"],
  "columns": {"seed": [5, 6, 7], "lr": [0.1, null, 1e-05]}
})";

inline const char *const testMetrics = "run,step,epoch,loss,val_accuracy\n"
                                       "0,2,0,0.5,\n"
                                       "2,2,0,nan,0.25\n"
                                       "0,4,1,0.25,0.75\n";

inline void writeTestExperiment(const std::string &path,
                                const std::string &plan = testPlan,
                                const std::string &metrics = testMetrics) {
  std::filesystem::create_directories(path);
  writeBytes(path + "/plan.json", plan);
  writeBytes(path + "/metrics.csv", metrics);
}

/// `text` with the first `from` replaced.
inline std::string replaced(std::string text, const std::string &from,
                            const std::string &to) {
  size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

} // namespace ensc

#endif // ENSC_TEST_UNIT_EXPERIMENT_TESTEXPERIMENT_H
