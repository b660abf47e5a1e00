//===- ProgramOptions.cpp - Options of a program as JSON ------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Experiment/ProgramOptions.h"

#include "ensc/Experiment/JsonFields.h"

using namespace ensc;

Json ensc::compileOptionsAsJson(const CompileOptions &options) {
  Json json = Json::object();
  if (!options.perRun.empty())
    json["per_run"] = options.perRun;
  if (options.rows)
    json["rows"] = *options.rows;
  if (options.validationRows)
    json["validation_rows"] = *options.validationRows;
  if (options.shuffle)
    json["shuffle"] = *options.shuffle;
  if (options.optimizer)
    json["optimizer"] = *options.optimizer;
  if (options.batchSize)
    json["batch_size"] = *options.batchSize;
  if (options.ownRows) {
    json["own_rows"] = options.ownRows->training;
    json["own_validation_rows"] = options.ownRows->validation;
  }
  if (!options.entries.empty())
    json["entries"] = options.entries;
  return json;
}

static Error wrongType(const char *name) {
  return Error(ErrorKind::InvalidData, std::string("the compile option '") +
                                           name + "' has the wrong type");
}

static Status readTexts(const Json &json, const char *name,
                        std::vector<std::string> &texts) {
  const Json *field = findField(json, name);
  if (!field)
    return Status::success();
  if (!field->is_array())
    return wrongType(name);
  for (const Json &entry : *field) {
    std::optional<std::string> text = textOf(&entry);
    if (!text)
      return wrongType(name);
    texts.push_back(*text);
  }
  return Status::success();
}

static Status readInteger(const Json &json, const char *name,
                          std::optional<int64_t> &value) {
  const Json *field = findField(json, name);
  value = integerOf(field);
  return field && !value ? Status(wrongType(name)) : Status::success();
}

static Status readText(const Json &json, const char *name,
                       std::optional<std::string> &value) {
  const Json *field = findField(json, name);
  value = textOf(field);
  return field && !value ? Status(wrongType(name)) : Status::success();
}

static Status readOwnRows(const Json &json, std::optional<OwnRows> &ownRows) {
  std::optional<int64_t> training, validation;
  if (Status status = readInteger(json, "own_rows", training); !status)
    return status;
  if (Status status = readInteger(json, "own_validation_rows", validation);
      !status)
    return status;
  if (training)
    ownRows = OwnRows{*training, validation.value_or(0)};
  return Status::success();
}

Expected<CompileOptions> ensc::compileOptionsFromJson(const Json &json) {
  CompileOptions options;
  if (Status status = readTexts(json, "per_run", options.perRun); !status)
    return status.error();
  if (Status status = readTexts(json, "entries", options.entries); !status)
    return status.error();
  if (Status status = readInteger(json, "rows", options.rows); !status)
    return status.error();
  if (Status status =
          readInteger(json, "validation_rows", options.validationRows);
      !status)
    return status.error();
  if (Status status = readText(json, "shuffle", options.shuffle); !status)
    return status.error();
  if (Status status = readText(json, "optimizer", options.optimizer); !status)
    return status.error();
  if (Status status = readInteger(json, "batch_size", options.batchSize);
      !status)
    return status.error();
  if (Status status = readOwnRows(json, options.ownRows); !status)
    return status.error();
  return options;
}
