//===- Records.h - The state of all runs ------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LEARNER_RECORDS_H
#define ENSC_LEARNER_RECORDS_H

#include "ensc/API/Tensor.h"
#include "ensc/Runtime/Groups.h"
#include "ensc/Runtime/Manifest.h"

#include <string>
#include <vector>

namespace ensc {

/// One tensor of a run's state.
struct Leaf {
  std::string name;
  DType dtype;
  Shape shape;
  size_t offset; ///< Bytes from the beginning of the record.
};

/// A float of the state that is infinite or NaN.
struct BadNumber {
  const Leaf *leaf = nullptr;
  double value = 0.0;
};

/// The state of N runs, run-major: a run's record holds its parameters, then
/// the leaves of its optimizer, in the order of the source, without padding.
class Records {
public:
  Records() = default;

  /// Records of what an initializing entry returns, all zero. Fails where
  /// memory is short.
  static Expected<Records> create(const ManifestEntry &init, int64_t runs);

  const std::vector<Leaf> &leaves() const { return leaves_; }
  size_t recordBytes() const { return recordBytes_; }
  int64_t runs() const { return runs_; }

  /// Where the runs keep the leaf called `name`, or nothing.
  std::optional<RunMemory> find(const std::string &name) const;

  /// A leaf of a run, over the memory of the record.
  Tensor view(int64_t run, const Leaf &leaf) const;

  /// Whether no float of a run's record is infinite or NaN.
  bool isFinite(int64_t run) const { return !findBadNumber(run); }

  /// The first float of a run's record that is infinite or NaN.
  std::optional<BadNumber> findBadNumber(int64_t run) const;

  /// Where a run's record begins.
  void *record(int64_t run) const {
    return static_cast<char *>(memory.get()) + run * recordBytes_;
  }

private:
  void *bytesOf(int64_t run, const Leaf &leaf) const;

  std::vector<Leaf> leaves_;
  size_t recordBytes_ = 0;
  int64_t runs_ = 0;
  std::shared_ptr<void> memory;
};

} // namespace ensc

#endif // ENSC_LEARNER_RECORDS_H
