//===- LargeStack.h - Work that recurses deeply -----------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_API_LARGESTACK_H
#define ENSC_LIB_API_LARGESTACK_H

#include "llvm/Support/thread.h"

#include <optional>
#include <type_traits>
#include <utility>

namespace ensc {

/// The stack of threads that compile: MLIR and LLVM recurse with the nesting of
/// a program, and the caller's stack may be small. Memory is only reserved.
constexpr std::optional<unsigned> compilingStackBytes = 256 << 20;

/// Does `work` on a thread with such a stack and gives its result.
template <typename Work> std::invoke_result_t<Work> onLargeStack(Work work) {
  std::optional<std::invoke_result_t<Work>> result;
  llvm::thread thread(compilingStackBytes, [&] { result.emplace(work()); });
  thread.join();
  return std::move(*result);
}

} // namespace ensc

#endif // ENSC_LIB_API_LARGESTACK_H
