//===- AskTellSearch.cpp - A peer decides which runs go on ----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AskTellSearch.h"

#include <algorithm>

using namespace ensc;

std::string AskTellSearch::describe() const {
  return Json{{"search", "ask-tell"}, {"every", every}}.dump();
}

int64_t AskTellSearch::nextSync(int64_t tick) const {
  int64_t begun = tick / every;
  return begun >= never / every ? never : (begun + 1) * every;
}

Json AskTellSearch::report(const Population &population) const {
  Json reports = Json::array();
  for (int64_t run : population.live()) {
    Json line = {{"id", names.idOf(run)}, {"step", population.steps(run)}};
    for (size_t i = 0; i < population.metrics().size(); ++i)
      line[population.metrics()[i].name] =
          jsonNumber(population.latest(run, i));
    reports.push_back(std::move(line));
  }
  return reports;
}

Status AskTellSearch::decide(Population &population) {
  int64_t tick = population.tick();
  auto answered = answers.find(tick);
  if (answered == answers.end()) {
    Json reports = report(population);
    Expected<Json> stops = exchange(channel, names, tick, reports);
    if (!stops)
      return stops.error();
    if (Status status = log.append(
            {{"tick", tick}, {"reports", reports}, {"stops", *stops}});
        !status)
      return status;
    answered = answers.emplace(tick, std::move(*stops)).first;
  }
  for (const Json &run : answered->second) {
    // One that has ended by itself is stopped in vain.
    const std::vector<int64_t> &live = population.live();
    if (std::binary_search(live.begin(), live.end(), run.get<int64_t>()))
      if (Status status = population.stop(run.get<int64_t>(), "asked"); !status)
        return status;
  }
  return Status::success();
}
