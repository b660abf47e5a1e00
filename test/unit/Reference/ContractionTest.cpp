//===- ContractionTest.cpp - Tests of dot ---------------------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Contraction.h"
#include "ExpectTensor.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::test;

namespace {

const DotDims inner = {{}, {}, {0}, {0}};

/// The inner product of `values` with as many ones.
Tensor sumByDot(const std::vector<float> &values) {
  Shape shape = {static_cast<int64_t>(values.size())};
  return dot(f32(shape, values),
             f32(shape, std::vector<float>(values.size(), 1)), inner);
}

TEST(DotTest, MatrixProduct) {
  expectTensor(dot(f32({2, 3}, {1, 2, 3, 4, 5, 6}),
                   f32({3, 2}, {1, 0, 0, 1, 2, 2}), {{}, {}, {1}, {0}}),
               f32({2, 2}, {7, 8, 16, 17}));
}

TEST(DotTest, EitherSideTransposed) {
  Tensor a = f64({3, 2}, {1, 4, 2, 5, 3, 6});
  Tensor b = f64({2, 3}, {1, 0, 2, 0, 1, 2});
  expectTensor(dot(a, b, {{}, {}, {0}, {1}}), f64({2, 2}, {7, 8, 16, 17}));
}

TEST(DotTest, BatchDimsLeadInTheResult) {
  // Batch dim 1 of the left and 0 of the right operand.
  Tensor a = f32({2, 2}, {1, 2, 3, 4});
  Tensor b = f32({2, 2, 1}, {1, 10, 100, 1000});
  expectTensor(dot(a, b, {{1}, {0}, {0}, {1}}), f32({2, 1}, {31, 4200}));
}

TEST(DotTest, FreeDimsKeepTheirOrder) {
  Tensor a = f32({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  Tensor b = f32({1, 2}, {1, 10});
  expectTensor(dot(a, b, {{}, {}, {1}, {0}}),
               f32({2, 3, 2}, {1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60}));
}

TEST(DotTest, ContractedDimsGoInTheOrderListed) {
  // Flattened as listed, the left operand is 1e8, 1, -1e8, 1, whose chain ends
  // in 1; row by row it is 1e8, -1e8, 1, 1 and would end in 2.
  Tensor a = f32({2, 2}, {1e8f, -1e8f, 1, 1});
  Tensor ones = f32({2, 2}, {1, 1, 1, 1});
  expectTensor(dot(a, ones, {{}, {}, {1, 0}, {1, 0}}), f32({}, {1}));
  expectTensor(dot(a, ones, {{}, {}, {0, 1}, {0, 1}}), f32({}, {2}));
}

TEST(DotTest, DifferentOrderOnTheTwoSides) {
  Tensor a = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor b = f32({3, 2}, {1, 10, 100, 1000, 1e4f, 1e5f});
  // a[i][j] meets b[j][i].
  expectTensor(dot(a, b, {{}, {}, {0, 1}, {1, 0}}), f32({}, {635241}));
}

TEST(DotTest, ChainAscends) {
  expectTensor(sumByDot({1e8f, 1, -1e8f, 1}), f32({}, {1}));
  expectTensor(sumByDot({1, 1e8f, 1, -1e8f}), f32({}, {0}));
}

TEST(DotTest, ProductsAreNotRounded) {
  // (1 + e)^2 - 1 with e = 2^-12: the square needs 25 bits.
  float x = 1 + std::ldexp(1.0f, -12);
  expectTensor(dot(f32({2}, {-1, x}), f32({2}, {1, x}), inner),
               f32({}, {std::ldexp(1.0f, -11) + std::ldexp(1.0f, -24)}));
}

TEST(DotTest, LongDimIsCutEvery1024) {
  // 2^24 + 1 + 1 is 2^24 in one chain. A cut puts the ones into a new chain.
  std::vector<float> values(1026, 0);
  values[1023] = 16777216;
  values[1024] = 1;
  values[1025] = 1;
  expectTensor(sumByDot(values), f32({}, {16777218}));
  // One element earlier the first one belongs to the first chain.
  values = std::vector<float>(1026, 0);
  values[1022] = 16777216;
  values[1023] = 1;
  values[1024] = 1;
  expectTensor(sumByDot(values), f32({}, {16777216}));
}

TEST(DotTest, BlockSumsAddFromTheLeft) {
  auto sumOfBlocks = [](const std::vector<float> &sums) {
    std::vector<float> values(sums.size() * 1024, 0);
    for (size_t block = 0; block < sums.size(); ++block)
      values[block * 1024] = sums[block];
    return sumByDot(values);
  };
  expectTensor(sumOfBlocks({1e8f, 1, -1e8f, 1}), f32({}, {1}));
  expectTensor(sumOfBlocks({1e8f, -1e8f, 1, 1}), f32({}, {2}));
  expectTensor(sumOfBlocks({1, 1, 1e8f, -1e8f}), f32({}, {0}));
}

TEST(DotTest, BlockIsTheLongestSuffixThatFits) {
  // 3 x 2 x 512: blocks of 2 x 512, so 3 block sums.
  std::vector<float> values(3 * 1024, 0);
  values[0] = 16777216;
  values[512] = 1;
  values[1023] = 1;
  Tensor ones = f32({3, 2, 512}, std::vector<float>(3 * 1024, 1));
  DotDims all = {{}, {}, {0, 1, 2}, {0, 1, 2}};
  expectTensor(dot(f32({3, 2, 512}, values), ones, all), f32({}, {16777216}));
  values[512] = 0;
  values[1023] = 0;
  values[1024] = 1;
  values[2047] = 1;
  expectTensor(dot(f32({3, 2, 512}, values), ones, all), f32({}, {16777218}));
}

TEST(DotTest, SuffixDoesNotCrossWhenItWouldExceed) {
  // 2 x 600: each row is a block, though 1024 elements would reach into the
  // second row.
  std::vector<float> values(1200, 0);
  values[0] = 16777216;
  values[600] = 1;
  values[601] = 1;
  Tensor ones = f32({2, 600}, std::vector<float>(1200, 1));
  expectTensor(dot(f32({2, 600}, values), ones, {{}, {}, {0, 1}, {0, 1}}),
               f32({}, {16777218}));
}

TEST(DotTest, LongRowsAreCutAtEachRow) {
  // 2 x 1025: cuts at 1024, 1025 and 2049.
  std::vector<float> values(2050, 0);
  values[1024] = 16777216;
  values[1025] = 1;
  values[1026] = 1;
  Tensor ones = f32({2, 1025}, std::vector<float>(2050, 1));
  expectTensor(dot(f32({2, 1025}, values), ones, {{}, {}, {0, 1}, {0, 1}}),
               f32({}, {16777218}));
}

TEST(DotTest, FirstBlockSumIsTheStart) {
  // Every chain starts from +0, so a single -0 product gives +0.
  expectTensor(dot(f32({1}, {-0.0f}), f32({1}, {1}), inner), f32({}, {0.0f}));
}

TEST(DotTest, NothingToContractGivesZero) {
  expectTensor(dot(f32({2, 0}, {}), f32({0, 1}, {}), {{}, {}, {1}, {0}}),
               f32({2, 1}, {0, 0}));
}

TEST(DotTest, OuterProduct) {
  expectTensor(dot(f32({2}, {1, 2}), f32({3}, {1, 10, 100}), {}),
               f32({2, 3}, {1, 10, 100, 2, 20, 200}));
}

TEST(DotTest, NoRows) {
  expectTensor(dot(f32({0, 2}, {}), f32({2, 1}, {1, 2}), {{}, {}, {1}, {0}}),
               f32({0, 1}, {}));
}

TEST(DotTest, NaNIsCanonical) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  Tensor result = dot(f32({1}, {inf}), f32({1}, {0}), inner);
  expectTensor(result, f32({}, {std::numeric_limits<float>::quiet_NaN()}));
}

} // namespace
