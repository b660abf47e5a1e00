//===- Peak.h - What this CPU could do at most ------------------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_RUNTIME_PEAK_H
#define ENSC_RUNTIME_PEAK_H

namespace ensc {

/// The rate at which `threads` threads of this process, at most one per core,
/// perform fused multiply-adds on f32, in floating-point operations per second
/// (a multiply-add counts two), measured now: independent chains in registers,
/// the widest vectors of the CPU, the best of several repetitions of a few
/// milliseconds each. The denominator of every fraction of peak.
double measurePeakFlops(int threads);

} // namespace ensc

#endif // ENSC_RUNTIME_PEAK_H
