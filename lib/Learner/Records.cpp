//===- Records.cpp - The state of all runs --------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Learner/Records.h"

#include "ensc/API/Allocate.h"

#include <cmath>
#include <cstdint>
#include <cstring>

using namespace ensc;

Expected<Records> Records::create(const ManifestEntry &init, int64_t runs) {
  Records records;
  records.runs_ = runs;
  size_t bytes = 0;
  for (const ManifestValue &result : init.results) {
    records.leaves_.push_back({result.name, result.dtype, result.shape, bytes});
    bytes += numElements(result.shape) * sizeOf(result.dtype);
  }
  records.recordBytes_ = bytes;
  Expected<std::shared_ptr<void>> memory =
      allocateAligned(bytes * runs, "the state of " + std::to_string(runs) +
                                        " runs; use fewer runs at a time");
  if (!memory)
    return memory.error();
  records.memory = std::move(*memory);
  std::memset(records.memory.get(), 0, bytes * runs);
  return records;
}

std::optional<RunMemory> Records::find(const std::string &name) const {
  for (const Leaf &leaf : leaves_)
    if (leaf.name == name)
      return RunMemory{static_cast<char *>(memory.get()) + leaf.offset,
                       recordBytes_};
  return std::nullopt;
}

Tensor Records::view(int64_t run, const Leaf &leaf) const {
  return Tensor::borrow(leaf.dtype, leaf.shape, bytesOf(run, leaf));
}

void *Records::bytesOf(int64_t run, const Leaf &leaf) const {
  return static_cast<char *>(record(run)) + leaf.offset;
}

/// Whether no exponent is all ones. Reads through memcpy: records are not
/// padded, so an f64 may lie anywhere. Looks at all of them, which is faster
/// than to stop at the first one.
template <typename Bits>
static bool allFinite(const void *bytes, int64_t count, Bits exponent) {
  Bits found = 0;
  for (int64_t i = 0; i < count; ++i) {
    Bits value;
    std::memcpy(&value, static_cast<const char *>(bytes) + i * sizeof(Bits),
                sizeof(Bits));
    found |= Bits((value & exponent) == exponent);
  }
  return !found;
}

/// The first number of which allFinite says that it exists.
template <typename Float>
static double firstBad(const void *bytes, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    Float value;
    std::memcpy(&value, static_cast<const char *>(bytes) + i * sizeof(Float),
                sizeof(Float));
    if (!std::isfinite(value))
      return static_cast<double>(value);
  }
  return 0.0;
}

std::optional<BadNumber> Records::findBadNumber(int64_t run) const {
  for (const Leaf &leaf : leaves_) {
    const void *bytes = bytesOf(run, leaf);
    int64_t count = numElements(leaf.shape);
    if (leaf.dtype == DType::F32 &&
        !allFinite<uint32_t>(bytes, count, 0x7f800000))
      return BadNumber{&leaf, firstBad<float>(bytes, count)};
    if (leaf.dtype == DType::F64 &&
        !allFinite<uint64_t>(bytes, count, 0x7ff0000000000000))
      return BadNumber{&leaf, firstBad<double>(bytes, count)};
  }
  return std::nullopt;
}
