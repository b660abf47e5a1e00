//===- CsvArrays.cpp - Columns of text as arrays --------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataArray.h"

#include "ensc/API/Allocate.h"
#include "ensc/Artifact/Csv.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <string_view>
#include <type_traits>

using namespace ensc;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

static std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

/// The number nearest to what all of `text` spells.
template <typename T> static bool parseCell(std::string_view text, T &value) {
  text = trim(text);
  if constexpr (std::is_same_v<T, bool>) {
    value = text == "1" || text == "true" || text == "True";
    return value || text == "0" || text == "false" || text == "False";
  } else {
    // from_chars takes no plus sign.
    if (text.size() > 1 && text.front() == '+' && text[1] != '-')
      text.remove_prefix(1);
    const char *last = text.data() + text.size();
    auto [stop, code] = std::from_chars(text.data(), last, value);
    return code == std::errc() && stop == last;
  }
}

namespace {
/// Some columns of a table, side by side.
class CsvArray : public DataArray {
public:
  CsvArray(std::string name, std::string place,
           std::shared_ptr<const CsvTable> table, std::vector<size_t> columns)
      : DataArray(std::move(name), std::move(place)), table(std::move(table)),
        columns(std::move(columns)) {}

  std::optional<int64_t> extent(size_t dim) const override {
    if (dim > 1)
      return std::nullopt;
    return dim == 0 ? rows() : static_cast<int64_t>(columns.size());
  }

  Expected<Tensor> read(DType dtype, const Shape &inner) const override;

private:
  int64_t rows() const { return static_cast<int64_t>(table->rows.size()); }

  template <typename T> Status fill(Tensor &tensor) const;

  std::shared_ptr<const CsvTable> table;
  std::vector<size_t> columns;
};
} // namespace

template <typename T> Status CsvArray::fill(Tensor &tensor) const {
  T *next = tensor.data<T>();
  for (size_t row = 0; row < table->rows.size(); ++row)
    for (size_t column : columns) {
      const std::string &cell = table->rows[row][column];
      if (!parseCell(cell, *next++))
        return Error(ErrorKind::InvalidData,
                     "record " + std::to_string(row + 1) + " of column '" +
                         table->columns[column] + "' is " +
                         (cell.empty() ? "empty" : "'" + cell + "'") +
                         "; expected a number of type " +
                         nameOf(tensor.dtype()));
    }
  return Status::success();
}

Expected<Tensor> CsvArray::read(DType dtype, const Shape &inner) const {
  Shape shape = {rows()};
  int64_t width = static_cast<int64_t>(columns.size());
  if (numElements(inner) == width)
    shape.insert(shape.end(), inner.begin(), inner.end());
  else
    shape.push_back(width);
  Expected<Tensor> tensor =
      allocateTensor(dtype, shape, "an array, " + typeString(dtype, shape));
  if (!tensor)
    return tensor;
  auto fillAs = [&] {
    switch (dtype) {
    case DType::F32:
      return fill<float>(*tensor);
    case DType::F64:
      return fill<double>(*tensor);
    case DType::I1:
      return fill<bool>(*tensor);
    case DType::I32:
      return fill<int32_t>(*tensor);
    case DType::I64:
      return fill<int64_t>(*tensor);
    case DType::UI32:
      return fill<uint32_t>(*tensor);
    }
    return Status::success();
  };
  if (Status status = fillAs(); !status)
    return status.error().inContext(place);
  return tensor;
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

namespace {
/// The name of a column in two parts: x12 and x_12 are x and 12.
struct NumberedName {
  std::string stem;
  size_t number = 0;
};
} // namespace

static std::optional<NumberedName> splitNumber(const std::string &name) {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
    --digits;
  NumberedName result;
  auto [stop, code] = std::from_chars(name.data() + digits,
                                      name.data() + name.size(), result.number);
  bool isPadded = name.size() - digits > 1 && name[digits] == '0';
  if (code != std::errc() || isPadded)
    return std::nullopt;
  result.stem = name.substr(0, digits);
  if (!result.stem.empty() && result.stem.back() == '_')
    result.stem.pop_back();
  if (result.stem.empty())
    return std::nullopt;
  return result;
}

/// The columns of each array: x0, x1, ... without a gap, at least two, are one.
static std::map<std::string, std::vector<size_t>>
groupColumns(const std::vector<std::string> &columns) {
  std::map<std::string, std::map<size_t, std::vector<size_t>>> numbered;
  for (size_t i = 0; i < columns.size(); ++i)
    if (std::optional<NumberedName> name = splitNumber(columns[i]))
      numbered[name->stem][name->number].push_back(i);
  std::map<std::string, std::vector<size_t>> groups;
  for (const auto &[stem, members] : numbered) {
    size_t next = 0;
    std::vector<size_t> group;
    for (const auto &[number, places] : members) {
      if (number == next && places.size() == 1)
        group.push_back(places.front());
      ++next;
    }
    if (group.size() == members.size() && group.size() > 1)
      groups[stem] = group;
  }
  return groups;
}

static Status checkHeader(const CsvTable &table) {
  std::vector<std::string> sorted = table.columns;
  std::sort(sorted.begin(), sorted.end());
  auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    return Error(ErrorKind::InvalidData,
                 "line 1: there are two columns '" + *twice + "'");
  double number = 0;
  for (const std::string &name : table.columns)
    if (parseCell(name, number))
      return Error(ErrorKind::InvalidData,
                   "line 1: the column name '" + name +
                       "' is a number; the first line must name the columns");
  return Status::success();
}

Expected<DataArrays> ensc::openCsv(const std::string &path,
                                   const std::string &name) {
  Expected<CsvTable> read = readCsv(path);
  if (!read)
    return read.error();
  if (Status status = checkHeader(*read); !status)
    return status.error().inContext(path);
  auto table = std::make_shared<const CsvTable>(std::move(*read));
  DataArrays arrays;
  auto add = [&](const std::string &array, std::vector<size_t> columns) {
    arrays.push_back(
        std::make_unique<CsvArray>(array, path, table, std::move(columns)));
  };
  if (!name.empty()) {
    std::vector<size_t> all(table->columns.size());
    std::iota(all.begin(), all.end(), size_t(0));
    add(name, all);
    return arrays;
  }
  std::vector<bool> isGrouped(table->columns.size());
  for (const auto &[stem, columns] : groupColumns(table->columns)) {
    add(stem, columns);
    for (size_t column : columns)
      isGrouped[column] = true;
  }
  for (size_t column = 0; column < table->columns.size(); ++column)
    if (!isGrouped[column])
      add(table->columns[column], {column});
  return arrays;
}
