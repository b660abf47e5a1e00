//===- AskTell.cpp - Training as others ask for it ------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/AskTell/AskTell.h"

#include "AskTellSearch.h"
#include "DescribeFit.h"

#include "ensc/Experiment/Lock.h"
#include "ensc/Experiment/PlanFile.h"
#include "ensc/Runtime/HyperValues.h"

#include <filesystem>
#include <set>

using namespace ensc;

namespace {
/// What the peer asked for, until it is trained.
struct Batch {
  Json ids = Json::array(), asks = Json::array();
  std::set<std::string> known; ///< Ids as text.
};

class Server {
public:
  Server(const AskTellOptions &options, LineChannel &channel, DialogueLog log)
      : options(options), channel(channel), log(std::move(log)) {}

  Expected<AskTellSummary> serve();

private:
  Status greet();
  Status beginLog(const Json &ready, const FitOptions &fitOptions);
  Expected<bool> collect();
  Status add(const Request &request);
  Status skip(int64_t batches);
  Status train();
  Expected<bool> begin(const Json &entry);
  Expected<bool> check();
  Status repeatTicks(AskTellSearch &search, const RunNames &names);
  Expected<Json> fit(const std::shared_ptr<AskTellSearch> &search,
                     const RunNames &names);
  Expected<Plan> makePlan() const;
  Status prepare(const Plan &plan, FitOptions &fitOptions);
  Json describe(const RunReport &report, const RunNames &names) const;
  Status complain(const std::string &what) {
    return say(channel, {{"error", what}});
  }
  /// The error about a peer that says something else than before.
  Error differs(const std::string &what) const;

  const AskTellOptions &options;
  LineChannel &channel;
  DialogueLog log;
  std::optional<Learner> learner; ///< Of `programs`.
  std::vector<ProgramKey> programs;
  Batch batch;
  AskTellSummary done;
};

Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

Json describeHyper(const ManifestValue &hyper) {
  Json json = {{"name", hyper.name}};
  if (hyper.defaultValue)
    json["default"] = *hyper.defaultValue;
  for (const RangeBound &bound : rangeBounds)
    if (const std::optional<double> &value = hyper.range.*bound.value)
      json[bound.name] = *value;
  return json;
}

std::vector<ManifestValue> hypersOfProgram(const Learner &learner,
                                           int64_t program) {
  return hypersOf(learner.program(program).manifest(),
                  learner.info(program).name);
}
} // namespace

Error Server::differs(const std::string &what) const {
  return invalid("batch " + std::to_string(done.batches) + ": " + what +
                 " than before in " + options.directory +
                 "; take another directory, or start over with --fresh");
}

//===----------------------------------------------------------------------===//
// Before training
//===----------------------------------------------------------------------===//

/// Tells the peer what can be asked for.
Status Server::greet() {
  Expected<Plan> plan = Plan::build({});
  if (!plan)
    return plan.error();
  FitOptions fitOptions;
  if (Status status = prepare(*plan, fitOptions); !status)
    return status;
  Json hypers = Json::array(), metrics = Json::array();
  for (const ManifestValue &hyper : hypersOfProgram(*learner, 0))
    hypers.push_back(describeHyper(hyper));
  for (const MetricInfo &metric : learner->metrics())
    metrics.push_back({{"name", metric.name},
                       {"direction", metric.maximize ? "max" : "min"}});
  Json ready = {{"format", 1},
                {"learner", learner->info().name},
                {"hypers", hypers},
                {"metrics", metrics},
                {"monitor", learner->metrics()[learner->monitor()].name},
                {"epochs", options.fit.epochs},
                {"every", options.every},
                {"seed", options.fit.seed}};
  if (Status status = beginLog(ready, fitOptions); !status)
    return status;
  ready["batches"] = log.endedBatches();
  return say(channel, {{"ready", ready}});
}

/// What differs between two begins of a log; empty where nothing does.
static std::string compare(const Json &was, const Json &is) {
  std::string text;
  for (const std::string &line : comparePlans(was, is, {}, {}))
    text += "\n  " + line;
  // Experiments may grow in epochs, but this is none.
  Json before = was.contains("epochs") ? was["epochs"] : Json();
  if (before != is["epochs"])
    text += "\n  epochs: was " + before.dump() + ", is " + is["epochs"].dump();
  return text;
}

/// Enters into the log what is trained, or finds it there: what the peer is
/// told, and what decides results beyond that, such as program and data.
Status Server::beginLog(const Json &ready, const FitOptions &fitOptions) {
  Expected<Json> plan = describeFit(*learner, fitOptions);
  if (!plan)
    return plan.error();
  Json begin = ready;
  for (const auto &[key, value] : plan->items())
    if (!begin.contains(key))
      begin[key] = value;
  begin["columns"].erase("seed"); // `ready` has it.
  const Json *entry = log.next();
  if (!entry) {
    if (Status status = log.append({{"begin", begin}}); !status)
      return status;
  } else if (std::string difference = compare((*entry)["begin"], begin);
             !difference.empty()) {
    return invalid(options.directory + " was begun with another plan" +
                   difference +
                   "\ntake another directory, or start over with --fresh");
  }
  log.advance();
  return Status::success();
}

/// Reads what the peer asks for, up to {"train": true}; false where it is done.
Expected<bool> Server::collect() {
  batch = {};
  while (true) {
    Expected<std::optional<std::string>> line = channel.read();
    if (!line)
      return line.error();
    if (!*line)
      return false;
    Expected<Request> request = parseRequest(**line);
    Status answer;
    if (!request)
      answer = complain(request.error().message());
    else if (request->kind == Request::Finish)
      return false;
    else if (request->kind == Request::Train && !batch.ids.empty())
      return true;
    else if (request->kind == Request::Train)
      answer = complain("nothing was asked for");
    else if (request->kind == Request::Ask)
      answer = add(*request);
    else if (request->kind == Request::From)
      answer = skip(request->batches);
    else
      answer = complain("no run is training");
    if (!answer)
      return answer.error();
  }
}

Status Server::add(const Request &request) {
  std::string id = request.id.dump();
  if (static_cast<int64_t>(batch.ids.size()) == mostPlanRows)
    return complain("a batch has at most " + std::to_string(mostPlanRows) +
                    " runs");
  if (!batch.known.insert(id).second)
    return complain("the batch has a run " + id + " already");
  batch.ids.push_back(request.id);
  batch.asks.push_back(request.row);
  return Status::success();
}

/// Passes over batches that the peer remembers.
Status Server::skip(int64_t batches) {
  if (done.batches > 0 || batches > log.endedBatches())
    return complain("{\"from\": N} comes first, with N from 0 to " +
                    std::to_string(log.endedBatches()));
  while (done.batches < batches) {
    const Json &entry = *log.next();
    if (entry.contains("ids"))
      done.runs += static_cast<int64_t>(entry["ids"].size());
    done.batches += entry.contains("ended");
    log.advance();
  }
  return Status::success();
}

Expected<Plan> Server::makePlan() const {
  int64_t seed = static_cast<int64_t>(static_cast<uint64_t>(options.fit.seed) +
                                      static_cast<uint64_t>(done.runs));
  return Plan::parseJson(batch.asks.dump(), "the batch", seed);
}

/// Makes the learner of a plan, unless it is there, and says in `fitOptions`
/// what the runs are.
Status Server::prepare(const Plan &plan, FitOptions &fitOptions) {
  if (!learner || programs != plan.programs()) {
    learner.reset();
    Expected<Learner> made = options.makeLearner(plan);
    if (!made)
      return made.error();
    learner = std::move(*made);
    programs = plan.programs();
  }
  std::vector<std::vector<std::string>> names;
  for (int64_t program = 0; program < learner->programs(); ++program) {
    names.emplace_back();
    for (const ManifestValue &hyper : hypersOfProgram(*learner, program))
      names.back().push_back(hyper.name);
  }
  if (Status status = plan.checkHypers(names, /*mayLeaveOut=*/true); !status)
    return status;
  fitOptions = options.fit;
  plan.apply(fitOptions);
  fitOptions.experiment.fresh = false;
  fitOptions.experiment.path = (std::filesystem::path(options.directory) /
                                "batches" / std::to_string(done.batches))
                                   .string();
  return Status::success();
}

/// Whether what was asked for can be trained; the peer is told why not.
Expected<bool> Server::check() {
  auto status = [&]() -> Status {
    Expected<Plan> plan = makePlan();
    if (!plan)
      return plan.error();
    FitOptions fitOptions;
    if (Status status = prepare(*plan, fitOptions); !status)
      return status;
    Expected<MemoryPlan> memory = learner->planMemory(fitOptions);
    return memory ? Status::success() : Status(memory.error());
  }();
  if (status)
    return true;
  if (status.error().kind() == ErrorKind::Interrupted)
    return status.error();
  if (Status said =
          complain(status.error().message() + "; the batch is dropped");
      !said)
    return said.error();
  return false;
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

/// Enters the batch into the log, or finds it there; false where it makes no
/// sense.
Expected<bool> Server::begin(const Json &entry) {
  if (log.next()) {
    if (*log.next() != entry)
      return differs("another batch is asked for");
    log.advance();
    return true;
  }
  Expected<bool> makesSense = check();
  if (!makesSense || !*makesSense)
    return makesSense;
  if (Status status = log.append(entry); !status)
    return status.error();
  return true;
}

/// Goes through what was said at the ticks of the batch before.
Status Server::repeatTicks(AskTellSearch &search, const RunNames &names) {
  for (; log.next() && log.next()->contains("tick"); log.advance()) {
    const Json &entry = *log.next();
    int64_t tick = entry["tick"].get<int64_t>();
    Expected<Json> stops = exchange(channel, names, tick, entry["reports"]);
    if (!stops)
      return stops.error();
    if (*stops != entry["stops"])
      return differs("other runs are stopped at tick " + std::to_string(tick));
    search.answer(tick, std::move(*stops));
  }
  return Status::success();
}

Json Server::describe(const RunReport &report, const RunNames &names) const {
  Json last = Json::object(), best = Json::object();
  for (size_t i = 0; i < learner->metrics().size(); ++i) {
    const std::string &name = learner->metrics()[i].name;
    last[name] = jsonNumber(report.final[i]);
    best[name] = jsonNumber(report.best[i]);
  }
  return {{"id", names.idOf(report.run)},
          {"seed", report.seed},
          {"status", nameOf(report.status)},
          {"reason", report.reason},
          {"steps", report.steps},
          {"final", last},
          {"best", best}};
}

/// Trains the batch; the lines about its runs.
Expected<Json> Server::fit(const std::shared_ptr<AskTellSearch> &search,
                           const RunNames &names) {
  Expected<Plan> plan = makePlan();
  if (!plan)
    return plan.error();
  FitOptions fitOptions;
  if (Status status = prepare(*plan, fitOptions); !status)
    return status.error();
  fitOptions.search = search;
  Expected<FitReport> report = learner->fit(fitOptions);
  if (!report)
    return report.error();
  Json ended = Json::array();
  for (const RunReport &run : report->runs)
    ended.push_back(describe(run, names));
  if (Status status = log.append({{"ended", ended}}); !status)
    return status.error();
  return ended;
}

Status Server::train() {
  Json entry = {
      {"batch", done.batches}, {"ids", batch.ids}, {"asks", batch.asks}};
  Expected<bool> begun = begin(entry);
  if (!begun)
    return begun.error();
  if (!*begun)
    return Status::success();
  RunNames names(batch.ids);
  auto search =
      std::make_shared<AskTellSearch>(options.every, names, channel, log);
  if (Status status = repeatTicks(*search, names); !status)
    return status;
  Json ended;
  if (log.next()) {
    ended = (*log.next())["ended"];
    log.advance();
  } else {
    Expected<Json> trained = fit(search, names);
    if (!trained)
      return trained.error();
    ended = std::move(*trained);
  }
  for (const Json &line : ended)
    if (Status status = say(channel, line); !status)
      return status;
  if (Status status = say(channel, {{"trained", done.batches}}); !status)
    return status;
  ++done.batches;
  done.runs += static_cast<int64_t>(batch.ids.size());
  return Status::success();
}

Expected<AskTellSummary> Server::serve() {
  if (Status status = greet(); !status)
    return status.error();
  while (true) {
    Expected<bool> hasMore = collect();
    if (!hasMore)
      return hasMore.error();
    if (!*hasMore)
      break;
    if (Status status = train(); !status)
      return status.error();
  }
  if (Status status = say(channel, {{"finished", done.batches}}); !status)
    return status.error();
  return done;
}

/// Whether nothing is in a directory but what a process left that was killed
/// before there was a log.
static bool isVacant(const std::filesystem::path &directory,
                     std::error_code &code) {
  std::filesystem::directory_iterator next(directory, code), end;
  for (; !code && next != end; next.increment(code))
    if (next->path().filename() != "lock")
      return false;
  return true;
}

/// Makes the directory, or finds a dialogue in it.
static Status prepareDirectory(const AskTellOptions &options,
                               const std::filesystem::path &log) {
  std::filesystem::path directory(options.directory);
  std::error_code code;
  bool isKnown = std::filesystem::exists(log, code);
  if (!isKnown && std::filesystem::exists(directory, code) &&
      !isVacant(directory, code))
    return invalid("cannot use '" + options.directory +
                   "': it holds something else; name another directory");
  if (isKnown && options.fit.experiment.fresh)
    if (Status status = moveAside(options.directory); !status)
      return status;
  std::filesystem::create_directories(directory, code);
  if (code)
    return Error(ErrorKind::Io, "cannot make the directory '" +
                                    options.directory + "': " + code.message());
  return Status::success();
}

Expected<AskTellSummary> ensc::serveAskTell(const AskTellOptions &options,
                                            LineChannel &channel) {
  if (options.every < 1)
    return invalid("the records between two reports must be at least 1, got " +
                   std::to_string(options.every));
  if (options.fit.search)
    return invalid("a peer decides which runs go on: there can be no other "
                   "search");
  std::filesystem::path path =
      std::filesystem::path(options.directory) / "ask-tell.jsonl";
  if (Status status = prepareDirectory(options, path); !status)
    return status.error();
  Expected<Lock> lock = Lock::take(options.directory + "/lock");
  if (!lock)
    return lock.error();
  Expected<DialogueLog> log = DialogueLog::open(path);
  if (!log)
    return log.error();
  return Server(options, channel, std::move(*log)).serve();
}
