//===- Request.cpp - What a peer says -------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Request.h"

using namespace ensc;

static Error malformed(const std::string &what) {
  return Error(ErrorKind::InvalidData, what);
}

/// Whether the object has exactly these keys.
static bool hasKeys(const Json &object,
                    std::initializer_list<const char *> keys) {
  for (const char *key : keys)
    if (!object.contains(key))
      return false;
  return object.size() == keys.size();
}

static bool isId(const Json &value) {
  return value.is_string() || value.is_number_integer();
}

static bool isTrue(const Json &value) {
  return value.is_boolean() && value.get<bool>();
}

Expected<Request> ensc::parseRequest(const std::string &line) {
  Json json = parseJson(line);
  if (json.is_discarded() || !json.is_object())
    return malformed("expected a JSON object, found " + line.substr(0, 80));
  Request request;
  if (hasKeys(json, {"ask", "id"}) && json["ask"].is_object() &&
      isId(json["id"])) {
    request.row = json["ask"];
    request.id = json["id"];
    return request;
  }
  if (hasKeys(json, {"stop"}) && isId(json["stop"])) {
    request.kind = Request::Stop;
    request.id = json["stop"];
    return request;
  }
  if (hasKeys(json, {"from"}) && json["from"].is_number_unsigned()) {
    request.kind = Request::From;
    request.batches = json["from"].get<int64_t>();
    if (request.batches >= 0)
      return request;
  }
  const std::pair<const char *, Request::Kind> words[] = {
      {"train", Request::Train},
      {"continue", Request::Continue},
      {"finish", Request::Finish}};
  for (auto [word, kind] : words)
    if (hasKeys(json, {word}) && isTrue(json[word])) {
      request.kind = kind;
      return request;
    }
  return malformed("expected {\"ask\": {..}, \"id\": ID}, {\"train\": true}, "
                   "{\"stop\": ID}, {\"continue\": true}, {\"from\": N} or "
                   "{\"finish\": true}, found " +
                   line.substr(0, 80));
}
