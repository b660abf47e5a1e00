//===- ReadStates.cpp - States of runs from files -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckpointFiles.h"
#include "Layout.h"

#include "ensc/Experiment/JsonFields.h"
#include "ensc/Experiment/Reader.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

using namespace ensc;

/// The state of the run in `slot` of an ensemble, without a leading dimension.
static Safetensors stateOfSlot(const Safetensors &ensemble, int64_t slot) {
  static const std::string prefix = "state.";
  Safetensors state;
  for (const NamedTensor &named : ensemble.tensors) {
    Shape shape = named.tensor.shape();
    if (named.name.compare(0, prefix.size(), prefix) != 0 || shape.empty() ||
        slot >= shape.front())
      continue;
    shape.erase(shape.begin());
    Tensor tensor = Tensor::zeros(named.tensor.dtype(), shape);
    size_t size = tensor.sizeInBytes();
    if (size)
      std::copy_n(static_cast<const char *>(named.tensor.bytes()) + slot * size,
                  size, static_cast<char *>(tensor.bytes()));
    state.tensors.push_back({named.name.substr(prefix.size()), tensor});
  }
  return state;
}

Expected<std::map<int64_t, Safetensors>>
ensc::readCheckpointStates(const std::string &path,
                           const std::set<int64_t> &runs) {
  std::map<int64_t, Safetensors> states;
  Expected<CheckpointState> checkpoint = readCheckpointState(path);
  if (!checkpoint)
    return checkpoint.error();
  for (const CheckpointFile &file : checkpoint->files) {
    if (file.program < 0)
      continue;
    Expected<Safetensors> ensemble = readCheckpointFile(path, file);
    if (!ensemble)
      return ensemble.error();
    const Tensor *ids = ensemble->find("run");
    if (!ids || ids->dtype() != DType::I64 || ids->rank() != 1)
      return Error(ErrorKind::InvalidData,
                   path + "/" + file.name + ": it has no runs");
    for (int64_t slot = 0; slot < ids->size(); ++slot) {
      int64_t run = ids->data<int64_t>()[slot];
      if (runs.count(run))
        states[run] = stateOfSlot(*ensemble, slot);
    }
  }
  return states;
}

/// The error about a run of which there is neither file nor checkpoint.
static Error hasNoState(const ExperimentReader &experiment, int64_t run) {
  std::string status = "pending";
  Expected<CsvTable> table = experiment.readTable();
  std::optional<size_t> runs = table ? table->column("run") : std::nullopt;
  std::optional<size_t> column = table ? table->column("status") : std::nullopt;
  if (runs && column)
    for (const std::vector<std::string> &row : table->rows)
      if (row[*runs] == std::to_string(run))
        status = row[*column];
  bool hasEnded = status != "pending" && status != "running";
  return Error(ErrorKind::InvalidArgument,
               "run " + std::to_string(run) +
                   (hasEnded ? " has no state: it has ended, but its files "
                               "were not kept, and there is no checkpoint of it"
                             : " has no state yet: it has not ended, and there "
                               "is no checkpoint of it"));
}

Expected<std::vector<Safetensors>>
ExperimentReader::readStates(const std::vector<int64_t> &runs) const {
  Layout layout{path_, runs_};
  std::map<int64_t, Safetensors> states;
  std::set<int64_t> missing;
  for (int64_t run : runs) {
    if (run < 0 || run >= runs_)
      return Error(ErrorKind::InvalidArgument,
                   "there is no run " + std::to_string(run) +
                       "; the experiment has " + std::to_string(runs_));
    if (states.count(run))
      continue;
    if (!hasFinalState(run)) {
      missing.insert(run);
      continue;
    }
    Expected<Safetensors> state = readSafetensors(layout.finalState(run));
    if (!state)
      return Error(state.error().kind(),
                   state.error().message() +
                       "; where a checkpoint has it, the command that trained "
                       "it writes it again");
    states[run] = std::move(*state);
  }
  // A checkpoint that is damaged may not be the only one. What runs did until
  // different ones does not belong together.
  for (const std::string &name : checkpoints()) {
    if (missing.empty())
      break;
    Expected<std::map<int64_t, Safetensors>> found =
        readCheckpointStates(layout.checkpoint(name), missing);
    if (!found)
      continue;
    states.merge(*found);
    break;
  }
  std::vector<Safetensors> result;
  for (int64_t run : runs) {
    if (!states.count(run))
      return hasNoState(*this, run);
    result.push_back(states[run]);
  }
  return result;
}

Expected<Safetensors> ExperimentReader::readState(int64_t run) const {
  Expected<std::vector<Safetensors>> states = readStates({run});
  if (!states)
    return states.error();
  return std::move(states->front());
}

Expected<std::map<int64_t, std::map<std::string, double>>>
ExperimentReader::readChangedHypers() const {
  // Where a search decides, a line that cannot be read may be a change.
  const Json *search = findField(*plan_, "search");
  bool mayBeDamaged = !search || search->empty();
  Layout layout{path_, runs_};
  std::error_code code;
  Expected<std::vector<Json>> events =
      mayBeDamaged || !std::filesystem::exists(layout.events(), code)
          ? readEvents()
          : readJsonLines(layout.events());
  if (!events)
    return events.error();
  std::map<int64_t, std::map<std::string, double>> changed;
  for (const Json &event : *events) {
    std::optional<std::string> name = textOf(findField(event, "name"));
    std::optional<double> value = numberOf(findField(event, "value"));
    if (textOf(findField(event, "event")) != "changed" || !name || !value)
      continue;
    for (const Json &entry : arrayOf(event, "runs"))
      if (std::optional<int64_t> run = integerOf(&entry))
        changed[*run][*name] = *value;
  }
  return changed;
}
