//===- PopulationTraining.cpp - Runs that learn from better ones ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Search/PopulationTraining.h"

#include "Ranking.h"

#include "ensc/Artifact/JsonLines.h"
#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace ensc;

std::string PopulationTraining::describe() const {
  Json hypers = Json::array();
  for (const HyperChange &change : changes)
    hypers.push_back({{"name", change.name},
                      {"low", change.low},
                      {"high", change.high},
                      {"resample", change.text}});
  return Json{{"search", "population"},
              {"every", every},
              {"fraction", fraction},
              {"seed", seed},
              {"changes", hypers}}
      .dump();
}

Status PopulationTraining::check(const SearchedRuns &runs) const {
  for (size_t run = 0; run < runs.programs.size(); ++run)
    if (runs.programs[run] != runs.programs.front())
      return Error(
          ErrorKind::InvalidArgument,
          "population-based training copies the state of runs, so that "
          "all must be of one program, but run " +
              std::to_string(run) + " is of another than run 0");
  const std::vector<std::string> &names =
      runs.hypers[static_cast<size_t>(runs.programs.front())];
  for (const HyperChange &change : changes)
    if (std::find(names.begin(), names.end(), change.name) == names.end())
      return Error(ErrorKind::InvalidArgument,
                   "population-based training changes '" + change.name +
                       "', but the program has no hyper-parameter of this "
                       "name" +
                       suggest(change.name, names));
  return checkFirstDecision(runs, every, "population-based training",
                            "'every'");
}

int64_t PopulationTraining::nextSync(int64_t tick) const {
  int64_t begun = tick / every;
  return begun >= never / every ? never : (begun + 1) * every;
}

Status PopulationTraining::decide(Population &population) {
  std::vector<int64_t> ranked = rankLiveRuns(population);
  size_t replaced =
      static_cast<size_t>(fraction * static_cast<double>(ranked.size()));
  replaced = std::min(std::max<size_t>(replaced, 1), ranked.size() / 2);
  for (size_t i = 0; i < replaced; ++i)
    if (Status status =
            replace(population, ranked[i], ranked[ranked.size() - 1 - i]);
        !status)
      return status;
  return Status::success();
}

/// The value of a hyper-parameter, changed by chance.
static double changed(const HyperChange &change, double value, int64_t seed,
                      int64_t tick, int64_t run) {
  std::string stream = "population." + change.name;
  auto bits = [&](int64_t number) {
    return drawBits(seed, stream, tick, 4 * run + number);
  };
  bool hasFactors = change.low != 1.0 || change.high != 1.0;
  if (change.distribution && (!hasFactors || choose(bits(0), 4) == 0))
    return change.distribution->draw(bits(1));
  return value * (choose(bits(2), 2) == 0 ? change.low : change.high);
}

Status PopulationTraining::replace(Population &population, int64_t from,
                                   int64_t to) const {
  if (Status status = population.copy(from, to); !status)
    return status;
  for (const HyperChange &change : changes) {
    Expected<double> value = population.hyper(from, change.name);
    if (!value)
      return value.error();
    double next = changed(change, *value, seed, population.tick(), to);
    if (population.setHyper(to, change.name, next))
      continue;
    // It is out of range: the value of the other run is not.
    if (Status status = population.setHyper(to, change.name, *value); !status)
      return status;
  }
  return Status::success();
}
