//===- ElementwiseTest.cpp - Tests of elementwise ops ---------------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Reference/Elementwise.h"
#include "ExpectTensor.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace ensc;
using namespace ensc::reference;
using namespace ensc::test;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr int64_t i64Max = std::numeric_limits<int64_t>::max();
constexpr int64_t i64Min = std::numeric_limits<int64_t>::min();

TEST(UnaryTest, SignsOfFloats) {
  Tensor x = f32({6}, {-2, -0.0f, 0.0f, 3, -inf, nan});
  expectTensor(unary(UnaryKind::Neg, x),
               f32({6}, {2, 0.0f, -0.0f, -3, inf, nan}));
  expectTensor(unary(UnaryKind::Abs, x), f32({6}, {2, 0, 0, 3, inf, nan}));
  expectTensor(unary(UnaryKind::Sign, x),
               f32({6}, {-1, -0.0f, 0.0f, 1, -1, nan}));
}

TEST(UnaryTest, SignsOfIntegersWrap) {
  Tensor x = i32({4}, {INT32_MIN, -3, 0, 7});
  expectTensor(unary(UnaryKind::Neg, x), i32({4}, {INT32_MIN, 3, 0, -7}));
  expectTensor(unary(UnaryKind::Abs, x), i32({4}, {INT32_MIN, 3, 0, 7}));
  expectTensor(unary(UnaryKind::Sign, x), i32({4}, {-1, -1, 0, 1}));
  Tensor u = ui32({2}, {1, 0x80000000});
  expectTensor(unary(UnaryKind::Neg, u), ui32({2}, {0xffffffff, 0x80000000}));
  expectTensor(unary(UnaryKind::Abs, u), u);
  expectTensor(unary(UnaryKind::Sign, u), ui32({2}, {1, 1}));
}

TEST(UnaryTest, NotFlipsEveryBit) {
  expectTensor(unary(UnaryKind::Not, i1({2}, {false, true})),
               i1({2}, {true, false}));
  expectTensor(unary(UnaryKind::Not, i32({2}, {0, 5})), i32({2}, {-1, -6}));
  expectTensor(unary(UnaryKind::Not, ui32({1}, {1})), ui32({1}, {0xfffffffe}));
}

TEST(UnaryTest, FloorKeepsTheSignOfZero) {
  expectTensor(unary(UnaryKind::Floor,
                     f32({6}, {-0.25f, -0.0f, 0.25f, -1.5f, 8388609, inf})),
               f32({6}, {-1, -0.0f, 0.0f, -2, 8388609, inf}));
}

// Corpus case CG-A02: ceil(x) is -floor(-x) and keeps the sign of zero.
TEST(UnaryTest, CgA02) {
  auto ceil = [](const Tensor &x) {
    return unary(UnaryKind::Neg,
                 unary(UnaryKind::Floor, unary(UnaryKind::Neg, x)));
  };
  expectTensor(ceil(f32({4}, {-0.25f, -0.0f, 0.25f, -1.5f})),
               f32({4}, {-0.0f, -0.0f, 1, -1}));
  expectTensor(binary(BinaryKind::Div, f32({}, {1}), ceil(f32({}, {-0.25f}))),
               f32({}, {-inf}));
}

TEST(UnaryTest, SquareRoots) {
  Tensor x = f32({4}, {4, 0.0f, -1, inf});
  expectTensor(unary(UnaryKind::Sqrt, x), f32({4}, {2, 0, nan, inf}));
  expectTensor(unary(UnaryKind::Rsqrt, x), f32({4}, {0.5f, inf, nan, 0}));
  // Two roundings: the quotient by the rounded root.
  expectTensor(unary(UnaryKind::Rsqrt, f32({}, {3})),
               f32({}, {1.0f / std::sqrt(3.0f)}));
}

TEST(UnaryTest, EachKindIsItsFunction) {
  struct Case {
    UnaryKind kind;
    double x, y;
  };
  for (const Case &c : {Case{UnaryKind::Exp, 0.5, 1.6487212707001282},
                        {UnaryKind::Log, 0.5, -0.6931471805599453},
                        {UnaryKind::Log1p, 0.5, 0.4054651081081644},
                        {UnaryKind::Expm1, 0.5, 0.6487212707001282},
                        {UnaryKind::Sqrt, 0.5, 0.7071067811865476},
                        {UnaryKind::Rsqrt, 0.5, 1.4142135623730951},
                        {UnaryKind::Tanh, 0.5, 0.46211715726000975},
                        {UnaryKind::Logistic, 0.5, 0.6224593312018546},
                        {UnaryKind::Erf, 0.5, 0.5204998778130465},
                        {UnaryKind::ErfInv, 0.5, 0.4769362762044699},
                        {UnaryKind::Sin, 0.5, 0.479425538604203},
                        {UnaryKind::Cos, 0.5, 0.8775825618903728}}) {
    EXPECT_NEAR(unary(c.kind, f64({}, {c.x})).data<double>()[0], c.y, 2e-15);
    EXPECT_NEAR(unary(c.kind, f32({}, {float(c.x)})).data<float>()[0], c.y,
                3e-7);
  }
}

TEST(UnaryTest, RankZeroAndEmpty) {
  expectTensor(unary(UnaryKind::Neg, f64({}, {1})), f64({}, {-1}));
  expectTensor(unary(UnaryKind::Exp, f32({2, 0}, {})), f32({2, 0}, {}));
}

TEST(BinaryTest, FloatArithmetic) {
  Tensor a = f32({4}, {6, -1, 0.0f, inf});
  Tensor b = f32({4}, {4, 0.0f, 0.0f, inf});
  expectTensor(binary(BinaryKind::Add, a, b), f32({4}, {10, -1, 0, inf}));
  expectTensor(binary(BinaryKind::Sub, a, b), f32({4}, {2, -1, 0, nan}));
  expectTensor(binary(BinaryKind::Mul, a, b), f32({4}, {24, -0.0f, 0, inf}));
  expectTensor(binary(BinaryKind::Div, a, b), f32({4}, {1.5f, -inf, nan, nan}));
  expectTensor(binary(BinaryKind::Pow, f64({2}, {2, 9}), f64({2}, {10, 0.5})),
               f64({2}, {1024, 3}));
}

TEST(BinaryTest, SubnormalsAreKept) {
  float least = std::numeric_limits<float>::denorm_min();
  expectTensor(binary(BinaryKind::Mul, f32({}, {3 * least}), f32({}, {1})),
               f32({}, {3 * least}));
  expectTensor(binary(BinaryKind::Mul, f32({}, {0x1p-126f}), f32({}, {0.5f})),
               f32({}, {0x1p-127f}));
}

TEST(BinaryTest, IntegerArithmeticWraps) {
  Tensor a = i32({3}, {INT32_MAX, INT32_MIN, 65536});
  Tensor b = i32({3}, {1, 1, 65537});
  expectTensor(binary(BinaryKind::Add, a, b),
               i32({3}, {INT32_MIN, INT32_MIN + 1, 131073}));
  expectTensor(binary(BinaryKind::Sub, a, b),
               i32({3}, {INT32_MAX - 1, INT32_MAX, -1}));
  expectTensor(binary(BinaryKind::Mul, a, b),
               i32({3}, {INT32_MAX, INT32_MIN, 65536}));
  expectTensor(binary(BinaryKind::Sub, ui32({}, {0}), ui32({}, {2})),
               ui32({}, {0xfffffffe}));
}

TEST(BinaryTest, DivisionTruncatesAndIsTotal) {
  expectTensor(binary(BinaryKind::Div, i32({5}, {7, -7, 7, 5, INT32_MIN}),
                      i32({5}, {2, 2, -2, 0, -1})),
               i32({5}, {3, -3, -3, 0, INT32_MIN}));
  expectTensor(
      binary(BinaryKind::Div, i64({2}, {i64Min, i64Min}), i64({2}, {-1, 2})),
      i64({2}, {i64Min, i64Min / 2}));
  expectTensor(binary(BinaryKind::Div, ui32({3}, {0xffffffff, 5, 0xffffffff}),
                      ui32({3}, {2, 0, 0xffffffff})),
               ui32({3}, {0x7fffffff, 0, 1}));
}

TEST(BinaryTest, MulHighIsTheUpperHalf) {
  expectTensor(binary(BinaryKind::MulHigh, i32({3}, {-1, INT32_MIN, 1 << 20}),
                      i32({3}, {1, INT32_MIN, 1 << 20})),
               i32({3}, {-1, 1 << 30, 256}));
  expectTensor(binary(BinaryKind::MulHigh, ui32({1}, {0xffffffff}),
                      ui32({1}, {0xffffffff})),
               ui32({1}, {0xfffffffe}));
}

TEST(BinaryTest, MaxMinOfFloats) {
  Tensor a = f32({5}, {1, nan, 2, -0.0f, 0.0f});
  Tensor b = f32({5}, {2, 1, nan, 0.0f, -0.0f});
  expectTensor(binary(BinaryKind::Max, a, b), f32({5}, {2, nan, nan, 0, 0}));
  expectTensor(binary(BinaryKind::Min, a, b),
               f32({5}, {1, nan, nan, -0.0f, -0.0f}));
}

TEST(BinaryTest, MaxMinOfIntegers) {
  expectTensor(binary(BinaryKind::Max, i32({2}, {-1, 3}), i32({2}, {1, 2})),
               i32({2}, {1, 3}));
  expectTensor(binary(BinaryKind::Min, ui32({1}, {0xffffffff}), ui32({1}, {1})),
               ui32({1}, {1}));
}

TEST(BinaryTest, Bitwise) {
  Tensor a = i32({1}, {12});
  Tensor b = i32({1}, {10});
  expectTensor(binary(BinaryKind::And, a, b), i32({1}, {8}));
  expectTensor(binary(BinaryKind::Or, a, b), i32({1}, {14}));
  expectTensor(binary(BinaryKind::Xor, a, b), i32({1}, {6}));
  Tensor p = i1({4}, {false, false, true, true});
  Tensor q = i1({4}, {false, true, false, true});
  expectTensor(binary(BinaryKind::And, p, q),
               i1({4}, {false, false, false, true}));
  expectTensor(binary(BinaryKind::Or, p, q),
               i1({4}, {false, true, true, true}));
  expectTensor(binary(BinaryKind::Xor, p, q),
               i1({4}, {false, true, true, false}));
}

TEST(BinaryTest, ShiftsByTheWidthOrMoreGiveZero) {
  Tensor x = i32({4}, {-8, -8, -8, -8});
  Tensor by = i32({4}, {1, 31, 32, -1});
  expectTensor(binary(BinaryKind::ShiftLeft, x, by), i32({4}, {-16, 0, 0, 0}));
  expectTensor(binary(BinaryKind::ShiftRightLogical, x, by),
               i32({4}, {0x7ffffffc, 1, 0, 0}));
  expectTensor(binary(BinaryKind::ShiftRightArithmetic, x, by),
               i32({4}, {-4, -1, 0, 0}));
  expectTensor(binary(BinaryKind::ShiftRightArithmetic, i64({2}, {-8, -8}),
                      i64({2}, {63, 64})),
               i64({2}, {-1, 0}));
}

TEST(CompareTest, Floats) {
  Tensor a = f32({4}, {1, 2, nan, -0.0f});
  Tensor b = f32({4}, {2, 2, nan, 0.0f});
  auto check = [&](ComparePredicate predicate,
                   const std::vector<bool> &expected) {
    expectTensor(compare(predicate, a, b), i1({4}, expected));
  };
  check(ComparePredicate::Eq, {false, true, false, true});
  check(ComparePredicate::Ne, {true, false, true, false});
  check(ComparePredicate::Lt, {true, false, false, false});
  check(ComparePredicate::Le, {true, true, false, true});
  check(ComparePredicate::Gt, {false, false, false, false});
  check(ComparePredicate::Ge, {false, true, false, true});
}

TEST(CompareTest, SignednessFollowsTheType) {
  expectTensor(compare(ComparePredicate::Lt, i32({1}, {-1}), i32({1}, {1})),
               i1({1}, {true}));
  expectTensor(
      compare(ComparePredicate::Lt, ui32({1}, {0xffffffff}), ui32({1}, {1})),
      i1({1}, {false}));
  expectTensor(compare(ComparePredicate::Eq, i1({2}, {true, false}),
                       i1({2}, {true, true})),
               i1({2}, {true, false}));
}

TEST(SelectTest, IgnoresTheOtherArm) {
  expectTensor(
      select(i1({2}, {true, false}), f32({2}, {1, nan}), f32({2}, {nan, 2})),
      f32({2}, {1, 2}));
}

TEST(ClampTest, NaNStaysAndLowWins) {
  auto clampTo = [](float low, float x, float high) {
    return clamp(f32({}, {low}), f32({}, {x}), f32({}, {high}));
  };
  expectTensor(clampTo(0, -1, 2), f32({}, {0}));
  expectTensor(clampTo(0, 1, 2), f32({}, {1}));
  expectTensor(clampTo(0, 3, 2), f32({}, {2}));
  expectTensor(clampTo(0, nan, 2), f32({}, {nan}));
  expectTensor(clampTo(0.0f, -0.0f, 2), f32({}, {-0.0f}));
  // Crossed bounds: the first comparison decides.
  expectTensor(clampTo(5, 3, 2), f32({}, {5}));
  expectTensor(clampTo(nan, 3, 2), f32({}, {2}));
}

TEST(ConvertTest, FloatToIntegerTruncatesAndSaturates) {
  Tensor x = f32({8}, {1.9f, -1.9f, 2147483648.0f, -2147483648.0f, 1e20f, -inf,
                       nan, -0.5f});
  expectTensor(convert(x, DType::I32), i32({8}, {1, -1, INT32_MAX, INT32_MIN,
                                                 INT32_MAX, INT32_MIN, 0, 0}));
  expectTensor(convert(x, DType::UI32),
               ui32({8}, {1, 0, 0x80000000, 0, UINT32_MAX, 0, 0, 0}));
  expectTensor(convert(f32({3}, {inf, -inf, 1e10f}), DType::I64),
               i64({3}, {i64Max, i64Min, 10000000000}));
  expectTensor(
      convert(f64({3}, {4294967295.5, 4294967296.0, -1.0}), DType::UI32),
      ui32({3}, {UINT32_MAX, UINT32_MAX, 0}));
  expectTensor(convert(f64({2}, {2147483647.5, -2147483648.5}), DType::I32),
               i32({2}, {INT32_MAX, INT32_MIN}));
}

TEST(ConvertTest, ToFloatRoundsToNearestEven) {
  expectTensor(convert(i32({3}, {16777217, 16777219, -16777217}), DType::F32),
               f32({3}, {16777216, 16777220, -16777216}));
  expectTensor(convert(i64({1}, {(int64_t(1) << 53) + 1}), DType::F64),
               f64({1}, {9007199254740992.0}));
  expectTensor(convert(i64({2}, {i64Max, (int64_t(1) << 40) + 1}), DType::F32),
               f32({2}, {0x1p63f, 0x1p40f}));
  expectTensor(convert(ui32({1}, {UINT32_MAX}), DType::F32),
               f32({1}, {0x1p32f}));
  expectTensor(convert(f64({4}, {0.1, 1e39, 1e-46, nan}), DType::F32),
               f32({4}, {0.1f, inf, 0, nan}));
  expectTensor(convert(f32({1}, {0.1f}), DType::F64),
               f64({1}, {0.10000000149011612}));
}

TEST(ConvertTest, BooleansAndIntegers) {
  expectTensor(convert(f32({4}, {0.0f, -0.0f, nan, 0.5f}), DType::I1),
               i1({4}, {false, false, true, true}));
  expectTensor(convert(i32({2}, {0, -4}), DType::I1), i1({2}, {false, true}));
  expectTensor(convert(i1({2}, {false, true}), DType::F64), f64({2}, {0, 1}));
  expectTensor(convert(i1({2}, {false, true}), DType::I32), i32({2}, {0, 1}));
  expectTensor(convert(i64({2}, {(int64_t(1) << 32) + 7, -1}), DType::I32),
               i32({2}, {7, -1}));
  expectTensor(convert(i32({1}, {-1}), DType::UI32), ui32({1}, {UINT32_MAX}));
  expectTensor(convert(ui32({1}, {UINT32_MAX}), DType::I64),
               i64({1}, {4294967295}));
}

TEST(BitcastTest, KeepsBits) {
  expectTensor(bitcast(f32({2}, {1, -0.0f}), DType::UI32),
               ui32({2}, {0x3f800000, 0x80000000}));
  expectTensor(bitcast(f64({1}, {1}), DType::I64),
               i64({1}, {0x3ff0000000000000}));
  expectTensor(bitcast(i32({1}, {0x40490fdb}), DType::F32),
               f32({1}, {3.14159274f}));
}

TEST(BitcastTest, NaNIsCanonicalEitherWay) {
  expectTensor(bitcast(ui32({2}, {0xffc00001, 0x7f800001}), DType::F32),
               f32({2}, {nan, nan}));
  Tensor payload = Tensor::zeros(DType::F32, {1});
  uint32_t bits = 0xffc12345;
  std::memcpy(payload.bytes(), &bits, sizeof(bits));
  expectTensor(bitcast(payload, DType::I32), i32({1}, {0x7fc00000}));
}

// Corpus case PVD-A01: the rounding of literals, as conversions from f64.
TEST(ConvertTest, PvdA01) {
  expectTensor(convert(f64({}, {0.1}), DType::F32),
               bitcast(ui32({}, {0x3dcccccd}), DType::F32));
  expectTensor(convert(f64({2}, {16777217, 1e-46}), DType::F32),
               f32({2}, {16777216, 0}));
}

} // namespace
