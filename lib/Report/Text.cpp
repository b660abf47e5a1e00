//===- Text.cpp - Text for terminals --------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Report/Text.h"

#include "ensc/Artifact/Csv.h"
#include "ensc/Runtime/Utf8.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

using namespace ensc;

//===----------------------------------------------------------------------===//
// UTF-8
//===----------------------------------------------------------------------===//

static constexpr const char *replacement = "\uFFFD";

std::string ensc::printable(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    Character next = decodeCharacter(text);
    if (!isShown(next))
      safe += replacement;
    else
      safe += text.substr(0, next.size);
    text.remove_prefix(next.size);
  }
  return safe;
}

/// Columns of a character: none for marks that combine, two for wide scripts.
static size_t widthOf(uint32_t code) {
  if ((code >= 0x0300 && code <= 0x036F) || (code >= 0xFE00 && code <= 0xFE0F))
    return 0;
  bool wide = (code >= 0x1100 && code <= 0x115F) ||
              (code >= 0x2E80 && code <= 0xA4CF) ||
              (code >= 0xAC00 && code <= 0xD7A3) ||
              (code >= 0xF900 && code <= 0xFAFF) ||
              (code >= 0xFE30 && code <= 0xFE6F) ||
              (code >= 0xFF00 && code <= 0xFF60) ||
              (code >= 0x1F300 && code <= 0x1FAFF) ||
              (code >= 0x20000 && code <= 0x3FFFD);
  return wide ? 2 : 1;
}

size_t ensc::displayWidth(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) {
    Character next = decodeCharacter(text);
    width += widthOf(next.code);
    text.remove_prefix(next.size);
  }
  return width;
}

std::string ensc::clip(std::string_view text, size_t width) {
  if (displayWidth(text) <= width)
    return std::string(text);
  if (width == 0)
    return "";
  std::string kept;
  size_t used = 0;
  while (!text.empty()) {
    Character next = decodeCharacter(text);
    used += widthOf(next.code);
    if (used > width - 1)
      break;
    kept += text.substr(0, next.size);
    text.remove_prefix(next.size);
  }
  return kept + "…";
}

static std::string spaces(std::string_view text, size_t width) {
  size_t used = displayWidth(text);
  return std::string(used < width ? width - used : 0, ' ');
}

std::string ensc::padLeft(std::string_view text, size_t width) {
  return spaces(text, width) + std::string(text);
}

std::string ensc::padRight(std::string_view text, size_t width) {
  return std::string(text) + spaces(text, width);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static std::string format(const char *pattern, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), pattern, value);
  return buffer;
}

std::string ensc::shortNumber(double value) {
  return std::isnan(value) ? "–" : format("%.4g", value);
}

std::string ensc::shortField(std::string_view field) {
  if (field.size() <= 6 || field.find_first_of(".e") == std::string_view::npos)
    return printable(field);
  std::optional<double> number = parseNumber(field);
  return number ? format("%.4g", *number) : printable(field);
}

std::string ensc::shortCount(double value) {
  static constexpr const char *units[] = {"", " k", " M", " G", " T", " P"};
  size_t unit = 0;
  // Counts are told in full as long as they are short.
  while (value >= (unit == 0 ? 9999.5 : 999.5) && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  const char *pattern = unit == 0 || value >= 100 ? "%.0f"
                        : value >= 10             ? "%.1f"
                                                  : "%.2f";
  return format(pattern, value) + units[unit];
}

std::string ensc::shortDuration(double seconds) {
  if (!(seconds < 1e9))
    return "very long";
  auto whole = static_cast<int64_t>(std::max(seconds, 0.0) + 0.5);
  char buffer[64];
  auto print = [&](int64_t large, const char *unit, int64_t small,
                   const char *part) {
    std::snprintf(buffer, sizeof(buffer), "%lld %s %02lld %s",
                  static_cast<long long>(large), unit,
                  static_cast<long long>(small), part);
    return std::string(buffer);
  };
  if (whole < 60)
    return std::to_string(whole) + " s";
  if (whole < 3600)
    return print(whole / 60, "min", whole % 60, "s");
  if (whole < 86400)
    return print(whole / 3600, "h", whole % 3600 / 60, "min");
  return print(whole / 86400, "d", whole % 86400 / 3600, "h");
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Between two columns.
static constexpr size_t gap = 2;

namespace {
/// How a column of a table is laid out.
struct ColumnLayout {
  size_t width = 0;
  size_t bodyWidth = 0; ///< Without the heading.
  bool isText = false;
  bool isShown = false;
};
} // namespace

static std::vector<ColumnLayout>
layOut(const std::vector<std::vector<std::string>> &rows) {
  std::vector<ColumnLayout> columns;
  for (const std::vector<std::string> &row : rows) {
    columns.resize(std::max(columns.size(), row.size()));
    bool heading = &row == &rows.front();
    for (size_t i = 0; i < row.size(); ++i) {
      ColumnLayout &column = columns[i];
      size_t width = displayWidth(row[i]);
      column.width = std::max(column.width, width);
      if (!heading)
        column.bodyWidth = std::max(column.bodyWidth, width);
      bool number = row[i].empty() || row[i] == "–" || parseNumber(row[i]);
      column.isText |= !heading && !number;
      column.isShown |= rows.size() == 1 || (!heading && !row[i].empty());
    }
  }
  return columns;
}

/// Hides the last columns until the others fit, and then makes columns as
/// narrow as what is below their headings. Gives the headings of hidden ones.
static std::vector<std::string>
fitColumns(std::vector<ColumnLayout> &columns,
           const std::vector<std::string> &heading, const TableStyle &style) {
  size_t width = 0;
  for (const ColumnLayout &column : columns)
    width += column.isShown ? column.width + gap : 0;
  std::vector<std::string> hidden;
  for (size_t i = std::min(columns.size(), heading.size());
       i-- > 1 && width - gap > style.width;) {
    bool stays = std::find(style.keep.begin(), style.keep.end(), heading[i]) !=
                 style.keep.end();
    if (!columns[i].isShown || stays)
      continue;
    columns[i].isShown = false;
    width -= columns[i].width + gap;
    hidden.insert(hidden.begin(), heading[i]);
  }
  for (size_t i = columns.size(); i-- > 0 && width - gap > style.width;) {
    ColumnLayout &column = columns[i];
    size_t narrow =
        std::min(column.width, std::max<size_t>(column.bodyWidth, 4));
    if (!column.isShown)
      continue;
    width -= column.width - narrow;
    column.width = narrow;
  }
  return hidden;
}

std::string ensc::formatTable(const std::vector<std::vector<std::string>> &rows,
                              const TableStyle &style) {
  constexpr size_t widest = 40;
  std::vector<std::vector<std::string>> fields;
  for (const std::vector<std::string> &row : rows) {
    fields.emplace_back();
    for (const std::string &field : row)
      fields.back().push_back(clip(shortField(field), widest));
  }
  std::vector<ColumnLayout> columns = layOut(fields);
  std::vector<std::string> hidden;
  if (!fields.empty() && style.width < SIZE_MAX)
    hidden = fitColumns(columns, fields.front(), style);
  std::string lines;
  for (const std::vector<std::string> &row : fields) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      if (!columns[i].isShown)
        continue;
      line += line.empty() ? "" : std::string(gap, ' ');
      std::string field = clip(row[i], columns[i].width);
      line += columns[i].isText ? padRight(field, columns[i].width)
                                : padLeft(field, columns[i].width);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    lines += clip(line, style.width) + "\n";
  }
  std::string note;
  for (const std::string &name : hidden)
    note += (note.empty() ? "(no room for " : ", ") + name;
  return note.empty() ? lines : lines + clip(note + ")", style.width) + "\n";
}
