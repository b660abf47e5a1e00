//===- SuccessiveHalving.cpp - Most runs end early ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Search/SuccessiveHalving.h"

#include "Ranking.h"

#include "ensc/Artifact/JsonLines.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace ensc;

std::string SuccessiveHalving::describe() const {
  return Json{{"search", "halving"}, {"eta", eta}, {"first", first}}.dump();
}

Status SuccessiveHalving::check(const SearchedRuns &runs) const {
  return checkFirstDecision(runs, first, "successive halving", "'first'");
}

int64_t SuccessiveHalving::nextSync(int64_t tick) const {
  int64_t rung = first;
  while (rung <= tick) {
    if (rung > never / eta)
      return never;
    rung *= eta;
  }
  return rung;
}

Status SuccessiveHalving::decide(Population &population) {
  std::vector<int64_t> ranked = rankLiveRuns(population);
  if (runs == 0)
    runs = static_cast<int64_t>(ranked.size());
  // Runs that diverged since the first of the ticks count among those that end.
  int64_t kept = runs / eta;
  for (int64_t tick = first; tick < population.tick(); tick = nextSync(tick))
    kept /= eta;
  kept = std::max<int64_t>(kept, 1);
  for (size_t i = static_cast<size_t>(kept); i < ranked.size(); ++i)
    if (Status status = population.stop(ranked[i], "halving"); !status)
      return status;
  return Status::success();
}

std::string SuccessiveHalving::save() const {
  return Json{{"runs", runs}}.dump();
}

Status SuccessiveHalving::load(const std::string &state) {
  Json json = parseJson(state);
  if (!json.is_object() || !json.contains("runs") ||
      !json["runs"].is_number_integer() || json["runs"].get<int64_t>() < 0)
    return Error(ErrorKind::InvalidData,
                 "the state of successive halving must be {\"runs\": n}, got " +
                     state);
  runs = json["runs"].get<int64_t>();
  return Status::success();
}
