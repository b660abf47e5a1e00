//===- Nesting.cpp - How deep the brackets of a text nest -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nesting.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace ensc;

/// The position after the string or the comment that begins at `at`, or `at`.
static size_t skipOpaque(llvm::StringRef text, size_t at) {
  if (text.substr(at).starts_with("//"))
    return std::min(text.find('\n', at), text.size());
  if (text[at] != '"')
    return at;
  size_t end = at + 1;
  // A string ends with its line: the parser refuses it otherwise.
  for (; end < text.size() && text[end] != '"' && text[end] != '\n'; ++end)
    if (text[end] == '\\')
      ++end;
  return std::min(end + 1, text.size());
}

static Error tooDeep(llvm::StringRef text, size_t at, const std::string &name) {
  llvm::StringRef before = text.take_front(at);
  size_t lineStart = before.rfind('\n');
  size_t column = lineStart == llvm::StringRef::npos ? at + 1 : at - lineStart;
  return Error(ErrorKind::InvalidModel,
               name + ":" + std::to_string(before.count('\n') + 1) + ":" +
                   std::to_string(column) +
                   ": error: brackets and signs nest deeper than " +
                   std::to_string(deepestNesting) +
                   " levels; move what is inside to functions of its own");
}

Status ensc::checkNesting(const std::string &source, const std::string &name) {
  llvm::StringRef text = source;
  // The parser recurses once per sign of `- - - x`, too.
  int depth = 0, signs = 0;
  for (size_t at = 0; at < text.size();) {
    if (size_t end = skipOpaque(text, at); end != at) {
      at = end;
      continue;
    }
    char c = text[at];
    bool isArrow = c == '>' && at > 0 && text[at - 1] == '-';
    if (c == '-')
      ++signs;
    else if (!llvm::isSpace(c))
      signs = 0;
    if (llvm::StringRef("([{<").contains(c))
      ++depth;
    if (depth + signs > deepestNesting)
      return tooDeep(text, at, name);
    if (llvm::StringRef(")]}>").contains(c) && !isArrow && depth > 0)
      --depth;
    ++at;
  }
  return Status::success();
}
