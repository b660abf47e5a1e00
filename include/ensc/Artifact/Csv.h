//===- Csv.h - Tables as comma-separated values -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// RFC 4180: a header line, then records; fields with commas, quotes or line
// breaks are quoted. Lines end in LF when written; CRLF reads as well. Numbers
// are the shortest text that reads back to the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_ARTIFACT_CSV_H
#define ENSC_ARTIFACT_CSV_H

#include "ensc/API/Error.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ensc {

/// The shortest text that reads back as `value`; "nan", "inf" and "-inf" for
/// what is not finite. NaNs lose their payload.
std::string formatNumber(double value);
std::string formatNumber(float value);

/// The number that all of `text` spells, as formatNumber writes it.
std::optional<double> parseNumber(std::string_view text);

/// A table of text. Every row has as many fields as there are columns.
struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  /// The index of the column called `name`.
  std::optional<size_t> column(const std::string &name) const;

  /// The number in a field; nothing where the field is no number.
  std::optional<double> number(size_t row, size_t column) const {
    return parseNumber(rows[row][column]);
  }

  /// Indices of all rows, the best number in `column` first, equal numbers in
  /// the order of the table. Rows without a number, or with a NaN, come last.
  std::vector<size_t> rank(size_t column, bool largestFirst) const;
};

/// The table as text.
std::string formatCsv(const CsvTable &table);

/// Parses a table with a header line. Errors give the line; they name no file.
Expected<CsvTable> parseCsv(std::string_view text);

/// Reads the table in the file `path`.
Expected<CsvTable> readCsv(const std::string &path);

/// Writes the table to the file `path`, whole or not at all.
Status writeCsv(const std::string &path, const CsvTable &table);

} // namespace ensc

#endif // ENSC_ARTIFACT_CSV_H
