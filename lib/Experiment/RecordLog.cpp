//===- RecordLog.cpp - All of metrics.csv at once -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordLog.h"

#include "LineReader.h"
#include "RecordText.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/InputFile.h"
#include "ensc/Artifact/LogFile.h"

#include <algorithm>
#include <charconv>

using namespace ensc;

/// Bytes that are written at a time, and that wait for it in all.
static constexpr size_t blockBytes = size_t(1) << 18;
static constexpr size_t waitingBytes = size_t(1) << 26;

/// Calls `use` with each line of a file but the first.
static Status
forEachLine(const std::string &path,
            const std::function<Status(std::string_view line)> &use) {
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  LineReader lines(*file, 0);
  while (true) {
    bool isHeader = lines.offset() == 0;
    Expected<std::optional<std::string_view>> line = lines.next();
    if (!line)
      return line.error().inContext(path);
    if (!*line)
      return Status::success();
    if (isHeader)
      continue;
    if (Status status = use(**line); !status)
      return status;
  }
}

/// The same for a file at whose end a machine may have left anything when it
/// crashed: a line without end ends the file.
static Status
forEachIntactLine(const std::string &path,
                  const std::function<Status(std::string_view line)> &use) {
  Status status = forEachLine(path, use);
  bool isTooLong = !status && status.error().kind() == ErrorKind::InvalidData;
  return isTooLong ? Status::success() : status;
}

namespace {
/// Which lines are records of steps that their runs have done.
class DoneRecords {
public:
  DoneRecords(size_t metrics, const std::vector<int64_t> &steps)
      : steps(steps) {
    record.values.resize(metrics);
  }

  bool contains(std::string_view line) {
    return parseRecord(line, record) && record.run >= 0 &&
           record.run < static_cast<int64_t>(steps.size()) &&
           record.step <= steps[record.run];
  }

private:
  const std::vector<int64_t> &steps;
  RunRecord record;
};

/// What is to be left of a file.
struct Remainder {
  int64_t records = 0;
  uint64_t bytes = 0;  ///< With the header.
  bool isFirst = true; ///< Whether it is the beginning of the file.
};
} // namespace

static Expected<bool> hasHeader(const std::string &path,
                                const std::string &header) {
  Expected<std::shared_ptr<InputFile>> file = InputFile::open(path);
  if (!file)
    return file.error();
  std::string found(std::min<uint64_t>(header.size(), (*file)->size()), '\0');
  if (Status status = (*file)->readAt(0, found.data(), found.size()); !status)
    return status.error().inContext(path);
  return found == header;
}

static Expected<Remainder>
findRemainder(const std::string &path,
              const std::vector<ExperimentMetric> &metrics,
              const std::vector<int64_t> &steps) {
  std::string header = formatRecordHeader(metrics);
  Remainder remainder;
  remainder.bytes = header.size();
  if (isMissing(path)) {
    remainder.isFirst = false;
    return remainder;
  }
  Expected<bool> begins = hasHeader(path, header);
  if (!begins)
    return begins.error();
  remainder.isFirst = *begins;
  DoneRecords done(metrics.size(), steps);
  bool hasDropped = false;
  Status status = forEachIntactLine(path, [&](std::string_view line) {
    if (!done.contains(line)) {
      hasDropped = true;
      return Status::success();
    }
    remainder.isFirst &= !hasDropped;
    remainder.bytes += line.size() + 1;
    ++remainder.records;
    return Status::success();
  });
  if (!status)
    return status.error();
  return remainder;
}

Expected<int64_t>
ensc::countRecordsUntil(const std::string &path,
                        const std::vector<ExperimentMetric> &metrics,
                        const std::vector<int64_t> &steps) {
  Expected<Remainder> remainder = findRemainder(path, metrics, steps);
  if (!remainder)
    return remainder.error();
  return remainder->records;
}

/// Replaces a file by one that has only the records that stay.
static Status rewriteRecords(const std::string &path,
                             const std::vector<ExperimentMetric> &metrics,
                             const std::vector<int64_t> &steps) {
  Expected<AtomicFile> kept = AtomicFile::create(path);
  if (!kept)
    return kept.error();
  DoneRecords done(metrics.size(), steps);
  std::string text = formatRecordHeader(metrics);
  auto keep = [&](std::string_view line) -> Status {
    if (!done.contains(line))
      return Status::success();
    text.append(line);
    text += '\n';
    if (text.size() < blockBytes)
      return Status::success();
    Status status = kept->write(text);
    text.clear();
    return status;
  };
  if (!isMissing(path))
    if (Status status = forEachIntactLine(path, keep); !status)
      return status;
  if (Status status = kept->write(text); !status)
    return status;
  return kept->commit();
}

Expected<int64_t>
ensc::dropRecordsAfter(const std::string &path,
                       const std::vector<ExperimentMetric> &metrics,
                       const std::vector<int64_t> &steps) {
  Expected<Remainder> remainder = findRemainder(path, metrics, steps);
  if (!remainder)
    return remainder.error();
  // A file that was sorted has what is to go everywhere.
  Status status = Status::success();
  if (!remainder->isFirst) {
    status = rewriteRecords(path, metrics, steps);
  } else {
    Expected<LogFile> file = LogFile::open(path);
    status = file ? file->cut(remainder->bytes) : Status(file.error());
  }
  if (!status)
    return status.error();
  return remainder->records;
}

/// The run of a line, and where its other fields begin.
static std::optional<std::pair<int64_t, size_t>>
splitRun(std::string_view line) {
  int64_t run = 0;
  const char *end = line.data() + line.size();
  auto [stop, code] = std::from_chars(line.data(), end, run);
  if (code != std::errc() || stop == end || *stop != ',')
    return std::nullopt;
  return std::pair(run, static_cast<size_t>(stop + 1 - line.data()));
}

static Error noRecord(const std::string &path) {
  return Error(ErrorKind::InvalidData,
               path + ": a line is no record of a run of this plan");
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

namespace {
/// Puts lines where they belong in the sorted file: the place of each run is
/// known from the bytes of all runs before it.
class Sorter {
public:
  Sorter(AtomicFile &file, std::vector<uint64_t> places)
      : file(file), places(std::move(places)), waiting(this->places.size()),
        limit(std::clamp(waitingBytes / std::max<size_t>(waiting.size(), 1),
                         size_t(256), blockBytes)) {}

  Status add(int64_t run, std::string_view line) {
    waiting[run].append(line);
    waiting[run] += '\n';
    return waiting[run].size() < limit ? Status::success() : write(run);
  }

  Status finish() {
    for (size_t run = 0; run < waiting.size(); ++run)
      if (!waiting[run].empty())
        if (Status status = write(run); !status)
          return status;
    return Status::success();
  }

private:
  Status write(int64_t run) {
    std::string &text = waiting[run];
    Status status = file.writeAt(places[run], text.data(), text.size());
    places[run] += text.size();
    text.clear();
    return status;
  }

  AtomicFile &file;
  std::vector<uint64_t> places;
  std::vector<std::string> waiting;
  size_t limit;
};
} // namespace

Status ensc::sortRecords(const std::string &path,
                         const std::vector<ExperimentMetric> &metrics,
                         int64_t runs) {
  std::vector<uint64_t> bytes(runs);
  bool isSorted = true;
  int64_t latest = 0;
  auto count = [&](std::string_view line) -> Status {
    auto split = splitRun(line);
    if (!split || split->first < 0 || split->first >= runs)
      return noRecord(path);
    isSorted &= split->first >= latest;
    latest = split->first;
    bytes[latest] += line.size() + 1;
    return Status::success();
  };
  if (Status status = forEachLine(path, count); !status || isSorted)
    return status;
  std::string header = formatRecordHeader(metrics);
  uint64_t next = header.size();
  for (uint64_t &place : bytes) {
    uint64_t size = place;
    place = next;
    next += size;
  }
  Expected<AtomicFile> sorted = AtomicFile::create(path);
  if (!sorted)
    return sorted.error();
  if (Status status = sorted->writeAt(0, header.data(), header.size()); !status)
    return status;
  Sorter sorter(*sorted, std::move(bytes));
  Status status = forEachLine(path, [&](std::string_view line) {
    return sorter.add(splitRun(line)->first, line);
  });
  if (!status)
    return status;
  if (status = sorter.finish(); !status)
    return status;
  return sorted->commit();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Expected<bool> ensc::gatherRecords(
    const std::string &path, const std::vector<ExperimentMetric> &metrics,
    const std::vector<std::pair<int64_t, std::string>> &runs, int64_t count) {
  Expected<AtomicFile> gathered = AtomicFile::create(path);
  if (!gathered)
    return gathered.error();
  std::string text = formatRecordHeader(metrics);
  RunRecord record;
  record.values.resize(metrics.size());
  int64_t found = 0;
  for (const auto &[run, file] : runs) {
    if (isMissing(file))
      return false;
    bool isIntact = true;
    std::string prefix = std::to_string(run) + ",";
    Status read = forEachIntactLine(file, [&](std::string_view line) {
      size_t begin = text.size();
      text.append(prefix).append(line);
      isIntact &= parseRecord(std::string_view(text).substr(begin), record);
      text += '\n';
      ++found;
      return Status::success();
    });
    if (!read)
      return read.error();
    if (!isIntact)
      return false;
    if (Status status = gathered->write(text); !status)
      return status.error();
    text.clear();
  }
  if (found != count)
    return false;
  if (Status status = gathered->commit(); !status)
    return status.error();
  return true;
}

Status ensc::forEachRun(
    const std::string &path,
    const std::function<Status(int64_t run,
                               const std::vector<std::string> &lines)> &use) {
  int64_t current = 0;
  std::vector<std::string> lines;
  Status status = forEachLine(path, [&](std::string_view line) -> Status {
    auto split = splitRun(line);
    if (!split)
      return noRecord(path);
    Status status = Status::success();
    if (split->first != current && !lines.empty()) {
      status = use(current, lines);
      lines.clear();
    }
    current = split->first;
    lines.emplace_back(line.substr(split->second));
    return status;
  });
  if (!status || lines.empty())
    return status;
  return use(current, lines);
}
