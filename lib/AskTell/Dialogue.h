//===- Dialogue.h - What both sides have said -------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_ASKTELL_DIALOGUE_H
#define ENSC_LIB_ASKTELL_DIALOGUE_H

#include "Request.h"

#include "ensc/AskTell/AskTell.h"

#include <map>

namespace ensc {

/// The file of a dialogue: entries of earlier processes, which are gone through
/// again, then new ones. Entries are, in this order: one `begin`, then for each
/// batch `batch`, `tick`s and, unless the last one is not over yet, `ended`.
///
///   {"begin": {...}}                                 what is trained, and how
///   {"batch": K, "ids": [...], "asks": [...]}        what the peer asked for
///   {"tick": T, "reports": [...], "stops": [...]}    told, and its answer
///   {"ended": [...]}                                 what became of the runs
class DialogueLog {
public:
  /// Fails where the file holds anything else.
  static Expected<DialogueLog> open(const std::string &path);

  /// The next entry of an earlier process; null where there is none.
  const Json *next() const {
    return position < entries.size() ? &entries[position] : nullptr;
  }
  void advance() { ++position; }

  /// The number of batches that have ended in earlier processes.
  int64_t endedBatches() const;

  /// Adds an entry, which is then on disk.
  Status append(const Json &entry);

private:
  DialogueLog(std::vector<Json> entries, JsonLinesWriter writer)
      : entries(std::move(entries)), writer(std::move(writer)) {}

  std::vector<Json> entries;
  size_t position = 0;
  JsonLinesWriter writer;
};

/// The runs of a batch by what the peer calls them.
class RunNames {
public:
  RunNames() = default;
  explicit RunNames(const Json &ids);

  const Json &idOf(int64_t run) const { return ids[run]; }
  std::optional<int64_t> find(const Json &id) const;

private:
  Json ids = Json::array();
  std::map<std::string, int64_t> runOf; ///< By the text of the id.
};

/// Sends a line.
Status say(LineChannel &channel, const Json &line);

/// Tells the peer the reports of a tick and waits for its answer: the runs to
/// stop, as an ascending array.
Expected<Json> exchange(LineChannel &channel, const RunNames &names,
                        int64_t tick, const Json &reports);

} // namespace ensc

#endif // ENSC_LIB_ASKTELL_DIALOGUE_H
