//===- ABI.h - How compiled code is called ------------------------*- C -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/* Plain C, so that a program without LLVM and without C++ can call a compiled
 * entry. Everything a kernel touches is named in here. */

#ifndef ENSC_RUNTIME_ABI_H
#define ENSC_RUNTIME_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every incompatible change of what follows. */
#define ENSC_ABI_VERSION 1

/* What one call of an entry works on: a group of `lanes` runs (1 in a solo
 * instance). Runs of a group are independent: a group that is not full repeats
 * the inputs of one of its runs and gives the results of the repetitions memory
 * that nobody reads. */
typedef struct ensc_group {
  uint32_t abi_version; /* ENSC_ABI_VERSION */
  uint32_t lanes;       /* runs in the group, as compiled */
  /* For each argument of the entry in order: one pointer if all runs share it,
   * `lanes` pointers otherwise. Each points at the elements, row-major. What
   * all runs share is aligned to its element type; what each run has of its own
   * may lie anywhere, as may results. */
  const void *const *arguments;
  /* For each result of the entry in order: `lanes` pointers, row-major. A
   * result may be the memory of an argument. */
  void *const *results;
  const int64_t *run_ids; /* the global number of each run of the group */
  void *arena;            /* scratch memory, aligned to 64 bytes */
} ensc_group;

/* Runs the steps [begin, end) of an entry that has steps, where begin is not
 * negative; other entries ignore both. Returns the step reached. Compiled code
 * does not allocate and does not fail; what interprets an entry instead returns
 * -1 if it cannot, and then leaves the results as they are. May be called from
 * several threads with different groups. */
typedef int64_t (*ensc_entry)(const ensc_group *group, int64_t begin,
                              int64_t end);

#ifdef __cplusplus
} /* extern "C" */

static_assert(sizeof(void *) == 8, "64-bit targets only");
static_assert(offsetof(ensc_group, arguments) == 8 &&
                  offsetof(ensc_group, results) == 16 &&
                  offsetof(ensc_group, run_ids) == 24 &&
                  offsetof(ensc_group, arena) == 32 && sizeof(ensc_group) == 40,
              "compiled code relies on this layout");
#endif

#endif /* ENSC_RUNTIME_ABI_H */
