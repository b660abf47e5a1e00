//===- JsonLines.cpp - Records, one JSON object a line --------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/JsonLines.h"

#include "ensc/Artifact/AtomicFile.h"
#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/InputFile.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

using namespace ensc;

namespace {
std::string dump(const Json &value, int indent) {
  // Text that is not UTF-8 must not end the program.
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// Whether brackets are nested so deeply that functions which call themselves
/// for what is inside would need too much stack.
bool isNestedTooDeeply(std::string_view text) {
  constexpr int deepest = 200;
  int depth = 0;
  bool inText = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inText && c == '\\')
      ++i;
    else if (c == '"')
      inText = !inText;
    else if (!inText && (c == '[' || c == '{') && ++depth > deepest)
      return true;
    else if (!inText && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}
} // namespace

Json ensc::parseJson(std::string_view text) {
  if (isNestedTooDeeply(text))
    return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

Json ensc::jsonNumber(double value) {
  return std::isfinite(value) ? Json(value) : Json(formatNumber(value));
}

Expected<JsonLinesWriter> JsonLinesWriter::open(const std::string &path) {
  Expected<LogFile> file = LogFile::open(path);
  if (!file)
    return file.error();
  return JsonLinesWriter(std::move(*file));
}

Status JsonLinesWriter::append(const Json &record) {
  return file_.append(dump(record, -1) + '\n');
}

Expected<std::vector<Json>> ensc::readJsonLines(const std::string &path) {
  Expected<std::string> text = readTextFile(path);
  if (!text)
    return text.error();
  std::vector<Json> records;
  for (size_t begin = 0;;) {
    size_t end = text->find('\n', begin);
    if (end == std::string::npos)
      return records;
    Json record = parseJson(std::string_view(*text).substr(begin, end - begin));
    if (record.is_discarded())
      return Error(ErrorKind::InvalidData,
                   path + ": line " + std::to_string(records.size() + 1) +
                       " is not JSON");
    records.push_back(std::move(record));
    begin = end + 1;
  }
}

Expected<Json> ensc::readJson(const std::string &path) {
  Expected<std::string> text = readTextFile(path, uint64_t(1) << 28);
  if (!text)
    return text.error();
  Json value = parseJson(*text);
  if (value.is_discarded())
    return Error(ErrorKind::InvalidData, path + ": not a JSON file");
  return value;
}

Status ensc::writeJson(const std::string &path, const Json &value) {
  return writeFileAtomically(path, dump(value, 2) + '\n');
}
