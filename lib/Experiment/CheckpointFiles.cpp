//===- CheckpointFiles.cpp - Checkpoints as files -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckpointFiles.h"

#include "ensc/Artifact/Checksum.h"
#include "ensc/Artifact/InputFile.h"
#include "ensc/Experiment/JsonFields.h"

#include <algorithm>
#include <filesystem>

using namespace ensc;
namespace fs = std::filesystem;

static constexpr const char *stateName = "/state.json";

static Error damaged(const std::string &path, const std::string &why) {
  return Error(ErrorKind::InvalidData, "'" + path + "' is damaged: " + why);
}

const CheckpointFile *CheckpointState::find(const std::string &name) const {
  for (const CheckpointFile &file : files)
    if (file.name == name)
      return &file;
  return nullptr;
}

std::vector<std::string> ensc::listCheckpoints(const std::string &directory) {
  std::vector<std::string> names;
  std::error_code code;
  fs::directory_iterator next(directory, code), end;
  for (; !code && next != end; next.increment(code)) {
    std::string name = next->path().filename().string();
    if (name.size() >= 12 && name.size() <= 18 &&
        name.find_first_not_of("0123456789") == std::string::npos)
      names.push_back(name);
  }
  std::sort(names.begin(), names.end(), [](const auto &a, const auto &b) {
    return std::pair(a.size(), a) > std::pair(b.size(), b);
  });
  return names;
}

static Expected<CheckpointFile> parseFile(const std::string &path,
                                          const Json &json) {
  std::optional<std::string> name = textOf(findField(json, "name"));
  std::optional<int64_t> bytes = integerOf(findField(json, "bytes"));
  std::optional<int64_t> checksum = integerOf(findField(json, "crc32"));
  std::optional<int64_t> program = integerOf(findField(json, "program"));
  if (!name || !bytes || *bytes < 0 || !checksum || !program)
    return damaged(path + stateName,
                   "a file needs name, bytes, crc32 and program");
  if (name->empty() || name->find('/') != std::string::npos)
    return damaged(path + stateName, "'" + *name + "' is no name of a file");
  return CheckpointFile{*name, static_cast<uint64_t>(*bytes),
                        static_cast<uint32_t>(*checksum), *program};
}

Expected<CheckpointState> ensc::readCheckpointState(const std::string &path) {
  if (isMissing(path + stateName))
    return damaged(path, "it has no state.json");
  Expected<Json> json = readJson(path + stateName);
  if (!json)
    return json.error();
  const Json *fields = findField(*json, "state");
  std::optional<int64_t> checksum = integerOf(findField(*json, "crc32"));
  if (!fields || !fields->is_object() || !checksum)
    return damaged(path + stateName, "expected the fields crc32 and state");
  std::string text = dumpLine(*fields);
  if (crc32Of(text.data(), text.size()) != *checksum)
    return damaged(path + stateName, "its checksum does not fit");
  CheckpointState state;
  state.fields = std::make_shared<Json>(*fields);
  for (const Json &entry : arrayOf(*fields, "files")) {
    Expected<CheckpointFile> file = parseFile(path, entry);
    if (!file)
      return file.error();
    state.files.push_back(*file);
  }
  return state;
}

Expected<Safetensors> ensc::readCheckpointFile(const std::string &path,
                                               const CheckpointFile &file) {
  std::string name = path + "/" + file.name;
  std::error_code code;
  uint64_t bytes = fs::file_size(name, code);
  if (code == std::errc::no_such_file_or_directory)
    return damaged(name, code.message());
  if (code)
    return Error(ErrorKind::Io,
                 "cannot inspect '" + name + "': " + code.message());
  if (bytes != file.bytes)
    return damaged(name, std::to_string(bytes) + " bytes, but " +
                             std::to_string(file.bytes) + " were written");
  Expected<uint32_t> checksum = crc32OfFile(name);
  if (!checksum)
    return checksum.error();
  if (*checksum != file.checksum)
    return damaged(name, "its checksum does not fit");
  return readSafetensors(name);
}

Expected<CheckpointFile> ensc::writeCheckpointFile(const std::string &path,
                                                   const std::string &name,
                                                   const Safetensors &content) {
  std::string target = path + "/" + name;
  if (Status status = writeSafetensors(target, content); !status)
    return status.error();
  Expected<uint32_t> checksum = crc32OfFile(target);
  if (!checksum)
    return checksum.error();
  std::error_code code;
  CheckpointFile file{name, fs::file_size(target, code), *checksum, -1};
  if (code)
    return Error(ErrorKind::Io,
                 "cannot inspect '" + target + "': " + code.message());
  return file;
}

Status ensc::writeCheckpointState(const std::string &path, Json fields,
                                  const std::vector<CheckpointFile> &files) {
  Json &list = fields["files"] = Json::array();
  for (const CheckpointFile &file : files)
    list.push_back({{"name", file.name},
                    {"bytes", file.bytes},
                    {"crc32", file.checksum},
                    {"program", file.program}});
  std::string text = dumpLine(fields);
  uint32_t checksum = crc32Of(text.data(), text.size());
  return writeFileAtomically(path + stateName,
                             "{\"crc32\":" + std::to_string(checksum) +
                                 ",\"state\":" + text + "}\n");
}
