//===- Search.cpp - Decisions across runs ---------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/API/Search.h"

using namespace ensc;

Population::~Population() = default;
Search::~Search() = default;

Status Search::check(const SearchedRuns &) const { return Status::success(); }

std::string Search::save() const { return ""; }

Status Search::load(const std::string &) { return Status::success(); }

bool Search::needsAllRuns() const { return false; }
