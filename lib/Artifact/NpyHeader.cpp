//===- NpyHeader.cpp - The header of a npy file ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NpyHeader.h"

#include "ArrayBytes.h"

#include <charconv>

using namespace ensc;

namespace {
/// Walks over the text; the first failure sticks.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  Expected<NpyHeader> parse();

private:
  bool parseEntry();
  bool parseValue(const std::string &key);
  bool parseString(std::string &value);
  bool parseBool(bool &value);
  bool parseShape(Shape &shape);
  bool parseExtent(Shape &shape);

  void skipSpace() {
    while (next_ < text_.size() &&
           (text_[next_] == ' ' || text_[next_] == '\n' ||
            text_[next_] == '\t' || text_[next_] == '\r'))
      ++next_;
  }
  bool consume(char wanted) {
    skipSpace();
    if (next_ >= text_.size() || text_[next_] != wanted)
      return false;
    ++next_;
    return true;
  }
  bool consumeWord(std::string_view word) {
    skipSpace();
    if (text_.substr(next_, word.size()) != word)
      return false;
    next_ += word.size();
    return true;
  }
  bool fail(const std::string &what) {
    if (problem_.empty())
      problem_ = "malformed npy header: " + what + " at character " +
                 std::to_string(next_ + 1);
    return false;
  }

  std::string_view text_;
  size_t next_ = 0;
  std::string problem_;
  NpyHeader header_;
  bool hasDescr_ = false, hasOrder_ = false, hasShape_ = false;
};

bool HeaderParser::parseString(std::string &value) {
  skipSpace();
  char quote = next_ < text_.size() ? text_[next_] : '\0';
  if (quote != '\'' && quote != '"')
    return fail("expected a quoted string");
  size_t end = text_.find(quote, next_ + 1);
  if (end == std::string_view::npos)
    return fail("unterminated string");
  value = text_.substr(next_ + 1, end - next_ - 1);
  next_ = end + 1;
  return true;
}

bool HeaderParser::parseBool(bool &value) {
  if (consumeWord("True")) {
    value = true;
    return true;
  }
  if (consumeWord("False")) {
    value = false;
    return true;
  }
  return fail("expected True or False");
}

bool HeaderParser::parseExtent(Shape &shape) {
  skipSpace();
  int64_t extent = 0;
  const char *first = text_.data() + next_;
  auto [last, code] =
      std::from_chars(first, text_.data() + text_.size(), extent);
  if (code == std::errc::result_out_of_range)
    return fail("an extent beyond 64 bits");
  if (code != std::errc())
    return fail("expected an extent");
  if (extent < 0)
    return fail("negative extent " + std::to_string(extent));
  next_ += static_cast<size_t>(last - first);
  // Python 2 wrote long integers with a suffix.
  if (next_ < text_.size() && text_[next_] == 'L')
    ++next_;
  if (shape.size() == maxFileRank)
    return fail("more than " + std::to_string(maxFileRank) + " dimensions");
  shape.push_back(extent);
  return true;
}

bool HeaderParser::parseShape(Shape &shape) {
  if (!consume('('))
    return fail("expected a tuple of extents");
  while (!consume(')')) {
    if (!parseExtent(shape))
      return false;
    if (consume(','))
      continue;
    if (shape.size() == 1)
      return fail("expected ',' after the only extent");
    return consume(')') || fail("expected ',' or ')'");
  }
  return true;
}

bool HeaderParser::parseValue(const std::string &key) {
  if (key == "descr" && !hasDescr_) {
    hasDescr_ = true;
    skipSpace();
    if (next_ < text_.size() && text_[next_] == '[')
      return fail("structured arrays are not supported; save each field as an "
                  "array of its own");
    return parseString(header_.descr);
  }
  if (key == "fortran_order" && !hasOrder_) {
    hasOrder_ = true;
    return parseBool(header_.fortranOrder);
  }
  if (key == "shape" && !hasShape_) {
    hasShape_ = true;
    return parseShape(header_.shape);
  }
  return fail("unknown or repeated key '" + key + "'");
}

bool HeaderParser::parseEntry() {
  std::string key;
  if (!parseString(key))
    return false;
  if (!consume(':'))
    return fail("expected ':'");
  return parseValue(key);
}

Expected<NpyHeader> HeaderParser::parse() {
  bool good = consume('{') || fail("expected '{'");
  while (good && !consume('}')) {
    good = parseEntry();
    if (good && !consume(',')) {
      good = consume('}') || fail("expected ',' or '}'");
      break;
    }
  }
  skipSpace();
  if (good && next_ != text_.size())
    good = fail("unexpected text after '}'");
  if (good && !(hasDescr_ && hasOrder_ && hasShape_))
    good = fail("descr, fortran_order or shape is missing");
  if (!good)
    return Error(ErrorKind::InvalidData, problem_);
  return std::move(header_);
}
} // namespace

Expected<NpyHeader> ensc::parseNpyHeader(std::string_view text) {
  return HeaderParser(text).parse();
}
