//===- DataChoice.cpp - Which rows of the data a run trains on ------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

#include "ensc/Artifact/Npy.h"

#include <charconv>
#include <string_view>

using namespace ensc;

static std::optional<int64_t> parseIndex(std::string_view text) {
  int64_t value = 0;
  const char *last = text.data() + text.size();
  auto [stop, code] = std::from_chars(text.data(), last, value);
  if (code != std::errc() || stop != last || value < 0)
    return std::nullopt;
  return value;
}

static Expected<RowChoice> parseFold(const std::string &text, size_t start,
                                     const std::string &place) {
  std::string_view view = text;
  size_t slash = std::min(text.find('/', start), text.size());
  std::optional<int64_t> fold = parseIndex(view.substr(start, slash - start));
  std::optional<int64_t> folds =
      slash < text.size() ? parseIndex(view.substr(slash + 1)) : std::nullopt;
  if (!fold || !folds || *folds < 2 || *fold >= *folds)
    return Error(ErrorKind::InvalidArgument,
                 place +
                     ": expected fold:k/K with k from 0 to K - 1 and K of "
                     "at least 2, found '" +
                     text + "'");
  RowChoice choice;
  choice.kind = RowChoice::Fold;
  choice.fold = *fold;
  choice.folds = *folds;
  return choice;
}

static Expected<RowChoice> readSubset(const std::string &path,
                                      const std::string &place) {
  Expected<Tensor> tensor = readNpy(path);
  if (!tensor)
    return tensor.error().inContext(place);
  bool isWide = tensor->dtype() == DType::I64;
  if (tensor->rank() != 1 || (!isWide && tensor->dtype() != DType::I32))
    return Error(ErrorKind::InvalidData,
                 place + ": " + path +
                     " must hold row numbers, a vector of i64 or i32, but "
                     "holds " +
                     typeString(tensor->dtype(), tensor->shape()));
  if (tensor->size() == 0)
    return Error(ErrorKind::InvalidData, place + ": " + path + " has no rows");
  RowChoice choice;
  choice.kind = RowChoice::Subset;
  for (int64_t i = 0; i < tensor->size(); ++i) {
    int64_t row = isWide ? tensor->data<int64_t>()[i]
                         : int64_t(tensor->data<int32_t>()[i]);
    if (row < 0)
      return Error(ErrorKind::InvalidData,
                   place + ": " + path + " has the row number " +
                       std::to_string(row) + " at " + std::to_string(i) +
                       "; rows are counted from 0");
    choice.rows.push_back(row);
  }
  return choice;
}

Expected<RowChoice> ensc::parseData(const std::string &text,
                                    const std::string &place) {
  constexpr std::string_view foldPrefix = "fold:", npySuffix = ".npy";
  std::string_view view = text;
  RowChoice choice;
  if (text.empty() || text == "all")
    return choice;
  if (text == "bootstrap") {
    choice.kind = RowChoice::Bootstrap;
    return choice;
  }
  if (view.substr(0, foldPrefix.size()) == foldPrefix)
    return parseFold(text, foldPrefix.size(), place);
  if (view.size() > npySuffix.size() &&
      view.substr(view.size() - npySuffix.size()) == npySuffix)
    return readSubset(text, place);
  return Error(ErrorKind::InvalidArgument,
               place +
                   ": expected all, bootstrap, fold:k/K or a .npy file of "
                   "row numbers, found '" +
                   text + "'");
}
