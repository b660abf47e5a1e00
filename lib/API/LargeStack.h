//===- LargeStack.h - Work that recurses deeply -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_API_LARGESTACK_H
#define ENSC_LIB_API_LARGESTACK_H

#include "ensc/Runtime/Thread.h"

#include <optional>
#include <type_traits>
#include <utility>

namespace ensc {

/// The stack of threads that compile: MLIR and LLVM recurse with the nesting of
/// a program, and the caller's stack may be small. Memory is only reserved.
constexpr size_t compilingStackBytes = 256 << 20;

/// Does `work` on a thread with such a stack and gives its result, or the error
/// that there is no such thread.
template <typename Work> std::invoke_result_t<Work> onLargeStack(Work work) {
  std::optional<std::invoke_result_t<Work>> result;
  {
    Expected<Thread> thread =
        Thread::start([&] { result.emplace(work()); }, compilingStackBytes);
    if (!thread)
      return thread.error();
  }
  return std::move(*result);
}

} // namespace ensc

#endif // ENSC_LIB_API_LARGESTACK_H
