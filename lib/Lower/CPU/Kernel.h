//===- Kernel.h - What the emitters of one function share -------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is emitted as one `llvm.func` whose body holds `scf` loops over i64,
// `arith` and `math` on scalars and 1-D vectors, and loads and stores through
// `llvm.ptr`: pointers keep memref descriptors and their conversion out of the
// way, which halves the time that MLIR takes.
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_KERNEL_H
#define ENSC_LIB_LOWER_CPU_KERNEL_H

#include "IndexMath.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"
#include "ensc/Lower/CPU/Target.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <memory>

namespace ensc::cpu {

/// The most lanes of a vector: as many f32 as the widest register holds, and
/// what LLVM splits cleanly where registers are narrower.
constexpr int64_t maxWidth = 16;

/// Where a memref of the phase program lives.
struct Buffer {
  mlir::Value base;
  int64_t byteOffset = 0;
  mlir::MemRefType type;
  /// Whether elements are aligned to their size. The caller's records are not.
  bool isAligned = true;

  /// What a load or store of an element may claim.
  unsigned alignment() const;
};

/// Keeps scratch memory from others until it goes.
class ScratchGuard {
public:
  ScratchGuard(int64_t &top, int64_t begin) : top_(top), begin_(begin) {}
  ~ScratchGuard() { top_ = begin_; }

private:
  int64_t &top_;
  int64_t begin_;
};
using Scratch = std::pair<Buffer, std::unique_ptr<ScratchGuard>>;

/// Rows of a buffer, one for each lane, which begin anywhere.
struct Rows {
  Buffer buffer;
  Index begin;
  int64_t width;
  /// What each lane adds to where its row begins, if that is no linear form. In
  /// memory, since taking lanes out of a register occupies the shuffles that
  /// transposing rows needs.
  std::optional<Scratch> offsets;
};

/// The function under emission.
class Kernel {
public:
  Kernel(mlir::ImplicitLocOpBuilder &builder, mlir::Block *entry,
         const Target &target)
      : builder(builder), math(builder, entry), target(target) {}

  mlir::ImplicitLocOpBuilder &builder;
  IndexMath math;
  const Target &target;

  /// For people: the register tiles of each contraction.
  llvm::SmallVector<std::string> tiles;

  /// Buffers by their value in the phase program.
  llvm::DenseMap<mlir::Value, Buffer> buffers;

  using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      const Index &, mlir::ValueRange)>;

  /// Runs `body` for `begin`, `begin + step`, ... below `end`, handing the
  /// values that it returns to the next iteration. A single iteration makes no
  /// loop. Returns what the last one returned.
  llvm::SmallVector<mlir::Value> emitLoop(int64_t begin, int64_t end,
                                          int64_t step,
                                          mlir::ValueRange initial,
                                          LoopBody body);

  /// The same over each index of `extents`, the last one innermost. `body` is
  /// not run at all if one extent is 0.
  llvm::SmallVector<mlir::Value> emitLoops(
      llvm::ArrayRef<int64_t> extents, mlir::ValueRange initial,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(llvm::ArrayRef<Index>,
                                                        mlir::ValueRange)>
          body);

  /// The row-major position that the indices mean in a buffer.
  Index position(const Buffer &buffer, llvm::ArrayRef<Index> indices);

  /// Loads the elements at `position`: a scalar if that is uniform, otherwise a
  /// vector of `width`.
  mlir::Value load(const Buffer &buffer, const Index &position, int64_t width);

  /// The rows that begin where the lanes of `position` are.
  Rows rowsAt(const Buffer &buffer, Index position, int64_t width);
  /// Of each of the rows as many elements as there are rows, from `column` on.
  llvm::SmallVector<mlir::Value> loadRows(const Rows &rows,
                                          const Index &column);

  /// Stores a scalar or vector; a vector at a position that is not contiguous
  /// goes lane by lane, in ascending order.
  void store(mlir::Value value, const Buffer &buffer, const Index &position,
             int64_t width);

  /// Memory for `elements` elements. It lies behind the arena of Schedule.
  Scratch scratch(int64_t elements, mlir::Type element);

  /// Where the arena is, and how much of it is taken.
  void setArena(mlir::Value arena, int64_t bytes);
  /// Bytes of the arena with all scratch memory.
  int64_t arenaBytes() const { return arenaBytes_; }

  /// One element of a vector; the vector with another element in a lane; lanes
  /// of two vectors, those of the second counted on.
  mlir::Value extract(mlir::Value vector, int64_t lane);
  mlir::Value insert(mlir::Value element, mlir::Value vector, int64_t lane);
  mlir::Value shuffle(mlir::Value a, mlir::Value b,
                      llvm::ArrayRef<int32_t> lanes);

  /// A scalar in each lane; a vector as it is.
  mlir::Value splat(mlir::Value value, int64_t width);

private:
  mlir::Value address(const Buffer &buffer, const Index &position,
                      mlir::Value lane, int64_t laneConstant);
  mlir::Value loadAt(mlir::Value pointer, const Buffer &buffer, int64_t width);
  mlir::Value gather(const Buffer &buffer, const Index &position,
                     int64_t width);

  mlir::Value arena_;
  int64_t scratchTop_ = 0, arenaBytes_ = 0;
};

/// The element type in memory: i1 takes a byte, unsigned types have no sign.
mlir::Type storedTypeOf(mlir::Type element);

/// Bytes of an element in memory.
int64_t bytesOf(mlir::Type element);

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_KERNEL_H
