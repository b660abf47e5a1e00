//===- Jit.cpp - Code in this process -------------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Execution/Jit.h"

#include "ensc/Emit/Target.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ensc;

struct Jit::Impl {
  std::unique_ptr<llvm::orc::LLJIT> engine;
};

Jit::Jit(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Jit::~Jit() = default;

static Error asError(llvm::Error error) {
  return Error(ErrorKind::Internal, "loading compiled code failed: " +
                                        llvm::toString(std::move(error)));
}

Expected<std::unique_ptr<Jit>>
Jit::load(llvm::ArrayRef<llvm::StringRef> objects) {
  if (!initializeTarget())
    return Error(ErrorKind::Internal, "LLVM was built without this CPU");
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> engine =
      llvm::orc::LLJITBuilder().create();
  if (!engine)
    return asError(engine.takeError());
  // Kernels call nothing but memcpy and memset, which the process has.
  for (llvm::StringRef object : objects)
    if (llvm::Error error = (*engine)->addObjectFile(
            llvm::MemoryBuffer::getMemBufferCopy(object, "ensc")))
      return asError(std::move(error));
  auto impl = std::make_unique<Impl>();
  impl->engine = std::move(*engine);
  return std::unique_ptr<Jit>(new Jit(std::move(impl)));
}

Expected<void *> Jit::lookup(const std::string &symbol) {
  llvm::Expected<llvm::orc::ExecutorAddr> address =
      impl->engine->lookup(symbol);
  if (!address)
    return asError(address.takeError());
  return address->toPtr<void *>();
}

Expected<Program> ensc::loadProgram(Manifest manifest,
                                    llvm::ArrayRef<llvm::StringRef> objects) {
  Expected<std::unique_ptr<Jit>> jit = Jit::load(objects);
  if (!jit)
    return jit.error();
  std::shared_ptr<Jit> owner = std::move(*jit);
  return Program::link(std::move(manifest), owner,
                       [&](const std::string &symbol) -> void * {
                         Expected<void *> address = owner->lookup(symbol);
                         return address ? *address : nullptr;
                       });
}
