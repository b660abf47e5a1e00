//===- ByteSource.cpp - Streams of known length ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Artifact/ByteSource.h"

using namespace ensc;

ByteSource::~ByteSource() = default;

Status FileRange::read(void *to, uint64_t size) {
  if (size > remaining_)
    return Error(ErrorKind::InvalidData,
                 "truncated: " + std::to_string(size) + " bytes expected, " +
                     std::to_string(remaining_) + " left");
  if (Status status = file_->readAt(offset_, to, size); !status)
    return status;
  offset_ += size;
  remaining_ -= size;
  return Status::success();
}
