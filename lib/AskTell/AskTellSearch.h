//===- AskTellSearch.h - A peer decides which runs go on --------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_ASKTELL_ASKTELLSEARCH_H
#define ENSC_LIB_ASKTELL_ASKTELLSEARCH_H

#include "Dialogue.h"

#include "ensc/API/Search.h"

namespace ensc {

/// Tells the peer of the live runs, and stops those that it names. It has no
/// state: what the peer answered is in the log of the dialogue.
class AskTellSearch : public Search {
public:
  AskTellSearch(int64_t every, RunNames names, LineChannel &channel,
                DialogueLog &log)
      : every(every), names(std::move(names)), channel(channel), log(log) {}

  /// What the peer has answered at a tick already.
  void answer(int64_t tick, Json stops) { answers[tick] = std::move(stops); }

  std::string describe() const override;
  int64_t nextSync(int64_t tick) const override;
  Status decide(Population &population) override;

private:
  Json report(const Population &population) const;

  int64_t every;
  RunNames names;
  LineChannel &channel;
  DialogueLog &log;
  std::map<int64_t, Json> answers;
};

} // namespace ensc

#endif // ENSC_LIB_ASKTELL_ASKTELLSEARCH_H
