//===- Readers.cpp - Every reader of untrusted bytes ----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"

#include "../Experiment/TestExperiment.h"
#include "Request.h"

#include "ensc/Artifact/Csv.h"
#include "ensc/Artifact/JsonLines.h"
#include "ensc/Artifact/Npz.h"
#include "ensc/Artifact/Safetensors.h"
#include "ensc/Data/DataSet.h"
#include "ensc/Experiment/ProgramOptions.h"
#include "ensc/Experiment/Reader.h"
#include "ensc/Learner/Distribution.h"
#include "ensc/Learner/Values.h"
#include "ensc/Plan/Plan.h"
#include "ensc/Runtime/Manifest.h"
#include "ensc/Search/ParseSearch.h"

#include <nlohmann/json.hpp>

using namespace ensc;

namespace {
enum Kind : unsigned char {
  Npy,
  MappedNpy,
  NpzArchive,
  Safetensor,
  CsvText,
  CsvData,
  JsonText,
  JsonLinesText,
  PlanCsv,
  PlanJson,
  ValueText,
  ManifestText,
  ExperimentPlan,
  ExperimentTable,
  ExperimentRecords,
  ExperimentEvents,
  ExperimentCheckpoint,
  PeerLine,
  SearchText,
  KindCount
};
} // namespace

/// Where inputs become files.
static const TemporaryDirectory &directory() {
  static const TemporaryDirectory place;
  return place;
}

static std::string fileOf(std::string_view bytes, const char *name) {
  std::string path = directory().file(name);
  writeBytes(path, std::string(bytes));
  return path;
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

static ManifestValue argument(DType dtype) {
  ManifestValue value;
  value.name = "x";
  value.role = "data";
  value.dtype = dtype;
  value.shape = {2, 2};
  return value;
}

static void readData(const std::string &source) {
  DataOptions options;
  options.training = {source};
  options.mapFrom = 1;
  Expected<DataSet> data = DataSet::open(options);
  if (!data)
    return;
  (void)data->rows({});
  for (DType dtype : {DType::F32, DType::I32, DType::I1})
    (void)data->readRows(argument(dtype));
}

static void readNpz(const std::string &path) {
  Expected<NpzFile> file = NpzFile::open(path);
  if (!file)
    return;
  for (const std::string &key : file->keys()) {
    (void)file->info(key);
    (void)file->read(key);
  }
}

static void readPlan(const std::string &path) {
  PlanFlags flags;
  flags.file = path;
  Expected<Plan> plan = Plan::build(flags);
  if (!plan)
    return;
  Expected<Plan> again = Plan::parseJson(plan->columnsAsJson(), "again", 0);
  (void)again;
}

static void readValues(std::string_view bytes) {
  std::string text(bytes);
  if (Expected<Values> values = Values::parse("--set x", text))
    (void)values->expand(3);
  (void)Assignment::parse("--set", text);
  if (Expected<Distribution> drawn = Distribution::parse("--sample x", text))
    (void)drawn->draw(17);
}

/// An experiment in which one file is not what it should be.
static void readExperiment(const char *name, std::string_view bytes) {
  std::string path = directory().file("experiment");
  writeTestExperiment(path);
  std::filesystem::create_directories(path + "/checkpoints/000000000004");
  writeBytes(path + "/" + name, std::string(bytes));
  if (Expected<ExperimentReader> experiment = ExperimentReader::open(path)) {
    (void)experiment->readTable();
    (void)experiment->readRecords([](const RunRecord &) {});
    (void)experiment->readRecordsOf({0, 2});
    (void)experiment->readEvents();
    (void)experiment->readStates({0, 1});
    (void)experiment->state();
    (void)experiment->created();
    const Json &plan = experiment->plan();
    auto programs = plan.find("programs");
    if (programs != plan.end() && programs->is_array())
      for (const Json &program : *programs)
        (void)compileOptionsFromJson(program);
  }
  std::filesystem::remove_all(path);
}

/// The text of a flag, a line, and the state that a checkpoint keeps.
static void readSearch(std::string_view bytes) {
  size_t end = std::min(bytes.find('\n'), bytes.size());
  std::string flag(bytes.substr(0, end));
  std::string state(bytes.substr(std::min(end + 1, bytes.size())));
  for (Expected<ParsedSearch> parsed :
       {parseHalving(flag), parsePopulation(flag, /*seed=*/0)})
    if (parsed && parsed->search)
      (void)parsed->search->load(state);
}

void ensc::test::readInput(std::string_view input) {
  if (input.empty())
    return;
  auto kind = static_cast<unsigned char>(input.front()) % KindCount;
  std::string_view bytes = input.substr(1);
  switch (static_cast<Kind>(kind)) {
  case Npy:
    return (void)readNpy(fileOf(bytes, "x.npy"));
  case MappedNpy:
    return readData("x=" + fileOf(bytes, "x.npy"));
  case NpzArchive:
    return readNpz(fileOf(bytes, "x.npz"));
  case Safetensor:
    return (void)readSafetensors(fileOf(bytes, "x.safetensors"));
  case CsvText:
    return (void)parseCsv(bytes);
  case CsvData:
    return readData(fileOf(bytes, "x.csv"));
  case JsonText:
    return (void)readJson(fileOf(bytes, "x.json"));
  case JsonLinesText:
    return (void)readJsonLines(fileOf(bytes, "x.jsonl"));
  case PlanCsv:
    return readPlan(fileOf(bytes, "plan.csv"));
  case PlanJson:
    return readPlan(fileOf(bytes, "plan.json"));
  case ValueText:
    return readValues(bytes);
  case ManifestText:
    return (void)Manifest::fromJson(std::string(bytes));
  case ExperimentPlan:
    return readExperiment("plan.json", bytes);
  case ExperimentTable:
    return readExperiment("runs.csv", bytes);
  case ExperimentRecords:
    return readExperiment("metrics.csv", bytes);
  case ExperimentEvents:
    return readExperiment("events.jsonl", bytes);
  case ExperimentCheckpoint:
    return readExperiment("checkpoints/000000000004/state.json", bytes);
  case PeerLine:
    return (void)parseRequest(std::string(bytes));
  case SearchText:
    return readSearch(bytes);
  case KindCount:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Seeds
//===----------------------------------------------------------------------===//

static std::string archiveOf(NpzCompression compression) {
  std::string path = directory().file("seed.npz");
  EXPECT_TRUE(writeNpz(path,
                       {{"x", Tensor::of<float>({2, 2}, {1, 2, 3, 4})},
                        {"y", Tensor::of<int32_t>({2}, {0, 1})},
                        {"e", Tensor::zeros(DType::F64, {0, 3})}},
                       compression));
  return readBytes(path);
}

static std::string arrayOf(const Tensor &tensor) {
  std::string path = directory().file("seed.npy");
  EXPECT_TRUE(writeNpy(path, tensor));
  return readBytes(path);
}

static std::string tensorsOf() {
  std::string path = directory().file("seed.safetensors");
  EXPECT_TRUE(writeSafetensors(
      path, {{{"w", Tensor::of<float>({2}, {1, 2})},
              {"b", Tensor::of<bool>({3}, {true, false, true})}},
             {{"key", "value"}}}));
  return readBytes(path);
}

static std::string manifestOf() {
  Manifest manifest;
  manifest.abiVersion = 1;
  manifest.cpu = "x86-64-v3";
  manifest.entries.push_back({"f", {argument(DType::F32)}, {}, {}, {}});
  manifest.learners.push_back({"net", 4, 9, 2, 6, "val_loss", false, "none"});
  return manifest.toJson();
}

std::vector<std::string> ensc::test::seedInputs() {
  std::vector<std::string> inputs;
  auto add = [&](Kind kind, const std::string &bytes) {
    inputs.push_back(std::string(1, static_cast<char>(kind)) + bytes);
  };
  std::string csv = "x0,x1,y\n1,2.5,0\n-1e3,\"nan\",1\n";
  for (Kind kind : {Npy, MappedNpy}) {
    add(kind, arrayOf(Tensor::of<float>({2, 2}, {1, 2, 3, 4})));
    add(kind, arrayOf(Tensor::of<bool>({3}, {true, false, true})));
  }
  add(NpzArchive, archiveOf(NpzCompression::None));
  add(NpzArchive, archiveOf(NpzCompression::Deflate));
  add(Safetensor, tensorsOf());
  for (Kind kind : {CsvText, CsvData})
    add(kind, csv);
  add(JsonText, R"({"a": [1, -2.5e3, "\u00e9\n"], "b": {"c": null}})");
  add(JsonLinesText, "{\"a\": 1}\n{\"b\": [true]}\n{\"torn\"");
  add(PlanCsv, "lr,seed,optimizer,data\n0.1,1,adam,all\n1e-3,2,sgd,fold:0/2\n");
  add(PlanJson, R"([{"lr": 0.1, "seed": 1}, {"lr": 0.2, "batch_size": 8}])");
  add(PlanJson, R"({"lr": [0.1, 0.2], "patience": [3, 4]})");
  for (const char *text : {"x=log:1e-4..1e-1", "0.1,0.2,-3", "3..10",
                           "choice:1,2,3", "uniform:0..1"})
    add(ValueText, text);
  add(ManifestText, manifestOf());
  add(ExperimentPlan, testPlan);
  add(ExperimentTable,
      "run,seed,lr,status,reason,steps,final_loss,best_loss,"
      "final_val_accuracy,best_val_accuracy\n0,5,0.1,completed,,4,1,1,nan,1\n");
  add(ExperimentRecords, testMetrics);
  add(ExperimentEvents, "{\"time\":1,\"event\":\"started\"}\n");
  add(ExperimentCheckpoint,
      R"({"tick":4,"files":[{"name":"0.safetensors","crc32":0,"program":0}]})");
  add(PeerLine, R"({"ask": {"lr": 0.1}, "id": "a"})");
  add(PeerLine, R"({"from": 3})");
  add(SearchText, "3,first=2\n{\"rung\":1}");
  add(SearchText, "every=2,fraction=0.2,perturb=lr:0.8..1.25\n{}");
  return inputs;
}
