//===- JsonFields.h - Fields of JSON that may hold anything -----*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The JSON library ends the process where a value has another type than the
// one that is asked for. These functions give nothing instead.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_EXPERIMENT_JSONFIELDS_H
#define ENSC_EXPERIMENT_JSONFIELDS_H

#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/JsonLines.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace ensc {

/// The field of an object, or null where there is none or `json` is none.
inline const Json *findField(const Json &json, const char *key) {
  if (!json.is_object())
    return nullptr;
  auto found = json.find(key);
  return found == json.end() ? nullptr : &*found;
}

inline std::optional<int64_t> integerOf(const Json *json) {
  if (!json || !json->is_number_integer())
    return std::nullopt;
  if (json->is_number_unsigned() &&
      json->get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
    return std::nullopt;
  return json->get<int64_t>();
}

/// A number as jsonNumber() writes it.
inline std::optional<double> numberOf(const Json *json) {
  if (json && json->is_number())
    return json->get<double>();
  if (json && json->is_string())
    return parseNumber(json->get_ref<const std::string &>());
  return std::nullopt;
}

inline std::optional<std::string> textOf(const Json *json) {
  if (!json || !json->is_string())
    return std::nullopt;
  return json->get<std::string>();
}

/// The field if it is an array; otherwise an empty one.
inline const Json &arrayOf(const Json &json, const char *key) {
  static const Json none = Json::array();
  const Json *field = findField(json, key);
  return field && field->is_array() ? *field : none;
}

/// JSON as one line. Text that is not UTF-8 does not end the process.
inline std::string dumpLine(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace ensc

#endif // ENSC_EXPERIMENT_JSONFIELDS_H
