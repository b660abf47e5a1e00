//===- Suggest.cpp - What a misspelt name may have meant ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Suggest.h"

#include <algorithm>
#include <numeric>

using namespace ensc;

/// How many characters must be inserted, removed or replaced to turn one text
/// into the other.
static size_t editDistance(const std::string &from, const std::string &to) {
  std::vector<size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= from.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= to.size(); ++j) {
      size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string ensc::suggest(const std::string &name,
                          const std::vector<std::string> &existing) {
  if (existing.empty())
    return "; it has none";
  std::string names;
  const std::string *nearest = nullptr;
  // A name of which more than half must change, as all of a single letter does,
  // is another name.
  size_t best = name.size() / 2 + 1;
  for (const std::string &candidate : existing) {
    names += (names.empty() ? "" : ", ") + candidate;
    size_t distance = editDistance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
  }
  if (!nearest)
    return "; it has " + names;
  return "; did you mean '" + *nearest + "'? (it has " + names + ")";
}
