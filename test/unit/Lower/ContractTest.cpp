//===- ContractTest.cpp - Compiled contractions ---------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseCases.h"
#include "ensc/Reference/Elementwise.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace ensc;
using namespace ensc::test;

namespace {

/// Blocks of the last dimension, as Numerics.md cuts it, of one dot product.
template <typename T, typename Product>
T dotOver(int64_t outer, int64_t inner, Product product) {
  if (outer * inner == 0)
    return 0;
  T sum = -T(0);
  bool merges = outer * inner <= 1024;
  int64_t block = merges ? outer * inner : std::min<int64_t>(inner, 1024);
  int64_t row = merges ? outer * inner : inner;
  for (int64_t begin = 0; begin < outer * inner; begin += row)
    for (int64_t part = 0; part < row; part += block) {
      T chain = 0;
      for (int64_t k = begin + part; k < begin + std::min(row, part + block);
           ++k) {
        auto [a, b] = product(k);
        chain = std::fma(a, b, chain);
      }
      sum += chain;
    }
  return sum;
}

std::string times(const Shape &extents) {
  std::string text;
  for (int64_t extent : extents)
    text += std::to_string(extent) + "x";
  return text;
}

/// C[i, j] = sum over k of A[i, k] * B[k, j], where either may be stored
/// transposed, and then relu.
template <typename T>
PhaseCase matmul(int64_t m, int64_t n, int64_t k, bool transposeA,
                 bool transposeB) {
  PhaseCase phases;
  DType type = dtypeOf<T>();
  std::string element = nameOf(type);
  phases.name = "matmul_" + std::to_string(m) + "_" + std::to_string(n) + "_" +
                std::to_string(k) + (transposeA ? "_ta" : "") +
                (transposeB ? "_tb" : "") + "_" + element;
  Shape a = transposeA ? Shape{k, m} : Shape{m, k};
  Shape b = transposeB ? Shape{n, k} : Shape{k, n};
  phases.inputs = {Tensor::zeros(type, a), Tensor::zeros(type, b)};
  phases.outputs = {Tensor::zeros(type, {m, n})};
  std::string ik = transposeA ? "%k, %i" : "%i, %k";
  std::string kj = transposeB ? "%j, %k" : "%k, %j";
  phases.body =
      "  ens.contract domain = [" + std::to_string(m) + ", " +
      std::to_string(n) + "@W] @lanes over = [" + std::to_string(k) +
      "] : " + element + " {\n  ^bb0(%i: index, %j: index@L, %k: index):\n" +
      "    %a = memref.load %in0[" + ik + "@l] : memref<" +
      times({a[0], a[1]}) + "@x" + element + ">\n" +
      "    %b = memref.load %in1[" + kj + "@l] : memref<" +
      times({b[0], b[1]}) + "@x" + element + ">\n" +
      "    ens.yield %a, %b : " + element + ", " + element +
      "\n  } epilogue {\n" + "  ^bb0(%i: index, %j: index@L, %sum: " + element +
      "):\n" + "    %zero = arith.constant 0.0 : " + element + "\n" +
      "    %p = ens.compare le, %sum, %zero : " + element + "\n" +
      "    %y = ens.select %p, %zero, %sum : " + element + "\n" +
      "    memref.store %y, %out0[%i, %j@l] : memref<" + times({m, n}) + "@x" +
      element + ">\n  }\n";
  phases.expected = [=](const Tensors &in, Tensors &out) {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        T sum = dotOver<T>(1, k, [&](int64_t l) {
          return std::pair(in[0].data<T>()[transposeA ? l * m + i : i * k + l],
                           in[1].data<T>()[transposeB ? j * k + l : l * n + j]);
        });
        out[0].data<T>()[i * n + j] = sum <= 0 ? T(0) : sum;
      }
  };
  return phases;
}

/// y = sum over (a, b) of x[a, b] * w[a, b, j].
PhaseCase twoContracted(int64_t a, int64_t b, int64_t n) {
  PhaseCase phases;
  phases.name = "two_" + std::to_string(a) + "_" + std::to_string(b);
  phases.inputs = {Tensor::zeros(DType::F32, {a, b}),
                   Tensor::zeros(DType::F32, {a, b, n})};
  phases.outputs = {Tensor::zeros(DType::F32, {n})};
  phases.body = "  ens.contract domain = [" + std::to_string(n) +
                "@W] @lanes over = [" + std::to_string(a) + ", " +
                std::to_string(b) +
                "] : f32 {\n  ^bb0(%j: index@L, %a: index, %b: index):\n"
                "    %x = memref.load %in0[%a, %b@l] : memref<" +
                times({a, b}) +
                "@xf32>\n    %w = memref.load %in1[%a, %b, %j@l] : memref<" +
                times({a, b, n}) +
                "@xf32>\n    ens.yield %x, %w : f32, f32\n  } epilogue {\n"
                "  ^bb0(%j: index@L, %sum: f32):\n"
                "    memref.store %sum, %out0[%j@l] : memref<" +
                times({n}) + "@xf32>\n  }\n";
  phases.expected = [=](const Tensors &in, Tensors &out) {
    for (int64_t j = 0; j < n; ++j)
      out[0].data<float>()[j] = dotOver<float>(a, b, [&](int64_t l) {
        return std::pair(in[0].data<float>()[l],
                         in[1].data<float>()[l * n + j]);
      });
  };
  return phases;
}

/// The same as matmul with an epilogue too long to be repeated per point.
PhaseCase withLongEpilogue(PhaseCase phases) {
  phases.name += "_long";
  size_t end = phases.body.rfind("    memref.store %y");
  phases.body.insert(end, "    %t = ens.tanh %y : f32\n"
                          "    %e = ens.exp %t : f32\n");
  end = phases.body.rfind("%y, %out0");
  phases.body.replace(end, 2, "%e");
  phases.expected = [matmul = phases.expected](const Tensors &in,
                                               Tensors &out) {
    matmul(in, out);
    out[0] =
        reference::unary(reference::UnaryKind::Exp,
                         reference::unary(reference::UnaryKind::Tanh, out[0]));
  };
  return phases;
}

/// C[i, j] = s / sqrt(|s| + 1), s the sum of A[i, over...] * B[over..., j]: an
/// epilogue that keeps the divider busy. `more` continues it.
template <typename T>
PhaseCase dividing(int64_t m, int64_t n, const Shape &over,
                   const std::string &more = "") {
  PhaseCase phases;
  DType type = dtypeOf<T>();
  std::string element = nameOf(type);
  phases.name = "dividing_" + std::to_string(m) + "_" + std::to_string(n);
  Shape a = {m}, b = over;
  std::string extents, indices, declared;
  for (size_t dim = 0; dim < over.size(); ++dim) {
    a.push_back(over[dim]);
    std::string separator = dim ? ", " : "", k = "%k" + std::to_string(dim);
    extents += separator + std::to_string(over[dim]);
    indices += separator + k;
    declared += ", " + k + ": index";
    phases.name += "_" + std::to_string(over[dim]);
  }
  phases.name += "_" + element;
  b.push_back(n);
  phases.inputs = {Tensor::zeros(type, a), Tensor::zeros(type, b)};
  phases.outputs = {Tensor::zeros(type, {m, n})};
  auto memref = [&](const Shape &shape) {
    return " : memref<" + times(shape) + "@x" + element + ">\n";
  };
  auto assign = [&](const std::string &text) {
    return "    " + text + " : " + element + "\n";
  };
  phases.body =
      "  ens.contract domain = [" + std::to_string(m) + ", " +
      std::to_string(n) + "@W] @lanes over = [" + extents + "] : " + element +
      " {\n  ^bb0(%i: index, %j: index@L" + declared +
      "):\n    %a = memref.load %in0[%i, " + indices + "@l]" + memref(a) +
      "    %b = memref.load %in1[" + indices + ", %j@l]" + memref(b) +
      "    ens.yield %a, %b : " + element + ", " + element +
      "\n  } epilogue {\n  ^bb0(%i: index, %j: index@L, %sum: " + element +
      "):\n" + assign("%abs = ens.abs %sum") +
      assign("%one = arith.constant 1.0") +
      assign("%more = ens.add %abs, %one") + assign("%root = ens.sqrt %more") +
      assign("%q = ens.div %sum, %root") +
      "    memref.store %q, %out0[%i, %j@l]" + memref({m, n}) + more + "  }\n";
  int64_t inner = over.back(), k = numElements(over);
  phases.expected = [=](const Tensors &in, Tensors &out) {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        T sum = dotOver<T>(k / inner, inner, [&](int64_t l) {
          return std::pair(in[0].data<T>()[i * k + l],
                           in[1].data<T>()[l * n + j]);
        });
        out[0].data<T>()[i * n + j] = sum / std::sqrt(std::fabs(sum) + T(1));
      }
  };
  return phases;
}

/// Also D[i, j] = P[i, j] / |s| where s is positive, otherwise s, and
/// E[i, j] = P[i, j]: late results use numbers, truth values and memory of
/// before, and some stores do not wait for them.
PhaseCase updating(int64_t m, int64_t n, int64_t k) {
  std::string memref = " : memref<" + times({m, n}) + "@xf32>\n";
  PhaseCase phases = dividing<float>(
      m, n, {k},
      "    %p = memref.load %in2[%i, %j@l]" + memref +
          "    %zero = arith.constant 0.0 : f32\n"
          "    %positive = ens.compare gt, %sum, %zero : f32\n"
          "    %ratio = ens.div %p, %abs : f32\n"
          "    %y = ens.select %positive, %ratio, %sum : f32\n"
          "    memref.store %y, %out1[%i, %j@l]" +
          memref + "    memref.store %p, %out2[%i, %j@l]" + memref);
  phases.name += "_updating";
  phases.inputs.push_back(Tensor::zeros(DType::F32, {m, n}));
  phases.outputs.resize(3, Tensor::zeros(DType::F32, {m, n}));
  phases.expected = [=, before = phases.expected](const Tensors &in,
                                                  Tensors &out) {
    before(in, out);
    const float *p = in[2].data<float>();
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = dotOver<float>(1, k, [&](int64_t l) {
          return std::pair(in[0].data<float>()[i * k + l],
                           in[1].data<float>()[l * n + j]);
        });
        int64_t at = i * n + j;
        out[1].data<float>()[at] = sum > 0 ? p[at] / sum : sum;
        out[2].data<float>()[at] = p[at];
      }
  };
  return phases;
}

/// Also D = C + 1, which reads C where it was stored.
PhaseCase readingAgain(int64_t m, int64_t n, int64_t k) {
  std::string memref = " : memref<" + times({m, n}) + "@xf32>\n";
  PhaseCase phases =
      dividing<float>(m, n, {k},
                      "    %stored = memref.load %out0[%i, %j@l]" + memref +
                          "    %next = ens.add %stored, %one : f32\n"
                          "    memref.store %next, %out1[%i, %j@l]" +
                          memref);
  phases.name += "_reading_again";
  phases.outputs.resize(2, Tensor::zeros(DType::F32, {m, n}));
  phases.expected = [=, before = phases.expected](const Tensors &in,
                                                  Tensors &out) {
    before(in, out);
    for (int64_t at = 0; at < m * n; ++at)
      out[1].data<float>()[at] = out[0].data<float>()[at] + 1;
  };
  return phases;
}

/// P[i, j] -= s and, with a division, P[i, j] -= s / (|P[i, j]| + 1), in place
/// in the result, which begins as a copy of an input.
template <typename T>
PhaseCase inPlace(int64_t m, int64_t n, int64_t k, bool divides) {
  DType type = dtypeOf<T>();
  std::string element = nameOf(type);
  std::string memref = " : memref<" + times({m, n}) + "@x" + element + ">\n";
  PhaseCase phases = matmul<T>(m, n, k, false, false);
  phases.name += divides ? "_dividing_in_place" : "_in_place";
  phases.inputs.push_back(Tensor::zeros(type, {m, n}));
  std::string copy =
      "  ens.map domain = [" + std::to_string(m) + ", " + std::to_string(n) +
      "@W] @lanes {\n  ^bb0(%i: index, %j: index@L):\n"
      "    %p = memref.load %in2[%i, %j@l]" +
      memref + "    memref.store %p, %out0[%i, %j@l]" + memref + "  }\n";
  auto assign = [&](const std::string &text) {
    return "    " + text + " : " + element + "\n";
  };
  std::string change = divides ? assign("%abs = ens.abs %p") +
                                     assign("%one = arith.constant 1.0") +
                                     assign("%more = ens.add %abs, %one") +
                                     assign("%change = ens.div %sum, %more")
                               : assign("%one = arith.constant 1.0") +
                                     assign("%change = ens.mul %sum, %one");
  size_t at = phases.body.find("    %zero = arith.constant");
  phases.body = copy + phases.body.substr(0, at) +
                "    %p = memref.load %out0[%i, %j@l]" + memref + change +
                assign("%next = ens.sub %p, %change") +
                "    memref.store %next, %out0[%i, %j@l]" + memref + "  }\n";
  phases.expected = [=](const Tensors &in, Tensors &out) {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        T sum = dotOver<T>(1, k, [&](int64_t l) {
          return std::pair(in[0].data<T>()[i * k + l],
                           in[1].data<T>()[l * n + j]);
        });
        T p = in[2].data<T>()[i * n + j];
        T change = divides ? sum / (std::fabs(p) + T(1)) : sum;
        out[0].data<T>()[i * n + j] = p - change;
      }
  };
  return phases;
}

/// C[i, j] = table[int(s / 2), s0] with s0 from memory: an index that is late,
/// and one that the head of a point would have to hand on.
PhaseCase lookingUp(int64_t m, int64_t n, int64_t k) {
  PhaseCase phases = matmul<float>(m, n, k, false, false);
  phases.name += "_looking_up";
  phases.inputs.push_back(Tensor::zeros(DType::F32, {4, 4}));
  phases.inputs.push_back(Tensor::zeros(DType::I32, {m}));
  size_t at = phases.body.find("    %zero = arith.constant");
  phases.body =
      phases.body.substr(0, at) +
      "    %two = arith.constant 2.0 : f32\n"
      "    %q = ens.div %sum, %two : f32\n"
      "    %number = ens.convert %q : f32 to i32\n"
      "    %least = arith.constant 0 : index\n"
      "    %most = arith.constant 3 : index\n"
      "    %late = arith.index_cast %number : i32 to index\n"
      "    %late0 = arith.maxsi %late, %least : index\n"
      "    %row = arith.minsi %late0, %most : index\n"
      "    %start = memref.load %in3[%i@l] : memref<" +
      times({m}) +
      "@xi32>\n"
      "    %early = arith.index_cast %start : i32 to index\n"
      "    %early0 = arith.maxsi %early, %least : index\n"
      "    %column = arith.minsi %early0, %most : index\n"
      "    %y = memref.load %in2[%row, %column@l] : memref<4x4x@xf32>\n"
      "    memref.store %y, %out0[%i, %j@l] : memref<" +
      times({m, n}) + "@xf32>\n  }\n";
  phases.expected = [=](const Tensors &in, Tensors &out) {
    auto clamp = [](double value) {
      return static_cast<int64_t>(std::min(std::max(value, 0.0), 3.0));
    };
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = dotOver<float>(1, k, [&](int64_t l) {
          return std::pair(in[0].data<float>()[i * k + l],
                           in[1].data<float>()[l * n + j]);
        });
        int64_t row = clamp(std::trunc(sum / 2));
        int64_t column = clamp(in[3].data<int32_t>()[i]);
        out[0].data<float>()[i * n + j] = in[2].data<float>()[row * 4 + column];
      }
  };
  return phases;
}

std::vector<PhaseCase> allContractions() {
  std::vector<PhaseCase> cases = {
      matmul<float>(5, 10, 7, false, false),
      matmul<float>(13, 29, 61, false, false),
      matmul<float>(16, 33, 3, true, false),
      matmul<float>(6, 5, 9, false, true),
      matmul<float>(3, 17, 4, true, true),
      matmul<float>(1, 1, 1, false, false),
      matmul<float>(2, 3, 1025, false, false),
      matmul<float>(1, 16, 2100, false, false),
      matmul<double>(7, 20, 11, false, false),
      matmul<double>(4, 3, 5, false, true),
      withLongEpilogue(matmul<float>(9, 40, 8, false, false)),
      dividing<float>(37, 10, {5}),
      dividing<float>(64, 32, {16}),
      dividing<float>(12, 70, {40}),
      // Numbers of tiles that are prime, and cuts of one tile.
      dividing<float>(7, 16, {3}),
      dividing<float>(13, 16, {6}),
      dividing<float>(26, 33, {7}),
      dividing<float>(42, 16, {9}),
      dividing<float>(55, 8, {4}),
      dividing<double>(29, 18, {12}),
      dividing<double>(64, 16, {2}),
      // Batches of 9 and 8 tiles, and of 10 and 9, with 16 registers.
      dividing<double>(34, 16, {8}),
      dividing<double>(38, 16, {6}),
      // One loop over two dimensions; the longest chain, and two of them.
      dividing<float>(24, 16, {4, 6}),
      dividing<double>(15, 9, {3, 5}),
      dividing<float>(24, 3, {1024}),
      dividing<float>(24, 3, {1025}),
      dividing<float>(10, 3, {32, 32}),
      // Tiles of one and of several cuts of rows; more points than steps.
      updating(64, 32, 16),
      updating(37, 20, 5),
      updating(3, 80, 7),
      readingAgain(48, 16, 9),
      inPlace<float>(24, 32, 40, false),
      inPlace<double>(24, 20, 33, false),
      inPlace<float>(24, 32, 10, true),
      inPlace<double>(9, 40, 6, true),
      lookingUp(32, 32, 8),
      // Several columns of vectors, and one row of tiles.
      dividing<float>(4, 256, {16}),
      twoContracted(3, 5, 6),
      twoContracted(0, 5, 6),
      twoContracted(40, 30, 4),
      twoContracted(2, 1500, 3),
  };
  cases[2].fill = fillSpecial;
  return cases;
}

} // namespace

// With 32 registers epilogues run among the steps of the next tile.
TEST(Contract, HasTheBitsOfChainsWithManyRegisters) {
  if (!__builtin_cpu_supports("x86-64-v4"))
    GTEST_SKIP() << "the CPU is no x86-64-v4";
  checkCases(allContractions(), "x86-64-v4");
}

// Half as many registers, half as wide: other tiles.
TEST(Contract, HasTheSameBitsWithFewRegisters) {
  checkCases(allContractions(), "x86-64-v3");
}
