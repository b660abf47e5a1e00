//===- ParserErrors.cpp - Errors of the parser in ensc's words ------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserErrors.h"

#include "ensc/Dialect/Ens/IR/EnsDialect.h"
#include "ensc/Runtime/Suggest.h"

#include "mlir/IR/OperationSupport.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

/// The text between two others, if both are there.
static std::optional<StringRef> between(StringRef line, StringRef before,
                                        StringRef after) {
  size_t at = line.find(before);
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef rest = line.drop_front(at + before.size());
  size_t end = rest.find(after);
  if (end == StringRef::npos)
    return std::nullopt;
  return rest.take_front(end);
}

/// The op of ens that an unknown one may have meant. There are too many for a
/// list of all.
static std::string suggestOp(StringRef name, MLIRContext &context) {
  std::vector<std::string> names;
  for (RegisteredOperationName op :
       context.getRegisteredOperationsByDialect("ens"))
    names.push_back(op.stripDialect().str());
  name.consume_front("ens.");
  std::string text = suggest(name.str(), names);
  std::optional<StringRef> near = between(text, "did you mean '", "'");
  return near ? "; did you mean 'ens." + near->str() + "'?" : "";
}

/// The optimizer or schedule that an unknown attribute may have meant.
static std::string suggestAttribute(StringRef name) {
  std::vector<std::string> names;
  for (StringRef known :
       {SgdAttr::getMnemonic(), MomentumAttr::getMnemonic(),
        AdamAttr::getMnemonic(), AdamWAttr::getMnemonic(),
        ConstantScheduleAttr::getMnemonic(), CosineScheduleAttr::getMnemonic(),
        WarmupScheduleAttr::getMnemonic()})
    names.push_back(known.str());
  return suggest(name.str(), names);
}

/// Whether a line says nothing that is for users, behind others that do.
static bool isNoise(StringRef line) {
  return line.contains(
             "note: add a trailing dot to make the literal a float") ||
         line.contains("note: Available dialects: ") ||
         line.contains("error: failed to parse Ens_");
}

static std::string explain(StringRef line, MLIRContext &context) {
  static constexpr llvm::StringLiteral integer =
      "unexpected decimal integer literal for a floating point value";
  auto [place, rest] = line.split(integer);
  if (place.size() < line.size())
    return (place + "expected a number with a point, as in 0.1 or 1.0e-2" +
            rest)
        .str();
  if (auto name = between(line, "custom op '", "' is unknown"))
    return line.str() + suggestOp(*name, context);
  if (auto name = between(line, "unknown attribute `", "` in dialect `ens`"))
    return line.str() + suggestAttribute(*name);
  return line.str();
}

std::string ensc::explainParserErrors(const std::string &lines,
                                      MLIRContext &context) {
  std::string text;
  for (StringRef line : llvm::split(lines, '\n')) {
    if (!text.empty() && isNoise(line))
      continue;
    text += (text.empty() ? "" : "\n") + explain(line, context);
  }
  return text;
}
