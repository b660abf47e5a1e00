//===- EnsShape.cpp - Ops that rearrange elements -------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeInference.h"
#include "ensc/Dialect/Ens/IR/EnsOps.h"

#include "mlir/IR/OpImplementation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ensc;
using namespace ensc::ens;

#define GET_OP_CLASSES
#include "ensc/Dialect/Ens/IR/EnsShape.cpp.inc"

void EnsDialect::addShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "ensc/Dialect/Ens/IR/EnsShape.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// What a tensor may have of elements, it may be moved or spread by.
static constexpr int64_t mostAmount = int64_t{1} << 40;

static bool isAmount(int64_t value) {
  return value >= -mostAmount && value <= mostAmount;
}

std::string ens::shapeString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::interleaved_array(shape);
  return text;
}

bool ens::areIncreasingDims(ArrayRef<int64_t> dims, int64_t rank) {
  int64_t last = -1;
  for (int64_t dim : dims) {
    if (dim <= last || dim >= rank)
      return false;
    last = dim;
  }
  return true;
}

LogicalResult ens::verifyIncreasingDims(std::optional<Location> loc,
                                        StringRef op, ArrayRef<int64_t> dims,
                                        int64_t rank) {
  if (areIncreasingDims(dims, rank))
    return success();
  return emitOptionalError(loc, "'", op,
                           "' op expects strictly increasing dims below ", rank,
                           ", got ", shapeString(dims));
}

LogicalResult ens::verifyLastDim(std::optional<Location> loc, StringRef op,
                                 RankedTensorType type) {
  if (type.getRank() > 0 && type.getShape().back() > 0)
    return success();
  return emitOptionalError(
      loc, "'", op, "' op expects a last dimension that is not empty, got ",
      type);
}

SmallVector<int64_t> ens::dropDims(ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> dims) {
  SmallVector<int64_t> kept;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      kept.push_back(extent);
  return kept;
}

//===----------------------------------------------------------------------===//
// Constant, iota, broadcast, reshape
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  // iota_c1
  int64_t dim = getDim(), rank = getType().getRank();
  if (dim < 0 || dim >= rank)
    return emitOpError("expects dim in [0, ") << rank << "), got " << dim;
  return success();
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = getX().getType().getShape();
  ArrayRef<int64_t> to = getType().getShape(), dims = getDims();
  // broadcast_c1
  if (dims.size() != from.size() ||
      !areIncreasingDims(dims, getType().getRank()))
    return emitOpError("expects dims to give each of the ")
           << from.size() << " dimensions of the operand one of the "
           << to.size() << " of the result, strictly increasing, got "
           << shapeString(dims);
  // broadcast_c2
  for (auto [dim, extent] : llvm::zip_equal(dims, from))
    if (to[dim] != extent)
      return emitOpError("expects extent ")
             << extent << " in dimension " << dim << " of the result, got "
             << to[dim];
  // broadcast_c3
  if (getRuns() && (to.empty() || llvm::is_contained(dims, 0)))
    return emitOpError(
               "expects the runs in a first dimension of their own, got "
               "dims ")
           << shapeString(dims) << " of " << getType();
  return success();
}

LogicalResult ReshapeOp::verify() {
  // reshape_c1
  int64_t from = getX().getType().getNumElements();
  int64_t to = getType().getNumElements();
  if (from != to)
    return emitOpError("expects as many elements as before, got ")
           << from << " and " << to;
  return success();
}

//===----------------------------------------------------------------------===//
// Transpose, reverse, slices
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &results) {
  RankedTensorType type = tensorType(adaptor.getX());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  // transpose_c1
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, type.getRank())))
    return emitOptionalError(loc,
                             "'ens.transpose' op expects permutation to "
                             "hold each dimension of the operand once, ",
                             "got ", shapeString(permutation), " for rank ",
                             type.getRank());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  results.push_back(type.clone(shape));
  return success();
}

LogicalResult ReverseOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &results) {
  RankedTensorType type = tensorType(adaptor.getX());
  // reverse_c1
  if (failed(verifyIncreasingDims(loc, getOperationName(), adaptor.getDims(),
                                  type.getRank())))
    return failure();
  results.push_back(type);
  return success();
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &results) {
  RankedTensorType type = tensorType(adaptor.getX());
  size_t rank = type.getRank();
  ArrayRef<int64_t> starts = adaptor.getStarts(), limits = adaptor.getLimits(),
                    strides = adaptor.getStrides();
  // slice_c1
  if (starts.size() != rank || limits.size() != rank || strides.size() != rank)
    return emitOptionalError(loc, "'ens.slice' op expects ", rank,
                             " starts, limits and strides, got ", starts.size(),
                             ", ", limits.size(), " and ", strides.size());
  SmallVector<int64_t> shape;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t start = starts[dim], limit = limits[dim], stride = strides[dim];
    // slice_c2
    if (start < 0 || start > limit || limit > type.getDimSize(dim))
      return emitOptionalError(loc,
                               "'ens.slice' op expects 0 <= start <= limit <= ",
                               type.getDimSize(dim), " in dimension ", dim,
                               ", got start ", start, " and limit ", limit);
    // slice_c3
    if (stride < 1 || stride > mostAmount)
      return emitOptionalError(loc,
                               "'ens.slice' op expects a positive stride of at "
                               "most 2^40 in dimension ",
                               dim, ", got ", stride);
    shape.push_back(limit > start ? (limit - start - 1) / stride + 1 : 0);
  }
  results.push_back(type.clone(shape));
  return success();
}

/// The constraints that dynamic_slice and dynamic_update_slice share.
static LogicalResult verifyStarts(std::optional<Location> loc, StringRef op,
                                  RankedTensorType type, ValueRange starts,
                                  int64_t batchDims) {
  int64_t rank = type.getRank();
  // dynamic_slice_c1, dynamic_update_slice_c1
  if (batchDims < 0 || batchDims > rank ||
      static_cast<int64_t>(starts.size()) != rank - batchDims)
    return emitOptionalError(loc, "'ens.", op,
                             "' op expects one start for each "
                             "of the ",
                             rank, " dimensions but the ", batchDims,
                             " batch dimensions, got ", starts.size());
  // dynamic_slice_c2, dynamic_update_slice_c2
  for (Value start : starts)
    if (shapeOf(start) != type.getShape().take_front(batchDims))
      return emitOptionalError(
          loc, "'ens.", op, "' op expects starts of shape ",
          shapeString(type.getShape().take_front(batchDims)), ", got ",
          shapeString(shapeOf(start)));
  return success();
}

LogicalResult DynamicSliceOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &results) {
  RankedTensorType type = tensorType(adaptor.getX());
  int64_t batchDims = adaptor.getBatchDims();
  ArrayRef<int64_t> sizes = adaptor.getSizes();
  if (failed(verifyStarts(loc, "dynamic_slice", type, adaptor.getStarts(),
                          batchDims)))
    return failure();
  if (sizes.size() != adaptor.getStarts().size())
    return emitOptionalError(loc, "'ens.dynamic_slice' op expects ",
                             adaptor.getStarts().size(), " sizes, got ",
                             sizes.size());
  // dynamic_slice_c3
  SmallVector<int64_t> shape(type.getShape().take_front(batchDims));
  for (auto [size, extent] :
       llvm::zip_equal(sizes, type.getShape().drop_front(batchDims))) {
    if (size < 0 || size > extent)
      return emitOptionalError(loc,
                               "'ens.dynamic_slice' op expects sizes of at "
                               "most the extents ",
                               shapeString(type.getShape()), ", got ",
                               shapeString(sizes));
    shape.push_back(size);
  }
  results.push_back(type.clone(shape));
  return success();
}

LogicalResult DynamicUpdateSliceOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> loc, Adaptor adaptor,
    SmallVectorImpl<Type> &results) {
  RankedTensorType type = tensorType(adaptor.getX());
  RankedTensorType update = tensorType(adaptor.getUpdate());
  int64_t batchDims = adaptor.getBatchDims();
  if (failed(verifyStarts(loc, "dynamic_update_slice", type,
                          adaptor.getStarts(), batchDims)))
    return failure();
  // dynamic_update_slice_c3
  bool fits = update.getElementType() == type.getElementType() &&
              update.getRank() == type.getRank();
  for (int64_t dim = 0; fits && dim < type.getRank(); ++dim)
    fits = dim < batchDims ? update.getDimSize(dim) == type.getDimSize(dim)
                           : update.getDimSize(dim) <= type.getDimSize(dim);
  if (!fits)
    return emitOptionalError(
        loc, "'ens.dynamic_update_slice' op expects an update that fits into ",
        type, " with equal batch dimensions, got ", update);
  results.push_back(type);
  return success();
}

//===----------------------------------------------------------------------===//
// Concat, pad
//===----------------------------------------------------------------------===//

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &results) {
  // concat_c1
  if (adaptor.getOperands().empty())
    return emitOptionalError(loc, "'ens.concat' op expects an operand");
  RankedTensorType first = tensorType(adaptor.getOperands().front());
  int64_t dim = adaptor.getDim(), extent = 0;
  // concat_c2
  if (dim < 0 || dim >= first.getRank())
    return emitOptionalError(loc, "'ens.concat' op expects dim in [0, ",
                             first.getRank(), "), got ", dim);
  for (Value operand : adaptor.getOperands()) {
    RankedTensorType type = tensorType(operand);
    // concat_c3
    if (type.getElementType() != first.getElementType() ||
        dropDims(type.getShape(), dim) != dropDims(first.getShape(), dim))
      return emitOptionalError(loc,
                               "'ens.concat' op expects operands that "
                               "differ in dimension ",
                               dim, " alone, got ", first, " and ", type);
    extent += type.getDimSize(dim);
  }
  SmallVector<int64_t> shape(first.getShape());
  shape[dim] = extent;
  results.push_back(first.clone(shape));
  return success();
}

/// Amounts beyond what is supported could not be undone by derivatives.
static LogicalResult verifyPadAmounts(std::optional<Location> loc, size_t dim,
                                      int64_t low, int64_t high,
                                      int64_t interior) {
  // pad_c2
  if (interior < 0 || interior >= mostAmount)
    return emitOptionalError(
        loc, "'ens.pad' op expects 0 <= interior < 2^40 in dimension ", dim,
        ", got ", interior);
  for (auto [name, amount] : {std::pair("low", low), std::pair("high", high)})
    if (!isAmount(amount))
      return emitOptionalError(loc, "'ens.pad' op expects -2^40 <= ", name,
                               " <= 2^40 in dimension ", dim, ", got ", amount);
  return success();
}

/// The extent of a dimension with `interior` elements between neighbours;
/// nothing where that cannot be counted.
static std::optional<int64_t> spreadExtent(int64_t extent, int64_t interior) {
  int64_t gaps = extent > 0 ? extent - 1 : 0, spread;
  if (llvm::MulOverflow(gaps, interior, spread) ||
      llvm::AddOverflow(spread, extent, spread) || spread > mostAmount)
    return std::nullopt;
  return spread;
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &results) {
  RankedTensorType type = tensorType(adaptor.getX());
  size_t rank = type.getRank();
  ArrayRef<int64_t> low = adaptor.getLow(), high = adaptor.getHigh(),
                    interior = adaptor.getInterior();
  int64_t batchDims = adaptor.getBatchDims();
  // pad_c1
  if (low.size() != rank || high.size() != rank || interior.size() != rank)
    return emitOptionalError(loc, "'ens.pad' op expects ", rank,
                             " entries of low, high and interior, got ",
                             low.size(), ", ", high.size(), " and ",
                             interior.size());
  // pad_c4
  RankedTensorType value = tensorType(adaptor.getValue());
  if (batchDims < 0 || batchDims > type.getRank() ||
      value.getElementType() != type.getElementType() ||
      value.getShape() != type.getShape().take_front(batchDims))
    return emitOptionalError(loc,
                             "'ens.pad' op expects a value of the operand's "
                             "element type and of the shape of its ",
                             batchDims, " batch dimensions, got ", value,
                             " for ", type);
  SmallVector<int64_t> shape;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t extent = type.getDimSize(dim);
    if (failed(verifyPadAmounts(loc, dim, low[dim], high[dim], interior[dim])))
      return failure();
    // pad_c5
    if (static_cast<int64_t>(dim) < batchDims &&
        (low[dim] || high[dim] || interior[dim]))
      return emitOptionalError(
          loc, "'ens.pad' op expects no padding of batch dimension ", dim);
    // pad_c3
    std::optional<int64_t> spread = spreadExtent(extent, interior[dim]);
    if (!spread)
      return emitOptionalError(
          loc, "'ens.pad' op expects at most 2^40 elements in dimension ", dim,
          " with interior, got ", extent, " with ", interior[dim],
          " between neighbours");
    int64_t padded = *spread + low[dim] + high[dim];
    if (padded < 0)
      return emitOptionalError(loc,
                               "'ens.pad' op expects extents that are at least "
                               "0, got ",
                               padded, " in dimension ", dim);
    shape.push_back(padded);
  }
  results.push_back(type.clone(shape));
  return success();
}
