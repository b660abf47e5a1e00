//===- MemorySink.h - A sink that keeps a fit in memory ---------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_TEST_UNIT_LEARNER_MEMORYSINK_H
#define ENSC_TEST_UNIT_LEARNER_MEMORYSINK_H

#include "States.h"

#include "ensc/Learner/FitSink.h"

#include <cstring>
#include <map>

namespace ensc::test {

/// What a fit has given, and a snapshot with what had been given by then.
struct KeptFit {
  std::map<int64_t, std::vector<EpochRecord>> records;
  std::map<int64_t, std::vector<Tensor>> states;
  std::map<int64_t, RunReport> ended;
  std::vector<std::string> events;
  std::optional<Snapshot> snapshot;
};

/// Goes on from what was kept last, whatever came after.
class MemorySink : public FitSink {
public:
  /// Survives the sink, as files do.
  explicit MemorySink(KeptFit &kept) : kept(kept), now(kept) {}

  Expected<std::optional<Snapshot>> start(const FitPlan &plan) override {
    metrics = plan.metrics.size();
    return kept.snapshot;
  }
  Status records(const RecordBatch &batch) override {
    std::pair<int64_t, int64_t> last(-1, -1);
    for (const RecordRow &row : batch) {
      EXPECT_LT(last, std::pair(row.run, row.step));
      last = {row.run, row.step};
      now.records[row.run].push_back({row.epoch,
                                      row.step,
                                      row.validated,
                                      {row.values, row.values + metrics}});
    }
    if (onRecords)
      onRecords();
    return fail();
  }
  Status ended(const std::vector<RunReport> &reports,
               const StateReader &readState) override {
    for (const RunReport &report : reports) {
      EXPECT_FALSE(now.ended.count(report.run)) << report.run;
      now.ended[report.run] = report;
      std::vector<Tensor> &state = now.states[report.run];
      Expected<std::vector<NamedTensor>> tensors = readState(report.run);
      for (const NamedTensor &named : *tensors)
        state.push_back(named.tensor.clone());
    }
    return fail();
  }
  Status event(const FitEvent &event) override {
    std::string text = nameOf(event.kind);
    text += " " + std::to_string(event.tick) + " " + event.text;
    for (int64_t run : event.runs)
      text += " " + std::to_string(run);
    now.events.push_back(text);
    return Status::success();
  }
  bool wantsSnapshot(int64_t) override { return ++parts % keepEvery == 0; }
  Status snapshot(const Snapshot &snapshot) override {
    kept = now;
    kept.snapshot = snapshot;
    return Status::success();
  }
  Status finish(const FitReport &report, const Snapshot &last) override {
    finished = report;
    return snapshot(last);
  }

  std::function<void()> onRecords;
  int keepEvery = 1; ///< Parts from a snapshot to the next.
  int failAfter = 0; ///< Calls until one fails, as a disk does; 0: never.
  std::optional<FitReport> finished;

private:
  Status fail() {
    if (failAfter && --failAfter == 0)
      return Error(ErrorKind::Io, "the disk is full");
    return Status::success();
  }

  KeptFit &kept;
  KeptFit now;
  size_t metrics = 0;
  int parts = 0;
};

/// Equal bits, whatever the numbers.
inline bool sameNumbers(const std::vector<double> &a,
                        const std::vector<double> &b) {
  return a.size() == b.size() &&
         (a.empty() ||
          std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

inline void expectSameReport(const RunReport &a, const RunReport &b) {
  EXPECT_EQ(a.seed, b.seed) << a.run;
  EXPECT_EQ(a.program, b.program) << a.run;
  EXPECT_EQ(a.status, b.status) << a.run;
  EXPECT_EQ(a.reason, b.reason) << a.run;
  EXPECT_EQ(a.steps, b.steps) << a.run;
  EXPECT_TRUE(sameNumbers({a.value}, {b.value})) << a.run;
  EXPECT_TRUE(sameNumbers(a.final, b.final)) << a.run;
  EXPECT_TRUE(sameNumbers(a.best, b.best)) << a.run;
}

inline void expectSameRecords(const std::vector<EpochRecord> &a,
                              const std::vector<EpochRecord> &b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].epoch, b[i].epoch);
    EXPECT_EQ(a[i].step, b[i].step);
    EXPECT_EQ(a[i].validated, b[i].validated);
    EXPECT_TRUE(sameNumbers(a[i].values, b[i].values));
  }
}

inline void expectSameFit(KeptFit &a, KeptFit &b) {
  ASSERT_EQ(a.ended.size(), b.ended.size());
  EXPECT_EQ(a.events, b.events);
  for (auto &[run, report] : a.ended) {
    ASSERT_TRUE(b.ended.count(run)) << run;
    expectSameReport(report, b.ended[run]);
    EXPECT_TRUE(sameState(a.states[run], b.states[run])) << run;
    expectSameRecords(a.records[run], b.records[run]);
  }
}

} // namespace ensc::test

#endif // ENSC_TEST_UNIT_LEARNER_MEMORYSINK_H
