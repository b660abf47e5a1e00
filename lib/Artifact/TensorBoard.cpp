//===- TensorBoard.cpp - Event files of TensorBoard -----------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/TensorBoard.h"

#include "LittleEndian.h"

#include "ensc/Artifact/Checksum.h"

#include <cstring>

using namespace ensc;

namespace {
/// Field numbers of the messages, as their definitions have them.
namespace event {
constexpr uint32_t wallTime = 1, step = 2, fileVersion = 3, summary = 5;
}
namespace summary {
constexpr uint32_t value = 1;
}
namespace value {
constexpr uint32_t tag = 1, simpleValue = 2, tensor = 8, metadata = 9;
}
namespace hparams {
constexpr uint32_t sessionStart = 3, sessionEnd = 4;
}

/// A message under construction.
class Message {
public:
  void addInteger(uint32_t field, uint64_t value) {
    addKey(field, 0);
    addVarint(value);
  }
  void addDouble(uint32_t field, double value) {
    addKey(field, 1);
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    appendLittleEndian<uint64_t>(bytes, bits);
  }
  void addFloat(uint32_t field, float value) {
    addKey(field, 5);
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    appendLittleEndian<uint32_t>(bytes, bits);
  }
  /// Text, bytes or another message.
  void addBytes(uint32_t field, std::string_view content) {
    addKey(field, 2);
    addVarint(content.size());
    bytes += content;
  }
  void addMessage(uint32_t field, const Message &message) {
    addBytes(field, message.bytes);
  }

  std::string bytes;

private:
  void addKey(uint32_t field, uint32_t wireType) {
    addVarint(field << 3 | wireType);
  }
  void addVarint(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
  }
};

/// A checksum as records hold it: masked, since they may hold records.
uint32_t maskedChecksum(std::string_view bytes) {
  uint32_t checksum = crc32cOf(bytes);
  return (checksum >> 15 | checksum << 17) + 0xa282ead8u;
}

/// A google.protobuf.Value.
Message makeValue(const std::variant<double, std::string> &value) {
  Message message;
  if (const double *number = std::get_if<double>(&value))
    message.addDouble(2, *number);
  else
    message.addBytes(3, std::get<std::string>(value));
  return message;
}

/// A TensorProto of one float 0: plugins without scalars want some tensor.
Message makeNullTensor() {
  constexpr uint64_t typeFloat = 1;
  Message extent, shape, tensor;
  extent.addInteger(1, 1);
  shape.addMessage(2, extent);
  tensor.addInteger(1, typeFloat);
  tensor.addMessage(2, shape);
  tensor.addFloat(5, 0.0f);
  return tensor;
}
} // namespace

EventFile::EventFile(double time) : time(time) {
  addEvent(0, event::fileVersion, "brain.Event:2");
}

void EventFile::addEvent(int64_t step, uint32_t field,
                         std::string_view content) {
  Message message;
  message.addDouble(event::wallTime, time);
  if (step != 0)
    message.addInteger(event::step, static_cast<uint64_t>(step));
  message.addBytes(field, content);
  std::string length;
  appendLittleEndian<uint64_t>(length, message.bytes.size());
  bytes_ += length;
  appendLittleEndian<uint32_t>(bytes_, maskedChecksum(length));
  bytes_ += message.bytes;
  appendLittleEndian<uint32_t>(bytes_, maskedChecksum(message.bytes));
}

void EventFile::addPluginData(const char *tag, uint32_t field,
                              std::string_view content) {
  Message data, plugin, metadata, value, summary;
  data.addBytes(field, content);
  plugin.addBytes(1, "hparams");
  plugin.addBytes(2, data.bytes);
  metadata.addMessage(1, plugin);
  value.addBytes(value::tag, tag);
  value.addMessage(value::tensor, makeNullTensor());
  value.addMessage(value::metadata, metadata);
  summary.addMessage(summary::value, value);
  addEvent(0, event::summary, summary.bytes);
}

void EventFile::addHypers(const std::vector<EventHyper> &hypers) {
  Message start;
  for (const EventHyper &hyper : hypers) {
    Message entry;
    entry.addBytes(1, hyper.name);
    entry.addMessage(2, makeValue(hyper.value));
    start.addMessage(1, entry);
  }
  start.addDouble(5, time);
  addPluginData("_hparams_/session_start_info", hparams::sessionStart,
                start.bytes);
}

void EventFile::addScalars(int64_t step, const std::vector<std::string> &tags,
                           const double *values) {
  Message summary;
  for (size_t i = 0; i < tags.size(); ++i) {
    Message value;
    value.addBytes(value::tag, tags[i]);
    value.addFloat(value::simpleValue, static_cast<float>(values[i]));
    summary.addMessage(summary::value, value);
  }
  addEvent(step, event::summary, summary.bytes);
}

void EventFile::addEnd(bool failed) {
  constexpr uint64_t success = 1, failure = 2;
  Message end;
  end.addInteger(1, failed ? failure : success);
  end.addDouble(2, time);
  addPluginData("_hparams_/session_end_info", hparams::sessionEnd, end.bytes);
}
