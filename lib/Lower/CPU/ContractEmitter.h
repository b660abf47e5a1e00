//===- ContractEmitter.h - Contractions in register tiles -------*- C++ -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per tile: a loop over the contracted dimensions that carries one accumulator
// per point of the tile, each a vector, then the epilogue at each point.
//
//   ContractEmitter.cpp   which dimensions are tiled, and the loops over tiles
//   ContractSums.cpp      the sums of a tile
//   ContractEpilogue.cpp  what becomes of the sums
//   ContractOverlap.cpp   epilogues among the steps of the next tile
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_LIB_LOWER_CPU_CONTRACTEMITTER_H
#define ENSC_LIB_LOWER_CPU_CONTRACTEMITTER_H

#include "AccessAnalysis.h"
#include "EpilogueStages.h"
#include "PanelPacker.h"
#include "PhaseEmitter.h"
#include "TileBody.h"
#include "ensc/Lower/CPU/TileSolver.h"

namespace ensc::cpu {

/// Emits one `ens.contract`.
class ContractEmitter {
public:
  ContractEmitter(BodyEmitter &root, ens::ContractOp contract)
      : root_(root), kernel_(root.kernel()), contract_(contract),
        factors_(contract.getFactors().front()),
        epilogue_(contract.getEpilogue().front()),
        domain_(contract.getDomain()), over_(contract.getOver()),
        analysis_(factors_) {}

  mlir::LogicalResult emit();

private:
  /// Rows and columns of a tile; the accumulator of (row, column) has the
  /// number row * columns + column.
  using Shape = std::pair<int64_t, int64_t>;

  /// Tiles of `columns` columns that follow one another: `count` of them, whose
  /// first indices are `begin`, `begin + step`, ...
  struct ColumnLoop {
    int64_t begin, step, count, columns;
  };

  /// The sums of a tile in memory, whose epilogues run among the steps of the
  /// tile after it.
  struct WaitingTile {
    Buffer sums;
    int64_t width;
    Shape shape;
    Index firstRow, firstColumn;
    /// How many turns of the next tile have points of it.
    mlir::Value turns;
  };

  /// When the epilogues of the tiles of a pair of cuts run.
  enum class EpilogueOrder { AfterEachTile, AfterSeveralTiles, AmongSteps };

  bool hasLanes() { return contract_.getLanes(); }
  mlir::Operation *yield() { return factors_.getTerminator(); }
  bool bothVectorAndColumn() const { return columnDim_ == vectorDim_; }

  // The choice of dimensions, and the loops over tiles.
  void chooseDims();
  double costAlong(unsigned dim);
  std::optional<unsigned> lastDimOf(uint64_t side, uint64_t otherSide);
  void emitStretch(const VectorStretch &stretch);
  TilePlan chooseTiles(TileProblem problem);
  void emitTiles(const VectorStretch &stretch);
  double cyclesPerRow();
  void noteTiles(const TilePlan &plan, int64_t width);
  void emitColumns(
      int64_t width, const ColumnLoop &loop, mlir::ValueRange initial,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>
          emitRows);
  void emitRowTiles(int64_t width, const TileCut &rows, int64_t columns);

  // Points of a tile.
  llvm::SmallVector<Index> pointAt(int64_t width, const Index &row,
                                   const Index &column);
  TileBody tileBody(mlir::Block &block, int64_t width, Shape shape,
                    Index firstRow, Index firstColumn);
  TileBody factorsOf(int64_t width, Shape shape);

  // Sums.
  llvm::SmallVector<mlir::Value> emitSums(TileBody &tile);
  llvm::SmallVector<mlir::Value> emitBlocks(TileBody &tile, size_t firstInner,
                                            llvm::ArrayRef<Index> outer,
                                            mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> emitChain(TileBody &tile,
                                           llvm::ArrayRef<Index> outer,
                                           const Index &start,
                                           llvm::ArrayRef<int64_t> extents);
  llvm::SmallVector<mlir::Value>
  emitStep(TileBody &tile, llvm::ArrayRef<Index> over, mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> splats(double value, TileBody &tile);
  bool isOneChainInOneLoop();
  int64_t countConflicts(TileBody &tile, int64_t steps);

  // Epilogues.
  void emitEpilogues(mlir::ValueRange sums, int64_t width, Shape shape);
  void emitEpilogue(mlir::ValueRange sums, int64_t width, Shape shape,
                    const Index &firstRow, const Index &firstColumn);
  void emitEpiloguesFromMemory(const Buffer &sums, int64_t width, Shape shape);
  void storeSums(mlir::ValueRange sums, const Buffer &buffer,
                 const Index &first, int64_t width);
  mlir::Value loadSum(const Buffer &buffer, const Index &number, int64_t width);
  bool shouldDelayEpilogues();
  EpilogueOrder orderOf(const TilePlan &plan, const TileCut &rows,
                        const TileCut &columns, int64_t width);
  int64_t tilesPerBatch(int64_t width, Shape shape);
  void emitBatchedRowTiles(int64_t width, const TileCut &rows, int64_t columns);
  void emitBatches(int64_t width, const TileCut &rows, int64_t columns,
                   int64_t tiles);

  // Epilogues among the steps of the next tile: with 16 registers the
  // accumulators would be spilled at every point.
  bool hasRegistersToOverlap() const { return kernel_.target.registers >= 32; }
  void emitOverlapped(int64_t width, const TileCut &rows,
                      const ColumnLoop &columns, bool inAllColumns);
  llvm::SmallVector<mlir::Value>
  emitOverlappedTiles(const Buffer &sums, int64_t width, const TileCut &rows,
                      const ColumnLoop &columns, mlir::ValueRange waiting);
  int64_t pointsPerTurn(Shape shape) const;
  bool overlaps(const TilePlan &plan, const TileCut &rows,
                const TileCut &columns);
  Index currentColumn();
  void moveTo(const Index &row, const Index &column);
  BodyEmitter enterWaitingPoint(const Index &point);
  llvm::SmallVector<mlir::Value> emitHead(const Index &point);
  void emitTail(mlir::Value point, mlir::ValueRange handedOn);
  llvm::SmallVector<mlir::Value> nothingDue();
  llvm::SmallVector<mlir::Value> emitWaitingEpilogues(const Index &turn,
                                                      mlir::ValueRange due);
  llvm::SmallVector<mlir::Value> emitSteps(mlir::Value begin, mlir::Value end,
                                           int64_t most, int64_t trips,
                                           mlir::ValueRange initial,
                                           Kernel::LoopBody emitOneStep);
  llvm::SmallVector<mlir::Value>
  emitStepsWithEpilogues(mlir::ValueRange initial,
                         Kernel::LoopBody emitOneStep);

  BodyEmitter &root_;
  Kernel &kernel_;
  ens::ContractOp contract_;
  mlir::Block &factors_, &epilogue_;
  llvm::ArrayRef<int64_t> domain_, over_;
  AccessAnalysis analysis_;

  /// Nothing where there is no such dimension. With lanes the vector is the
  /// last dimension; without it may be the column, too.
  std::optional<unsigned> vectorDim_, rowDim_, columnDim_;
  std::optional<PanelPacker> packer_;
  /// Whether epilogues keep the divider busy.
  bool divides_ = false;
  /// Whether epilogues wait, and how they are cut where they run among steps.
  bool delaysEpilogues_ = false;
  EpilogueStages stages_;
  /// Whether epilogues may run among steps in the tiles under emission.
  bool overlapsTiles_ = false;
  /// First indices of the tile under emission.
  llvm::SmallVector<Index> start_;
  std::optional<WaitingTile> waiting_;
  bool failed_ = false;
};

} // namespace ensc::cpu

#endif // ENSC_LIB_LOWER_CPU_CONTRACTEMITTER_H
