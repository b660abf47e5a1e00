//===- Dialogue.cpp - What both sides have said ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialogue.h"

#include <set>
#include <sys/stat.h>

using namespace ensc;

LineChannel::~LineChannel() = default;

//===----------------------------------------------------------------------===//
// Log
//===----------------------------------------------------------------------===//

static bool hasArray(const Json &entry, const char *key) {
  return entry.contains(key) && entry[key].is_array();
}

static bool hasInteger(const Json &entry, const char *key) {
  return entry.contains(key) && entry[key].is_number_integer();
}

namespace {
/// Reads a log entry by entry, and knows what may come next.
class OrderCheck {
public:
  /// Whether the entry is one that may come here.
  bool accepts(const Json &entry) {
    if (!entry.is_object())
      return false;
    if (where == Start)
      return goTo(Between, entry.size() == 1 && entry.contains("begin") &&
                               entry["begin"].is_object());
    if (where == Between)
      return goTo(InBatch, isBatch(entry));
    if (hasArray(entry, "ended")) {
      ++batches;
      return goTo(Between, entry.size() == 1);
    }
    return isTick(entry);
  }

private:
  enum Place { Start, Between, InBatch };

  bool goTo(Place next, bool isRight) {
    where = next;
    return isRight;
  }

  bool isBatch(const Json &entry) const {
    return entry.size() == 3 && hasInteger(entry, "batch") &&
           entry["batch"] == batches && hasArray(entry, "ids") &&
           hasArray(entry, "asks") &&
           entry["ids"].size() == entry["asks"].size();
  }

  static bool isTick(const Json &entry) {
    return entry.size() == 3 && hasInteger(entry, "tick") &&
           hasArray(entry, "reports") && hasArray(entry, "stops");
  }

  Place where = Start;
  int64_t batches = 0;
};
} // namespace

Expected<DialogueLog> DialogueLog::open(const std::string &path) {
  std::vector<Json> entries;
  struct stat info;
  if (::stat(path.c_str(), &info) == 0) {
    Expected<std::vector<Json>> read = readJsonLines(path);
    if (!read)
      return read.error();
    entries = std::move(*read);
    OrderCheck check;
    for (size_t i = 0; i < entries.size(); ++i)
      if (!check.accepts(entries[i]))
        return Error(ErrorKind::InvalidData,
                     path + ": line " + std::to_string(i + 1) +
                         " is no part of a dialogue, or out of place");
  }
  Expected<JsonLinesWriter> writer = JsonLinesWriter::open(path);
  if (!writer)
    return writer.error();
  return DialogueLog(std::move(entries), std::move(*writer));
}

int64_t DialogueLog::endedBatches() const {
  int64_t count = 0;
  for (const Json &entry : entries)
    count += entry.contains("ended");
  return count;
}

Status DialogueLog::append(const Json &entry) {
  if (Status status = writer.append(entry); !status)
    return status;
  return writer.flush();
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

RunNames::RunNames(const Json &ids) : ids(ids) {
  for (size_t run = 0; run < ids.size(); ++run)
    runOf[ids[run].dump()] = static_cast<int64_t>(run);
}

std::optional<int64_t> RunNames::find(const Json &id) const {
  auto found = runOf.find(id.dump());
  return found == runOf.end() ? std::nullopt
                              : std::optional<int64_t>(found->second);
}

Status ensc::say(LineChannel &channel, const Json &line) {
  return channel.write(
      line.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Expected<Json> ensc::exchange(LineChannel &channel, const RunNames &names,
                              int64_t tick, const Json &reports) {
  for (const Json &report : reports)
    if (Status status = say(channel, report); !status)
      return status.error();
  if (Status status = say(channel, {{"waiting", tick}}); !status)
    return status.error();
  std::set<int64_t> stops;
  while (true) {
    Expected<std::optional<std::string>> line = channel.read();
    if (!line)
      return line.error();
    if (!*line)
      return Error(ErrorKind::Interrupted,
                   "the other side left in the middle of a batch; the same "
                   "command goes on from here");
    Expected<Request> request = parseRequest(**line);
    std::string problem;
    if (!request)
      problem = request.error().message();
    else if (request->kind == Request::Continue)
      return Json(stops);
    else if (request->kind != Request::Stop)
      problem = "runs are training: expected {\"stop\": ID} or "
                "{\"continue\": true}";
    else if (std::optional<int64_t> run = names.find(request->id))
      stops.insert(*run);
    else
      problem = "no run of this batch is called " + request->id.dump();
    if (!problem.empty())
      if (Status status = say(channel, {{"error", problem}}); !status)
        return status.error();
  }
}
