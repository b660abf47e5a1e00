//===- Philox.h - Constants of Philox4x32-10 --------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constants of the counter-based generator of Salmon et al., "Parallel
// Random Numbers: As Easy as 1, 2, 3" (2011). Free of LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_NUMERICS_PHILOX_H
#define ENSC_NUMERICS_PHILOX_H

#include <cstdint>

namespace ensc::numerics {

struct PhiloxConstants {
  static constexpr int rounds = 10;
  /// Multiplies counter words 0 and 2.
  static constexpr uint32_t multiplier[2] = {0xD2511F53u, 0xCD9E8D57u};
  /// Added to the key words after every round.
  static constexpr uint32_t weyl[2] = {0x9E3779B9u, 0xBB67AE85u};
};

} // namespace ensc::numerics

#endif // ENSC_NUMERICS_PHILOX_H
