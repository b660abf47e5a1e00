//===- Text.h - Text for terminals ------------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_REPORT_TEXT_H
#define ENSC_REPORT_TEXT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ensc {

/// Text of a file, made safe for a terminal: control characters, marks that
/// change the direction of writing and bytes that are no UTF-8 become U+FFFD.
std::string printable(std::string_view text);

/// Columns that printable text takes.
size_t displayWidth(std::string_view text);

/// The text cut to `width` columns, with an ellipsis where it was longer.
std::string clip(std::string_view text, size_t width);

/// Spaces in front of the text, or behind it, so that it takes `width` columns.
std::string padLeft(std::string_view text, size_t width);
std::string padRight(std::string_view text, size_t width);

/// A number with four digits; "–" for a NaN that stands for nothing measured.
std::string shortNumber(double value);

/// A field of a table as people like it: long fractions are shortened.
std::string shortField(std::string_view field);

/// "734", "12.4 k", "1.23 M": three digits or more.
std::string shortCount(double value);

/// "12 s", "3 min 05 s", "2 h 07 min", "4 d 03 h".
std::string shortDuration(double seconds);

/// How wide a table may be.
struct TableStyle {
  size_t width = SIZE_MAX; ///< Columns of the terminal.
  /// Headings of columns that stay where others have no room.
  std::vector<std::string> keep;
};

/// A table for people: columns as wide as their fields, numbers to the right,
/// text to the left. The first row is the heading; a column that is empty but
/// for it is left out. Where there is no room for all others, the last ones are
/// left out, which a line below tells. No field is trusted.
std::string formatTable(const std::vector<std::vector<std::string>> &rows,
                        const TableStyle &style = {});

} // namespace ensc

#endif // ENSC_REPORT_TEXT_H
