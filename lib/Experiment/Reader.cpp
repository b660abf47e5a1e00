//===- Reader.cpp - Reading experiments -----------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Experiment/Reader.h"

#include "CheckpointFiles.h"
#include "Layout.h"
#include "LineReader.h"
#include "RecordText.h"
#include "RunsTable.h"
#include "ensc/Experiment/JsonFields.h"
#include "ensc/Experiment/Lock.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <sys/stat.h>

using namespace ensc;
namespace fs = std::filesystem;

/// More would be no plan but a file that wants all memory.
static constexpr int64_t mostRuns = 10'000'000;

static Layout layoutOf(const ExperimentReader &reader) {
  return {reader.path(), reader.runs()};
}

static Error malformed(const std::string &path, const std::string &why) {
  return Error(ErrorKind::InvalidData, path + ": " + why);
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

Expected<ExperimentReader> ExperimentReader::open(const std::string &path) {
  ExperimentReader reader;
  reader.path_ = path;
  Layout layout{path};
  std::error_code code;
  if (!fs::exists(layout.plan(), code)) {
    if (fs::exists(path + "/experiment.json", code))
      return Error(ErrorKind::Unsupported,
                   "'" + path + "' was written by an older ensc, in format 1 " +
                       "with experiment.json; train it anew");
    if (fs::exists(path + "/ask-tell.jsonl", code))
      return Error(ErrorKind::InvalidArgument,
                   "'" + path + "' holds what a peer has asked for with " +
                       "--ask-tell: name one of its batches, such as '" + path +
                       "/batches/0'");
    return Error(ErrorKind::InvalidArgument,
                 "'" + path + "' is not an experiment: it has no plan.json");
  }
  Expected<Json> plan = readJson(layout.plan());
  if (!plan)
    return plan.error();
  reader.plan_ = std::make_shared<Json>(std::move(*plan));
  if (Status status = reader.parsePlan(); !status)
    return status.error().inContext(layout.plan());
  return reader;
}

Status ExperimentReader::parsePlan() {
  std::optional<int64_t> format = integerOf(findField(*plan_, "format"));
  std::optional<int64_t> runs = integerOf(findField(*plan_, "runs"));
  std::optional<int64_t> epochs = integerOf(findField(*plan_, "epochs"));
  if (!format || !runs || !epochs)
    return Error(ErrorKind::InvalidData,
                 "expected the fields format, runs and epochs, all integers");
  if (*format != experimentFormat)
    return Error(ErrorKind::Unsupported, "format " + std::to_string(*format) +
                                             " is not supported; expected " +
                                             std::to_string(experimentFormat));
  if (*runs < 0 || *runs > mostRuns)
    return Error(ErrorKind::InvalidData, std::to_string(*runs) +
                                             " runs; expected 0 to " +
                                             std::to_string(mostRuns));
  runs_ = *runs;
  epochs_ = *epochs;
  if (Status status = parseMetrics(); !status)
    return status;
  if (Status status = parsePrograms(); !status)
    return status;
  return parseColumns();
}

Status ExperimentReader::parseMetrics() {
  for (const Json &entry : arrayOf(*plan_, "metrics")) {
    std::optional<std::string> name = textOf(findField(entry, "name"));
    std::optional<std::string> way = textOf(findField(entry, "direction"));
    if (!name || !way || (*way != "min" && *way != "max"))
      return Error(ErrorKind::InvalidData,
                   "a metric needs a name and the direction min or max");
    if (findMetric(*name))
      return Error(ErrorKind::InvalidData,
                   "the metric '" + *name + "' occurs twice");
    metrics_.push_back({*name, *way == "max"});
  }
  std::optional<std::string> monitor = textOf(findField(*plan_, "monitor"));
  std::optional<size_t> position =
      monitor ? findMetric(*monitor) : std::nullopt;
  if (!position)
    return Error(ErrorKind::InvalidData,
                 "expected metrics, and the name of one of them as monitor");
  monitor_ = *position;
  return Status::success();
}

Status ExperimentReader::parsePrograms() {
  for (const Json &entry : arrayOf(*plan_, "programs")) {
    std::string file = "program/" + std::to_string(programs_.size()) + ".mlir";
    std::optional<std::string> name = textOf(findField(entry, "name"));
    std::optional<std::string> learner = textOf(findField(entry, "learner"));
    std::optional<std::string> hash = textOf(findField(entry, "hash"));
    const Json *given = findField(entry, "file");
    // The text of a program from a library is not known.
    bool hasText = given && !given->is_null();
    if (!name || !learner || !hash || !given ||
        (hasText && textOf(given) != file))
      return Error(ErrorKind::InvalidData,
                   "a program needs name, learner, hash and the file " + file);
    programs_.push_back(
        {*name, *learner, hasText ? path_ + "/" + file : "", *hash});
  }
  return Status::success();
}

Status ExperimentReader::parseColumns() {
  const Json *columns = findField(*plan_, "columns");
  if (!columns || !columns->is_object())
    return Error(ErrorKind::InvalidData, "expected the object columns");
  rows_.rows.resize(runs_);
  for (const auto &[name, values] : columns->items()) {
    if (!values.is_array() || values.size() != static_cast<size_t>(runs_))
      return Error(ErrorKind::InvalidData,
                   "the column '" + name + "' needs one value for each of " +
                       std::to_string(runs_) + " runs");
    rows_.columns.push_back(name);
    for (int64_t run = 0; run < runs_; ++run) {
      std::optional<std::string> text = formatCell(values[run]);
      if (!text)
        return Error(ErrorKind::InvalidData,
                     "the column '" + name + "' has no number and no text " +
                         "for run " + std::to_string(run));
      rows_.rows[run].push_back(std::move(*text));
    }
  }
  for (const Json &entry : arrayOf(*plan_, "hypers")) {
    std::optional<std::string> name = textOf(&entry);
    if (!name || !rows_.column(*name))
      return Error(ErrorKind::InvalidData,
                   "hypers names something that is no column");
    hypers_.push_back(*name);
  }
  return Status::success();
}

std::optional<size_t>
ExperimentReader::findMetric(const std::string &name) const {
  for (size_t i = 0; i < metrics_.size(); ++i)
    if (metrics_[i].name == name)
      return i;
  return std::nullopt;
}

double ExperimentReader::created() const {
  std::optional<std::string> text = textOf(findField(*plan_, "created"));
  std::tm time = {};
  const char *end =
      text ? ::strptime(text->c_str(), "%Y-%m-%dT%H:%M:%SZ", &time) : nullptr;
  return end && !*end ? static_cast<double>(::timegm(&time)) : 0.0;
}

std::optional<int64_t> ExperimentReader::onlyRun() const {
  std::optional<int64_t> run = integerOf(findField(*plan_, "only_run"));
  return run && *run >= 0 && *run < runs_ ? run : std::nullopt;
}

//===----------------------------------------------------------------------===//
// State and events
//===----------------------------------------------------------------------===//

std::optional<int64_t> ExperimentReader::writer() const {
  return lockHolder(layoutOf(*this).lock());
}

Expected<std::vector<Json>> ExperimentReader::readEvents() const {
  std::vector<Json> events;
  std::string path = layoutOf(*this).events();
  std::error_code code;
  if (!fs::exists(path, code))
    return events;
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  // An event may name all runs.
  LineReader lines(*file, 0, /*longestLine=*/size_t(1) << 27);
  while (true) {
    Expected<std::optional<std::string_view>> line = lines.next();
    if (!line)
      return line.error().inContext(path);
    if (!*line)
      return events;
    if (Json event = parseJson(**line); !event.is_discarded())
      events.push_back(std::move(event));
  }
}

/// The last whole line of a file; empty where there is none.
static std::string readLastLine(const std::string &path) {
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return "";
  uint64_t count = std::min<uint64_t>((*file)->size(), 1 << 16);
  std::string text(count, '\0');
  if (!(*file)->readAt((*file)->size() - count, text.data(), count))
    return "";
  size_t end = text.rfind('\n');
  if (end == std::string::npos || end == 0)
    return "";
  size_t begin = text.rfind('\n', end - 1);
  begin = begin == std::string::npos ? 0 : begin + 1;
  return text.substr(begin, end - begin);
}

Json ExperimentReader::lastEvent() const {
  Json event = parseJson(readLastLine(layoutOf(*this).events()));
  return event.is_discarded() ? Json() : event;
}

int64_t ExperimentReader::epochs() const {
  for (const std::string &name : checkpoints())
    if (Expected<CheckpointState> state =
            readCheckpointState(layoutOf(*this).checkpoint(name)))
      return std::max(
          epochs_,
          integerOf(findField(*state->fields, "epochs")).value_or(epochs_));
  return epochs_;
}

ExperimentState ExperimentReader::state() const {
  if (writer())
    return ExperimentState::Running;
  return textOf(findField(lastEvent(), "event")) == "finished"
             ? ExperimentState::Complete
             : ExperimentState::Halted;
}

Expected<CsvTable> ExperimentReader::readTable() const {
  std::string path = layoutOf(*this).table();
  std::error_code code;
  if (!fs::exists(path, code))
    return makePendingTable(rows_, metrics_, onlyRun());
  Expected<CsvTable> table = readCsv(path);
  if (table && table->columns != runsTableColumns(rows_.columns, metrics_))
    return malformed(path, "its columns are not those of the plan");
  return table;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static uint64_t fileNumber(const std::string &path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 ? info.st_ino : 0;
}

Expected<RecordCursor>
ExperimentReader::readRecords(const std::function<void(const RunRecord &)> &use,
                              RecordCursor from) const {
  std::string path = layoutOf(*this).metrics();
  uint64_t number = fileNumber(path);
  if (number == 0)
    return RecordCursor();
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  // It was replaced, or cut back because a fit has gone on from earlier.
  if (from.file != number || from.offset > (*file)->size())
    from = {0, number};
  LineReader lines(*file, from.offset);
  RunRecord record;
  record.values.resize(metrics_.size());
  std::string header = formatRecordHeader(metrics_);
  header.pop_back();
  while (true) {
    bool isHeader = lines.offset() == 0;
    uint64_t begin = lines.offset();
    Expected<std::optional<std::string_view>> line = lines.next();
    if (!line)
      return line.error().inContext(path);
    if (!*line)
      return RecordCursor{lines.offset(), number};
    if (isHeader && **line != header)
      return malformed(path, "its first line is not '" + header + "'");
    if (isHeader)
      continue;
    if (!parseRecord(**line, record) || record.run < 0 || record.run >= runs_)
      return malformed(path, "the line at byte " + std::to_string(begin) +
                                 " is no record of a run");
    use(record);
  }
}

std::optional<std::string> ExperimentReader::describeLostRecords() const {
  std::vector<std::string> names = checkpoints();
  if (names.empty() || state() != ExperimentState::Complete)
    return std::nullopt;
  Layout layout = layoutOf(*this);
  Expected<CheckpointState> last =
      readCheckpointState(layout.checkpoint(names.front()));
  if (!last)
    return std::nullopt;
  int64_t made = integerOf(findField(*last->fields, "records")).value_or(0);
  // The first line is none.
  int64_t found = -1;
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(layout.metrics());
  if (file)
    for (LineReader lines(*file, 0);; ++found) {
      Expected<std::optional<std::string_view>> line = lines.next();
      if (!line || !*line)
        break;
    }
  found = std::max<int64_t>(found, 0);
  if (found >= made)
    return std::nullopt;
  return layout.metrics() + " has " + std::to_string(found) +
         " records of the " + std::to_string(made) +
         " that there were; to have it written again, repeat the command that "
         "trained it";
}

Expected<std::vector<std::vector<RunRecord>>>
ExperimentReader::readRecordsOf(const std::vector<int64_t> &runs) const {
  std::map<int64_t, std::vector<RunRecord>> found;
  for (int64_t run : runs)
    found[run];
  Expected<RecordCursor> end = readRecords([&](const RunRecord &record) {
    auto place = found.find(record.run);
    if (place != found.end())
      place->second.push_back(record);
  });
  if (!end)
    return end.error();
  std::vector<std::vector<RunRecord>> records;
  for (int64_t run : runs) {
    records.push_back(found[run]);
    std::sort(records.back().begin(), records.back().end(),
              [](const auto &a, const auto &b) { return a.step < b.step; });
  }
  return records;
}

//===----------------------------------------------------------------------===//
// States of runs
//===----------------------------------------------------------------------===//

std::string ExperimentReader::runPath(int64_t run) const {
  return layoutOf(*this).run(run);
}

bool ExperimentReader::owns(const std::string &path) const {
  std::error_code code;
  fs::path file = fs::weakly_canonical(path, code);
  fs::path inside = file.lexically_relative(fs::weakly_canonical(path_, code));
  if (code || inside.empty() || *inside.begin() == "..")
    return false;
  fs::path first = *inside.begin();
  Layout own = {"", runs_};
  for (const std::string &name :
       {own.plan(), own.lock(), own.events(), own.metrics(), own.table(),
        own.programs(), own.checkpoints(), own.runDirectories()})
    if (first == fs::path(name).filename())
      return true;
  return false;
}

bool ExperimentReader::hasFinalState(int64_t run) const {
  std::error_code code;
  return fs::exists(layoutOf(*this).finalState(run), code);
}

std::vector<std::string> ExperimentReader::checkpoints() const {
  return listCheckpoints(layoutOf(*this).checkpoints());
}
