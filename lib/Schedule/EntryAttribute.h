//===- EntryAttribute.h - How a phase program describes itself --*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_SCHEDULE_ENTRYATTRIBUTE_H
#define ENSC_LIB_SCHEDULE_ENTRYATTRIBUTE_H

#include "llvm/ADT/StringRef.h"

namespace ensc::schedule {

/// The attribute of a phase program: name, instance, lanes, arena_bytes,
/// arguments and results of the entry it is an instance of.
inline constexpr llvm::StringLiteral entryAttr = "ens.entry";

} // namespace ensc::schedule

#endif // ENSC_LIB_SCHEDULE_ENTRYATTRIBUTE_H
