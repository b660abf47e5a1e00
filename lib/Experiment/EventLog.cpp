//===- EventLog.cpp - What happened, and when -----------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EventLog.h"

#include "LineReader.h"

#include "ensc/Experiment/JsonFields.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>

using namespace ensc;

/// The date and the time of day without a zone.
static std::string formatSeconds(time_t seconds) {
  std::tm parts = {};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  size_t size = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
  return std::string(text, size);
}

std::string ensc::currentTime() {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  std::string fraction = std::to_string(1000 + now.tv_nsec / 1000000);
  fraction.front() = '.';
  return formatSeconds(now.tv_sec) + fraction + "Z";
}

std::string ensc::creationTime() {
  time_t seconds = std::time(nullptr);
  if (const char *given = std::getenv("SOURCE_DATE_EPOCH"))
    if (std::optional<double> number = parseNumber(given))
      seconds = static_cast<time_t>(std::clamp(*number, 0.0, 1e11));
  return formatSeconds(seconds) + "Z";
}

Expected<EventLog> EventLog::open(const std::string &path) {
  Expected<LogFile> file = LogFile::open(path);
  if (!file)
    return file.error();
  return EventLog(path, std::move(*file));
}

/// Whether a line tells of a process rather than of training.
static bool isOfProcess(std::string_view line) {
  static const char *const names[] = {"started", "resumed", "interrupted",
                                      "warning", "finished"};
  Json event = parseJson(line);
  std::optional<std::string> name = textOf(findField(event, "event"));
  return name && std::find(std::begin(names), std::end(names), *name) !=
                     std::end(names);
}

Status EventLog::rewind(uint64_t size) {
  if (size >= file.size())
    return Status::success();
  Expected<std::shared_ptr<InputFile>> input = InputFile::open(path);
  if (!input)
    return input.error();
  LineReader lines(*input, size);
  std::string kept;
  while (true) {
    Expected<std::optional<std::string_view>> line = lines.next();
    if (!line)
      return line.error().inContext(path);
    if (!*line)
      break;
    if (isOfProcess(**line))
      kept.append(**line) += '\n';
  }
  if (Status status = file.cut(size); !status)
    return status;
  return file.append(kept);
}

void EventLog::add(const char *name, const Json &fields) {
  Json event = {{"time", currentTime()}, {"event", name}};
  event.update(fields);
  pending += dumpLine(event) + '\n';
}

Status EventLog::write() {
  Status status = file.append(pending);
  pending.clear();
  return status;
}
