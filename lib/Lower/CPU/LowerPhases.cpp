//===- LowerPhases.cpp - Phase programs to loops over vectors -------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Boundary.h"
#include "PhaseEmitter.h"
#include "StepCost.h"
#include "ensc/Dialect/Ens/IR/ProgramAttributes.h"
#include "ensc/Dialect/Ens/IR/TripCount.h"
#include "ensc/Lower/CPU/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

namespace ensc {
#define GEN_PASS_DEF_LOWERPHASES
#include "ensc/Lower/CPU/Passes.h.inc"
} // namespace ensc

using namespace mlir;
using namespace ensc;
using namespace ensc::cpu;
using ens::entryAttr;

namespace {
/// Emits one function of a phase program as a kernel.
class FunctionEmitter {
public:
  FunctionEmitter(func::FuncOp source, const Target &target)
      : source_(source), target_(target),
        builder_(source.getLoc(), source.getContext()) {}

  LogicalResult emit();

private:
  FailureOr<LLVM::LLVMFuncOp> createKernel();
  LogicalResult checkSignature();
  LogicalResult emitBlock(Block &block);
  LogicalResult emitOp(Operation *op);
  LogicalResult emitFor(scf::ForOp loop);
  LogicalResult emitIf(scf::IfOp branch);
  LogicalResult emitView(memref::ViewOp view);
  LogicalResult emitTable(ens::TableOp table);
  LogicalResult emitReturn(func::ReturnOp op);
  LogicalResult checkDomain(Operation *op, ArrayRef<int64_t> domain,
                            ArrayRef<int64_t> over, bool lanes);

  func::FuncOp source_;
  const Target &target_;
  ImplicitLocOpBuilder builder_;
  DictionaryAttr entry_;
  std::optional<Kernel> kernel_;
  std::optional<BodyEmitter> root_;
  std::optional<Boundary> boundary_;
  Value arena_;
  std::string kernelName_;
  int64_t numTables_ = 0;
};

} // namespace

/// The only rule for symbols: `digits.fit` and `lanes` make `digits_fit_lanes`:
/// a name that C knows.
static std::string symbolOf(StringRef entry, StringRef instance) {
  std::string symbol = entry.str() + "_" + instance.str();
  for (char &c : symbol)
    if (!llvm::isAlnum(c))
      c = '_';
  return symbol;
}

LogicalResult FunctionEmitter::checkSignature() {
  entry_ = source_->getAttrOfType<DictionaryAttr>(entryAttr);
  if (!entry_ || !entry_.getAs<StringAttr>("name") ||
      !entry_.getAs<StringAttr>("instance"))
    return source_.emitOpError("expects the attribute '")
           << entryAttr << "' with a name and an instance: only what Schedule "
           << "makes can be lowered";
  if (auto lanes = entry_.getAs<IntegerAttr>("lanes"))
    if (!llvm::is_contained({1, 8, 16}, lanes.getInt()))
      return source_.emitOpError("expects 8 or 16 lanes, got ")
             << lanes.getInt();
  FunctionType type = source_.getFunctionType();
  bool fits = type.getNumInputs() == 3 && isa<MemRefType>(type.getInput(0)) &&
              type.getInput(1).isIndex() && type.getInput(2).isIndex() &&
              type.getNumResults() == 1 && type.getResult(0).isIndex();
  if (!fits)
    return source_.emitOpError("expects (arena, begin, end) -> index, got ")
           << type;
  return success();
}

FailureOr<LLVM::LLVMFuncOp> FunctionEmitter::createKernel() {
  std::string symbol =
      symbolOf(entry_.getAs<StringAttr>("name").getValue(),
               entry_.getAs<StringAttr>("instance").getValue());
  auto module = source_->getParentOfType<ModuleOp>();
  if (Operation *other = module.lookupSymbol(symbol)) {
    auto diagnostic = source_.emitOpError("becomes the symbol '")
                      << symbol << "', which exists already: rename the entry";
    diagnostic.attachNote(other->getLoc()) << "the other symbol is here";
    return failure();
  }
  Type word = builder_.getI64Type();
  Type pointer = LLVM::LLVMPointerType::get(builder_.getContext());
  kernelName_ = symbol;
  builder_.setInsertionPoint(source_);
  auto kernel = LLVM::LLVMFuncOp::create(
      builder_, symbol,
      LLVM::LLVMFunctionType::get(word, {pointer, word, word}));
  return kernel;
}

LogicalResult FunctionEmitter::emit() {
  if (failed(checkSignature()))
    return failure();
  FailureOr<LLVM::LLVMFuncOp> function = createKernel();
  if (failed(function))
    return failure();
  Block *block = function->addEntryBlock(builder_);
  builder_.setInsertionPointToEnd(block);
  kernel_.emplace(builder_, block, target_);
  root_.emplace(*kernel_, 1);
  boundary_.emplace(*kernel_, block->getArgument(0), entry_);
  arena_ = boundary_->arena();
  auto arenaBytes = entry_.getAs<IntegerAttr>("arena_bytes");
  kernel_->setArena(arena_, arenaBytes ? arenaBytes.getInt() : 0);
  for (unsigned i : {1, 2})
    root_->bind(source_.getArgument(i),
                kernel_->math.atom(block->getArgument(i)));
  if (failed(emitBlock(source_.getBody().front())))
    return failure();
  NamedAttrList entry(entry_);
  entry.set("arena_bytes", builder_.getI64IntegerAttr(kernel_->arenaBytes()));
  SmallVector<StringRef> tiles(kernel_->tiles.begin(), kernel_->tiles.end());
  entry.set("tiles", builder_.getStrArrayAttr(tiles));
  entry.set("cycles_per_step",
            builder_.getI64IntegerAttr(estimateStepCycles(*function, target_)));
  (*function)->setAttr(entryAttr, entry.getDictionary(builder_.getContext()));
  source_.erase();
  return success();
}

LogicalResult FunctionEmitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emitOp(&op)))
      return failure();
  return success();
}

LogicalResult FunctionEmitter::emitOp(Operation *op) {
  builder_.setLoc(op->getLoc());
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ens::MapOp map) {
        return failed(checkDomain(map, map.getDomain(), {}, map.getLanes()))
                   ? failure()
                   : emitMap(*root_, map);
      })
      .Case([&](ens::ContractOp contract) {
        return failed(checkDomain(contract, contract.getDomain(),
                                  contract.getOver(), contract.getLanes()))
                   ? failure()
                   : emitContract(*root_, contract);
      })
      .Case([&](ens::SharedOp s) { return boundary_->emitShared(s); })
      .Case([&](ens::ReadRunsOp r) { return boundary_->emitReadRuns(r); })
      .Case([&](ens::WriteRunsOp w) { return boundary_->emitWriteRuns(w); })
      .Case([&](ens::ReadRunIdsOp r) { return boundary_->emitReadRunIds(r); })
      .Case([&](ens::TableOp table) { return emitTable(table); })
      .Case([&](memref::ViewOp view) { return emitView(view); })
      .Case([&](scf::ForOp loop) { return emitFor(loop); })
      .Case([&](scf::IfOp branch) { return emitIf(branch); })
      .Case([&](scf::YieldOp) { return success(); })
      .Case([&](func::ReturnOp ret) { return emitReturn(ret); })
      .Default([&](Operation *other) { return root_->emit(other); });
}

/// What the emitters rely on beyond the verifiers of the phases.
LogicalResult FunctionEmitter::checkDomain(Operation *op,
                                           ArrayRef<int64_t> domain,
                                           ArrayRef<int64_t> over, bool lanes) {
  constexpr size_t mostDims = 60;
  if (domain.size() + over.size() > mostDims)
    return op->emitOpError("has ")
           << domain.size() + over.size() << " dimensions, at most " << mostDims
           << " can be lowered";
  auto declared = entry_.getAs<IntegerAttr>("lanes");
  if (lanes &&
      (!declared || domain.empty() || domain.back() != declared.getInt()))
    return op->emitOpError("has lanes that are not those of the entry");
  if (auto contract = dyn_cast<ens::ContractOp>(op);
      contract && !contract.getType().isF32() && !contract.getType().isF64())
    return op->emitOpError("sums ")
           << contract.getType() << ", but only f32 and f64 can be";
  return success();
}

LogicalResult FunctionEmitter::emitView(memref::ViewOp view) {
  APInt offset;
  auto type = cast<MemRefType>(view.getType());
  if (view.getSource() != source_.getArgument(0) ||
      !matchPattern(view.getByteShift(), m_ConstantInt(&offset)) ||
      !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !ens::isElementType(type.getElementType()))
    return view.emitOpError("expects a static view of the arena at a constant "
                            "offset");
  kernel_->buffers[view.getResult()] = {arena_, offset.getSExtValue(), type};
  return success();
}

/// The elements as they lie in memory, in a row.
static DenseElementsAttr storedElements(DenseElementsAttr value) {
  Type stored = storedTypeOf(value.getElementType());
  auto row = RankedTensorType::get({value.getNumElements()}, stored);
  if (!value.getElementType().isInteger(1)) {
    if (value.isSplat())
      value = value.resizeSplat(row.clone(value.getElementType()));
    return DenseElementsAttr::getFromRawBuffer(row, value.getRawData());
  }
  SmallVector<int8_t> bytes;
  for (bool element : value.getValues<bool>())
    bytes.push_back(element);
  return DenseElementsAttr::get(row, ArrayRef<int8_t>(bytes));
}

/// A constant becomes read-only memory of the module.
LogicalResult FunctionEmitter::emitTable(ens::TableOp table) {
  auto value = dyn_cast<DenseElementsAttr>(table.getValue());
  auto type = cast<MemRefType>(table.getType());
  if (!value || !ens::isElementType(type.getElementType()))
    return table.emitOpError("expects dense elements of a type of ens");
  std::string name = kernelName_ + "_table" + std::to_string(numTables_++);
  Type stored = storedTypeOf(type.getElementType());
  OpBuilder atModule(source_);
  auto global = LLVM::GlobalOp::create(
      atModule, table.getLoc(),
      LLVM::LLVMArrayType::get(stored, value.getNumElements()),
      /*isConstant=*/true, LLVM::Linkage::Internal, name, storedElements(value),
      /*alignment=*/64);
  kernel_->buffers[table.getResult()] = {
      LLVM::AddressOfOp::create(builder_, global), 0, type};
  return success();
}

LogicalResult FunctionEmitter::emitFor(scf::ForOp loop) {
  if (!loop.getInductionVar().getType().isIndex())
    return loop.emitOpError("counts with ")
           << loop.getInductionVar().getType()
           << ", but only an index can be lowered";
  if (loop.getNumResults() > 0)
    return loop.emitOpError("carries values: what a loop carries belongs into "
                            "buffers");
  IndexMath &math = kernel_->math;
  Index begin = root_->lookup(loop.getLowerBound()).index;
  Index end = root_->lookup(loop.getUpperBound()).index;
  std::optional<int64_t> step =
      root_->lookup(loop.getStep()).index.asConstant();
  if (!step || *step <= 0)
    return loop.emitOpError("expects a constant, positive step");
  // In steps of one a counter reaches its end; others could pass it, and the
  // greatest integer with it.
  bool countsTrips = *step != 1;
  Value from = math.scalar(begin), to = math.scalar(end);
  if (countsTrips) {
    to = ens::emitTripCount(builder_, builder_.getLoc(), from, to,
                            math.constantInt(*step));
    from = math.constantInt(0);
  }
  auto emitted = scf::ForOp::create(builder_, from, to, math.constantInt(1));
  AtomRange range;
  if (!countsTrips && begin.asConstant() && end.asConstant())
    range = {*begin.asConstant(),
             std::max(*begin.asConstant(), *end.asConstant() - 1), 1};
  Index counter = math.atom(emitted.getInductionVar(), range);
  if (countsTrips)
    counter = math.add(begin, math.scale(counter, *step));
  root_->bind(loop.getInductionVar(), counter);
  OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(emitted.getBody());
  return emitBlock(*loop.getBody());
}

LogicalResult FunctionEmitter::emitIf(scf::IfOp branch) {
  if (branch.getNumResults() > 0)
    return branch.emitOpError("has results: what a branch computes belongs "
                              "into buffers");
  bool hasElse = !branch.getElseRegion().empty();
  auto emitted =
      scf::IfOp::create(builder_, root_->value(branch.getCondition()), hasElse);
  OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(emitted.thenBlock());
  if (failed(emitBlock(*branch.thenBlock())))
    return failure();
  if (!hasElse)
    return success();
  builder_.setInsertionPointToStart(emitted.elseBlock());
  return emitBlock(*branch.elseBlock());
}

LogicalResult FunctionEmitter::emitReturn(func::ReturnOp op) {
  const Index &step = root_->lookup(op.getOperand(0)).index;
  LLVM::ReturnOp::create(builder_, kernel_->math.scalar(step));
  return success();
}

namespace {
struct LowerPhases : ensc::impl::LowerPhasesBase<LowerPhases> {
  using LowerPhasesBase::LowerPhasesBase;

  void runOnOperation() override {
    Target target = describeTarget(cpu);
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (failed(FunctionEmitter(function, target).emit()))
        return signalPassFailure();
  }
};
} // namespace
