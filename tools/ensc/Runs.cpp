//===- Runs.cpp - ensc runs -----------------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "RunsCommands.h"

#include "ensc/Runtime/Suggest.h"

using namespace ensc;
namespace cl = llvm::cl;

// LLVM takes the values of a positional option with cl::values for flags.
static cl::opt<std::string>
    action(cl::Positional, cl::Required,
           cl::desc("<ls, show, compare, best or export>"),
           cl::cat(tool::category), cl::sub(tool::runsCommand));
static cl::opt<std::string> experiment(cl::Positional, cl::Required,
                                       cl::desc("<experiment>"),
                                       cl::cat(tool::category),
                                       cl::sub(tool::runsCommand));
static cl::list<std::string>
    runs(cl::Positional,
         cl::desc("[runs: numbers, 'best' or 'all'; see docs/CLI.md]"),
         cl::cat(tool::category), cl::sub(tool::runsCommand));
static cl::opt<std::string>
    metric("metric",
           cl::desc("Judge by this metric (default: what the program "
                    "monitors)"),
           cl::value_desc("name"), cl::cat(tool::category),
           cl::sub(tool::runsCommand));
static cl::list<std::string>
    statuses("status", cl::CommaSeparated,
             cl::desc("ls, compare, best: only runs that stand so: pending, "
                      "running, completed, stopped, reached, diverged"),
             cl::value_desc("word,..."), cl::cat(tool::category),
             cl::sub(tool::runsCommand));
static cl::opt<std::string>
    sort("sort",
         cl::desc("ls: order by a metric or a column; a '-' in front turns "
                  "it around"),
         cl::value_desc("column"), cl::cat(tool::category),
         cl::sub(tool::runsCommand));
static tool::IntegerFlag limit("limit", tool::atLeast(0),
                               cl::desc("Only the first K runs"),
                               cl::value_desc("K"), cl::cat(tool::category),
                               cl::sub(tool::runsCommand));
static cl::alias limitAlias("k", cl::desc("Alias for --limit"),
                            cl::aliasopt(limit), cl::cat(tool::category));
static cl::opt<std::string>
    to("to",
       cl::desc("export: safetensors, npz or csv; without it what -o ends in"),
       cl::value_desc("format"), cl::cat(tool::category),
       cl::sub(tool::runsCommand));
static cl::opt<std::string>
    output("o", cl::desc("export: the file to write; csv may do without"),
           cl::value_desc("file"), cl::cat(tool::category),
           cl::sub(tool::runsCommand));
static tool::SwitchFlag json("json", cl::desc("Print one JSON object per run"),
                             cl::cat(tool::category),
                             cl::sub(tool::runsCommand));

namespace {
struct Action {
  const char *name;
  Status (*perform)(const tool::RunsRequest &request);
};
} // namespace

static constexpr Action actions[] = {{"ls", tool::listRuns},
                                     {"show", tool::showRuns},
                                     {"compare", tool::compareRuns},
                                     {"best", tool::showBestRuns},
                                     {"export", tool::exportRuns}};

static tool::RunsRequest makeRequest() {
  tool::RunsRequest request;
  request.experiment = experiment;
  request.runs.assign(runs.begin(), runs.end());
  request.metric = metric;
  request.sort = sort;
  request.statuses.assign(statuses.begin(), statuses.end());
  if (limit.getNumOccurrences() > 0)
    request.limit = limit;
  request.to = to;
  request.output = output;
  request.json = json;
  return request;
}

static Status perform() {
  std::vector<std::string> names;
  for (const Action &known : actions) {
    if (action == known.name)
      return known.perform(makeRequest());
    names.push_back(known.name);
  }
  return Error(ErrorKind::InvalidArgument, "ensc runs has no action '" +
                                               action + "'" +
                                               suggest(action, names));
}

int tool::runsMain() {
  Status status = perform();
  return status ? 0 : fail(status.error());
}
