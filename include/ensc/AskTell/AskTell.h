//===- AskTell.h - Training as others ask for it ----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A peer, such as an optimizer of hyper-parameters, asks for runs and is told
// what became of them, by JSON lines: docs/AskTell.md.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ASKTELL_ASKTELL_H
#define ENSC_ASKTELL_ASKTELL_H

#include "ensc/API/Learner.h"
#include "ensc/Plan/Plan.h"

#include <functional>
#include <optional>
#include <string>

namespace ensc {

/// Where the lines of the peer come from, and ours go to.
class LineChannel {
public:
  virtual ~LineChannel();

  /// The next line without its end; nothing where there is none.
  virtual Expected<std::optional<std::string>> read() = 0;

  /// Writes a line, whose end is not part of it, and sends it off.
  virtual Status write(const std::string &line) = 0;
};

struct AskTellOptions {
  std::string directory; ///< Of the log and of the batches; made if need be.
  int64_t every = 1;     ///< Records between two reports to the peer.
  FitOptions fit;        ///< Of each batch, except what the peer says of runs.
  /// Makes a learner of the programs of a plan, in their order, with its data.
  std::function<Expected<Learner>(const Plan &plan)> makeLearner;
};

/// What was trained, that of earlier processes included.
struct AskTellSummary {
  int64_t batches = 0, runs = 0;
};

/// Serves a peer until it is done. All that both sides say is in
/// `directory`/ask-tell.jsonl: a peer that says the same again is told the same
/// again without training, and what comes after that goes on where it ended.
Expected<AskTellSummary> serveAskTell(const AskTellOptions &options,
                                      LineChannel &channel);

} // namespace ensc

#endif // ENSC_ASKTELL_ASKTELL_H
