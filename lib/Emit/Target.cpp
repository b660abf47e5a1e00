//===- Target.cpp - The CPU that code is made for -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Emit/Target.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

using namespace ensc;

bool ensc::initializeTarget() {
  // LLVM's registry of targets has no lock.
  static const bool failed = llvm::InitializeNativeTarget() ||
                             llvm::InitializeNativeTargetAsmPrinter();
  return !failed;
}

static llvm::Expected<const llvm::Target *> lookupTarget() {
  if (!initializeTarget())
    return llvm::createStringError("LLVM was built without this CPU");
  std::string message;
  llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return llvm::createStringError(message);
  return target;
}

static std::string hostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.getKey(), feature.getValue());
  return features.getString();
}

llvm::Expected<TargetCpu> ensc::resolveCpu(llvm::StringRef name) {
  llvm::Expected<const llvm::Target *> target = lookupTarget();
  if (!target)
    return target.takeError();
  TargetCpu cpu;
  if (name == "native") {
    cpu.name = llvm::sys::getHostCPUName().str();
    cpu.features = hostFeatures();
  } else {
    cpu.name = name.str();
  }
  llvm::Triple triple(llvm::sys::getProcessTriple());
  // A generic CPU exists for every target and asks no question about the name.
  std::unique_ptr<llvm::MCSubtargetInfo> generic(
      (*target)->createMCSubtargetInfo(triple, "", ""));
  if (!generic->isCPUStringValid(cpu.name))
    return llvm::createStringError(
        "unknown CPU '%s'; expected native or a name that LLVM knows, such as "
        "x86-64-v3, x86-64-v4, znver4 or skylake-avx512",
        cpu.name.c_str());
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      (*target)->createMCSubtargetInfo(triple, cpu.name, cpu.features));
  if (!info->checkFeatures("+avx2,+fma"))
    return llvm::createStringError(
        "CPU '%s' lacks AVX2 or fused multiply-add, which compiled code needs",
        cpu.name.c_str());
  cpu.hasAvx512 =
      info->checkFeatures("+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl");
  return cpu;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
ensc::createTargetMachine(const TargetCpu &cpu) {
  llvm::Expected<const llvm::Target *> target = lookupTarget();
  if (!target)
    return target.takeError();
  llvm::TargetOptions options;
  // A product and a sum that the program writes apart stay apart.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine((*target)->createTargetMachine(
      llvm::Triple(llvm::sys::getProcessTriple()), cpu.name, cpu.features,
      options, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Default));
  if (!machine)
    return llvm::createStringError("no code generator for CPU '%s'",
                                   cpu.name.c_str());
  return machine;
}
