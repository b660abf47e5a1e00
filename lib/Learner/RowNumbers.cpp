//===- RowNumbers.cpp - The rows that a run trains on ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowNumbers.h"

#include "ensc/Reference/Philox.h"

#include <algorithm>

using namespace ensc;

static Error invalid(const std::string &message) {
  return Error(ErrorKind::InvalidArgument, message);
}

bool ensc::namesValidationRows(const ManifestValue &argument) {
  constexpr std::string_view ending = "_val";
  const std::string &name = argument.name;
  return name.size() >= ending.size() &&
         name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

int64_t ensc::countDataRows(const LearnerEntries &entries) {
  for (const ManifestValue &argument : entries.fit->arguments)
    if (argument.role == "data")
      return argument.shape.front();
  return 0;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The rows that a choice gives, or nothing where any number will do.
static std::optional<int64_t> countOf(const RowChoice &choice, bool validation,
                                      int64_t total) {
  switch (choice.kind) {
  case RowChoice::All:
    return total;
  case RowChoice::Bootstrap:
    return std::nullopt;
  case RowChoice::Fold: {
    int64_t fold = total / choice.folds;
    return validation ? fold : total - fold;
  }
  case RowChoice::Subset:
    return static_cast<int64_t>(choice.rows.size());
  }
  return std::nullopt;
}

static Status checkChoice(const RowChoice &choice, int64_t total) {
  if (choice.kind == RowChoice::Fold) {
    if (choice.folds < 2 || choice.folds > total)
      return invalid("there must be from 2 to " + std::to_string(total) +
                     " folds of " + std::to_string(total) + " rows, got " +
                     std::to_string(choice.folds));
    if (choice.fold < 0 || choice.fold >= choice.folds)
      return invalid("there is no fold " + std::to_string(choice.fold) +
                     " of " + std::to_string(choice.folds) +
                     "; they are counted from 0");
  }
  for (int64_t row : choice.rows)
    if (choice.kind == RowChoice::Subset && (row < 0 || row >= total))
      return invalid("row " + std::to_string(row) + " is not one of the " +
                     std::to_string(total) +
                     " rows of the data, which are counted from 0");
  return Status::success();
}

/// Whether the rows of a choice are as many as an argument takes.
static Status checkArgument(const RowChoice &choice,
                            const ManifestValue &argument, int64_t total) {
  bool validation = namesValidationRows(argument);
  if (validation && choice.kind != RowChoice::Fold)
    return invalid("the program validates on rows that a fold leaves out, so "
                   "that each run must have a fold");
  std::optional<int64_t> count = countOf(choice, validation, total);
  int64_t taken = argument.shape.front();
  if (!count || *count == taken)
    return Status::success();
  return invalid("the choice gives " + std::to_string(*count) + " of " +
                 std::to_string(total) + " rows to " +
                 (validation ? "validate" : "train") +
                 " on, but the program was compiled for " +
                 std::to_string(taken));
}

static Status checkRun(const LearnerEntries &entries, const RowChoice &choice) {
  int64_t total = countDataRows(entries);
  if (Status status = checkChoice(choice, total); !status)
    return status;
  for (const ManifestEntry *entry : entries.all())
    for (const ManifestValue &argument : entry->arguments)
      if (argument.role == "rows")
        if (Status status = checkArgument(choice, argument, total); !status)
          return status;
  return Status::success();
}

Status ensc::checkRowChoices(const LearnerPrograms &programs,
                             const FitOptions &options, const FitPlan &plan) {
  for (int64_t run = 0; run < options.runs; ++run) {
    const LearnerEntries &entries = programs.list[plan.programOf[run]].entries;
    RowChoice choice = valueOf(options.rowChoices, run, RowChoice());
    if (!entries.findRole("rows")) {
      if (choice.kind == RowChoice::All)
        continue;
      return invalid("the program trains on all rows; compile it with rows "
                     "of each run's own");
    }
    if (Status status = checkRun(entries, choice); !status)
      return status.error().inContext(placeOf(options, run, "data"));
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Draws with replacement. The site is that of permutations, whose steps are
/// epochs and never negative.
static void drawRows(int64_t seed, int64_t total, int64_t *rows,
                     int64_t count) {
  constexpr uint32_t permutationSite = 0xffffffff;
  reference::PhiloxStream stream(seed, permutationSite, /*step=*/-1);
  for (int64_t i = 0; i < count; ++i)
    rows[i] = static_cast<int64_t>(
        (uint64_t{stream.word(i)} * static_cast<uint64_t>(total)) >> 32);
}

void ensc::writeRows(const RowChoice &choice, int64_t seed, bool validation,
                     int64_t total, int64_t *rows, int64_t count) {
  if (choice.kind == RowChoice::Bootstrap)
    return drawRows(seed, total, rows, count);
  if (choice.kind == RowChoice::Subset) {
    std::copy_n(choice.rows.begin(), count, rows);
    return;
  }
  int64_t fold = choice.kind == RowChoice::Fold ? total / choice.folds : 0;
  int64_t begin = choice.fold * fold, end = begin + fold;
  for (int64_t i = 0; i < count; ++i)
    rows[i] = validation ? begin + i : i < begin ? i : i + (end - begin);
}
