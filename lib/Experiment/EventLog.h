//===- EventLog.h - What happened, and when ---------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_EXPERIMENT_EVENTLOG_H
#define ENSC_LIB_EXPERIMENT_EVENTLOG_H

#include "ensc/Artifact/JsonLines.h"
#include "ensc/Artifact/LogFile.h"

#include <string>

namespace ensc {

/// "2026-11-30T16:30:01.250Z": now, by the clock that people set.
std::string currentTime();

/// "2026-11-30T16:30:01Z": what an experiment that begins now bears, unless
/// $SOURCE_DATE_EPOCH says that it must bear another time.
std::string creationTime();

/// events.jsonl.
class EventLog {
public:
  static Expected<EventLog> open(const std::string &path);

  /// Forgets what training did after the log had `size` bytes; it will do it
  /// again. What processes did stays: that they started, were interrupted, went
  /// on.
  Status rewind(uint64_t size);

  /// Adds {"time": .., "event": name} and `fields`.
  void add(const char *name, const Json &fields);

  /// Writes what was added.
  Status write();
  Status flush() { return file.flush(); }

  /// The bytes that are written.
  uint64_t size() const { return file.size(); }

private:
  EventLog(std::string path, LogFile file)
      : path(std::move(path)), file(std::move(file)) {}

  std::string path;
  LogFile file;
  std::string pending;
};

} // namespace ensc

#endif // ENSC_LIB_EXPERIMENT_EVENTLOG_H
