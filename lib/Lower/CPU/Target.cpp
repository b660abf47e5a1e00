//===- Target.cpp - What Lower/CPU needs to know of a CPU -----------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Lower/CPU/Target.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace ensc::cpu;

static bool hasAvx512(llvm::StringRef cpu) {
  if (cpu == "native") {
    llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    return features.lookup("avx512f") && features.lookup("avx512vl");
  }
  if (llvm::X86::parseArchX86(cpu) == llvm::X86::CK_None)
    return false;
  llvm::SmallVector<llvm::StringRef> features;
  llvm::X86::getFeaturesForCPU(cpu, features);
  // What others imply is not listed, as avx512f is not for x86-64-v4.
  return llvm::is_contained(features, "avx512vl");
}

Target ensc::cpu::describeTarget(llvm::StringRef cpu) {
  return hasAvx512(cpu) ? Target{32, 64} : Target{16, 32};
}
