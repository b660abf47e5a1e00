//===- JsonLines.h - Records, one JSON object a line ------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Files grow by whole lines. A process that is killed leaves at most one torn
// line at the end, which reading and appending drop.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_JSONLINES_H
#define ENSC_ARTIFACT_JSONLINES_H

#include "ensc/API/Error.h"
#include "ensc/Artifact/LogFile.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ensc {

/// JSON whose objects keep the order of their keys.
using Json = nlohmann::ordered_json;

/// A number as JSON. JSON knows finite numbers only: the others become the
/// strings "nan", "inf" and "-inf".
Json jsonNumber(double value);

/// The value that `text` spells; one that is_discarded() where it spells none,
/// or where brackets are nested more than 200 deep.
Json parseJson(std::string_view text);

/// Appends records to a file. Not thread-safe.
class JsonLinesWriter {
public:
  /// Opens or creates `path`. A torn last line is cut off.
  static Expected<JsonLinesWriter> open(const std::string &path);

  /// Appends one record with a single write. It is safe from a crash of the
  /// process at once, from a crash of the machine after flush().
  Status append(const Json &record);

  /// Waits until all records are on disk.
  Status flush() { return file_.flush(); }

private:
  explicit JsonLinesWriter(LogFile file) : file_(std::move(file)) {}

  LogFile file_;
};

/// Reads all records of the file `path`. A last line without its end is
/// dropped; any other line must be a JSON value, and errors give its number.
Expected<std::vector<Json>> readJsonLines(const std::string &path);

/// Reads a file that is one JSON value, of at most 256 MiB.
Expected<Json> readJson(const std::string &path);

/// Writes a JSON value to the file `path`, indented, whole or not at all.
Status writeJson(const std::string &path, const Json &value);

} // namespace ensc

#endif // ENSC_ARTIFACT_JSONLINES_H
