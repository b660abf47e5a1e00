//===- TensorBoard.h - Event files of TensorBoard ---------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A file is a sequence of records: length, checksum, event, checksum. Events
// are messages of Protocol Buffers, which are written by hand: few fields of
// few messages are needed, and they will keep their numbers.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_TENSORBOARD_H
#define ENSC_ARTIFACT_TENSORBOARD_H

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ensc {

/// A hyper-parameter of a run for TensorBoard's table.
struct EventHyper {
  std::string name;
  std::variant<double, std::string> value;
};

/// Builds the content of one event file, that of one run. Equal calls give
/// equal bytes.
class EventFile {
public:
  /// All events bear the same time, in seconds since 1970.
  explicit EventFile(double time);

  /// What the HParams table shows of the run. To be called once, first.
  void addHypers(const std::vector<EventHyper> &hypers);

  /// One value per tag at a step. The format rounds them to 32 bits.
  void addScalars(int64_t step, const std::vector<std::string> &tags,
                  const double *values);

  /// How the run ended. To be called once, last.
  void addEnd(bool failed);

  const std::string &bytes() const { return bytes_; }

private:
  void addEvent(int64_t step, uint32_t field, std::string_view content);
  void addPluginData(const char *tag, uint32_t field, std::string_view content);

  double time;
  std::string bytes_;
};

} // namespace ensc

#endif // ENSC_ARTIFACT_TENSORBOARD_H
