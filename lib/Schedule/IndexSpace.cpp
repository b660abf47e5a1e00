//===- IndexSpace.cpp - Indices as symbolic expressions -------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexSpace.h"

#include <algorithm>
#include <cassert>

using namespace mlir;
using namespace ensc::schedule;

IndexSpace::IndexSpace(ArrayRef<int64_t> domain) {
  assert(domain.size() <= maxLoops && "more dimensions than loops");
  for (int64_t extent : domain)
    domainIndices.push_back(addLoop({extent, 0, false}));
}

IndexId IndexSpace::addLoop(Loop loop) {
  loops.push_back(loop);
  if (loop.extent == 1)
    return constant(0);
  Node node{Kind::Loop, {}, static_cast<int64_t>(loops.size()) - 1};
  node.loops = uint64_t(1) << node.number;
  node.low = 0;
  node.high = std::max<int64_t>(loop.extent - 1, 0);
  return intern(node);
}

Indices IndexSpace::addFold(ArrayRef<int64_t> extents, uint64_t around) {
  assert(loops.size() + extents.size() <= maxLoops && "ask numLoops first");
  Indices indices;
  for (size_t i = 0; i < extents.size(); ++i)
    around |= uint64_t(1) << (loops.size() + i);
  for (int64_t extent : extents)
    indices.push_back(addLoop({extent, around, true}));
  return indices;
}

IndexId IndexSpace::intern(Node node) {
  std::vector<int> operands(node.operands.begin(), node.operands.end());
  auto key = std::make_tuple(static_cast<int>(node.kind), std::move(operands),
                             node.number, node.tensor.getAsOpaquePointer());
  auto [place, isNew] = interned.try_emplace(key, nodes.size());
  if (isNew) {
    node.loops |= loopsOf(node.operands);
    nodes.push_back(std::move(node));
  }
  return place->second;
}

IndexId IndexSpace::constant(int64_t value) {
  Node node{Kind::Constant, {}, value};
  node.low = node.high = value;
  return intern(node);
}

IndexId IndexSpace::add(IndexId lhs, IndexId rhs) {
  if (nodes[lhs].kind == Kind::Constant)
    std::swap(lhs, rhs);
  Node a = nodes[lhs], b = nodes[rhs];
  if (b.kind == Kind::Constant) {
    if (b.number == 0)
      return lhs;
    if (a.kind == Kind::Constant)
      return constant(a.number + b.number);
    // (x + c) + d = x + (c + d)
    if (a.kind == Kind::Add && nodes[a.operands[1]].kind == Kind::Constant)
      return add(a.operands[0],
                 constant(nodes[a.operands[1]].number + b.number));
  }
  Node node{Kind::Add, {lhs, rhs}};
  node.low = a.low + b.low;
  node.high = a.high + b.high;
  return intern(node);
}

IndexId IndexSpace::scale(IndexId x, int64_t factor) {
  Node a = nodes[x];
  if (factor == 1)
    return x;
  if (factor == 0 || a.kind == Kind::Constant)
    return constant(a.number * factor * (factor != 0));
  Node node{Kind::Scale, {x}, factor};
  node.low = std::min(a.low * factor, a.high * factor);
  node.high = std::max(a.low * factor, a.high * factor);
  return intern(node);
}

IndexId IndexSpace::quotient(IndexId x, int64_t divisor) {
  Node a = nodes[x];
  if (divisor == 1)
    return x;
  if (a.low >= 0 && a.high < divisor)
    return constant(0);
  if (a.kind == Kind::Constant)
    return constant(a.number / divisor);
  // (x * d + y) / d = x where 0 <= y < d
  if (a.kind == Kind::Scale && a.number == divisor)
    return a.operands[0];
  if (a.kind == Kind::Add) {
    Node b = nodes[a.operands[0]], c = nodes[a.operands[1]];
    if (b.kind == Kind::Scale && b.number == divisor && c.low >= 0 &&
        c.high < divisor)
      return b.operands[0];
  }
  Node node{Kind::Quotient, {x}, divisor};
  node.low = std::max<int64_t>(a.low, 0) / divisor;
  node.high = a.high / divisor;
  return intern(node);
}

IndexId IndexSpace::remainder(IndexId x, int64_t divisor) {
  Node a = nodes[x];
  if (divisor == 1)
    return constant(0);
  if (a.low >= 0 && a.high < divisor)
    return x;
  if (a.kind == Kind::Constant)
    return constant(a.number % divisor);
  if (a.kind == Kind::Scale && a.number % divisor == 0)
    return constant(0);
  if (a.kind == Kind::Add) {
    Node b = nodes[a.operands[0]], c = nodes[a.operands[1]];
    if (b.kind == Kind::Scale && b.number % divisor == 0 && b.low >= 0 &&
        c.low >= 0)
      return remainder(a.operands[1], divisor);
  }
  Node node{Kind::Remainder, {x}, divisor};
  node.low = 0;
  node.high = divisor - 1;
  return intern(node);
}

IndexId IndexSpace::clamp(IndexId x, int64_t high) {
  Node a = nodes[x];
  if (a.low >= 0 && a.high <= high)
    return x;
  if (high <= 0)
    return constant(0);
  Node node{Kind::Clamp, {x}, high};
  node.low = std::clamp<int64_t>(a.low, 0, high);
  node.high = std::clamp<int64_t>(a.high, 0, high);
  return node.low == node.high ? constant(node.low) : intern(node);
}

IndexId IndexSpace::read(Value tensor, ArrayRef<IndexId> at) {
  Node node{Kind::Read, Indices(at.begin(), at.end())};
  node.tensor = tensor;
  return intern(node);
}

uint64_t IndexSpace::loopsOf(ArrayRef<IndexId> indices) const {
  uint64_t mask = 0;
  for (IndexId id : indices)
    mask |= nodes[id].loops;
  return mask;
}

uint64_t IndexSpace::foldsAround(ArrayRef<IndexId> indices) const {
  uint64_t mask = 0, used = loopsOf(indices);
  for (unsigned number = 0; number < loops.size(); ++number)
    if ((used >> number & 1) && loops[number].inFold)
      mask |= loops[number].around;
  return mask;
}

int64_t IndexSpace::evaluations(ArrayRef<IndexId> indices) const {
  uint64_t folds = foldsAround(indices);
  int64_t count = 1;
  for (unsigned number = 0; number < loops.size(); ++number)
    if (!loops[number].inFold || (folds >> number & 1))
      count *= loops[number].extent;
  return count;
}
