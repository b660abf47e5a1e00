//===- Request.h - What a peer says -----------------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_ASKTELL_REQUEST_H
#define ENSC_LIB_ASKTELL_REQUEST_H

#include "ensc/API/Error.h"
#include "ensc/Artifact/JsonLines.h"

#include <nlohmann/json.hpp>

namespace ensc {

/// A line of the peer.
struct Request {
  enum Kind {
    Ask,      ///< {"ask": {COLUMN: VALUE, ...}, "id": ID}
    Train,    ///< {"train": true}
    Stop,     ///< {"stop": ID}
    Continue, ///< {"continue": true}
    From,     ///< {"from": BATCHES}
    Finish,   ///< {"finish": true}
  };
  Kind kind = Ask;
  Json id;             ///< Text or an integer.
  Json row;            ///< An object.
  int64_t batches = 0; ///< Not negative.
};

Expected<Request> parseRequest(const std::string &line);

} // namespace ensc

#endif // ENSC_LIB_ASKTELL_REQUEST_H
