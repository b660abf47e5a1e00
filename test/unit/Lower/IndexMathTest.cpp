//===- IndexMathTest.cpp - Linear indices against plain integers ----------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/TypeSwitch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

using namespace mlir;
using namespace ensc::cpu;

namespace {

using Lanes = std::vector<int64_t>;

/// Indices over two counters, whose arithmetic goes into a block.
struct Space {
  Space(MLIRContext &context, AtomRange rangeOfI, AtomRange rangeOfJ)
      : builder(UnknownLoc::get(&context), &context), math(builder, &block),
        i(block.addArgument(builder.getI64Type(), builder.getLoc())),
        j(block.addArgument(builder.getI64Type(), builder.getLoc())) {
    builder.setInsertionPointToEnd(&block);
    atI = math.atom(i, rangeOfI);
    atJ = math.atom(j, rangeOfJ);
  }

  Index form(int64_t a, int64_t b, int64_t c, int64_t stride = 0) {
    Index sum = math.add(math.scale(atI, a), math.scale(atJ, b));
    return math.add(math.add(sum, math.constant(c)),
                    math.scale(math.lane(), stride));
  }

  Block block;
  ImplicitLocOpBuilder builder;
  IndexMath math;
  Value i, j;
  Index atI, atJ;
};

/// Computes what a space has emitted at one point.
class Evaluator {
public:
  Evaluator(Space &space, int64_t i, int64_t j) {
    values[space.i] = {i};
    values[space.j] = {j};
    for (Operation &op : space.block)
      values[op.getResult(0)] = compute(op);
  }

  const Lanes &operator[](Value value) const { return values.at(value); }

private:
  static Lanes constant(Attribute value) {
    if (auto dense = dyn_cast<DenseElementsAttr>(value))
      return Lanes(dense.value_begin<int64_t>(), dense.value_end<int64_t>());
    return {cast<IntegerAttr>(value).getInt()};
  }

  Lanes zip(Operation &op, std::function<int64_t(int64_t, int64_t)> f) const {
    Lanes result = values.at(op.getOperand(0));
    const Lanes &other = values.at(op.getOperand(1));
    for (size_t lane = 0; lane < result.size(); ++lane)
      result[lane] = f(result[lane], other[lane]);
    return result;
  }

  Lanes compute(Operation &op) const {
    using Bits = uint64_t;
    return llvm::TypeSwitch<Operation *, Lanes>(&op)
        .Case([](arith::ConstantOp c) { return constant(c.getValue()); })
        .Case([&](arith::AddIOp) { return zip(op, std::plus<Bits>()); })
        .Case([&](arith::MulIOp) { return zip(op, std::multiplies<Bits>()); })
        .Case([&](arith::DivUIOp) { return zip(op, std::divides<Bits>()); })
        .Case([&](arith::RemUIOp) { return zip(op, std::modulus<Bits>()); })
        .Case([&](arith::MinSIOp) {
          return zip(op, [](int64_t a, int64_t b) { return std::min(a, b); });
        })
        .Case([&](arith::MaxSIOp) {
          return zip(op, [](int64_t a, int64_t b) { return std::max(a, b); });
        })
        .Case([](LLVM::PoisonOp poison) {
          return Lanes(cast<VectorType>(poison.getType()).getNumElements());
        })
        .Case([&](LLVM::InsertElementOp insert) {
          Lanes lanes = values.at(insert.getVector());
          lanes[values.at(insert.getPosition())[0]] =
              values.at(insert.getValue())[0];
          return lanes;
        })
        .Case([&](LLVM::ShuffleVectorOp shuffle) {
          const Lanes &from = values.at(shuffle.getV1());
          return Lanes(shuffle.getMask().size(), from[shuffle.getMask()[0]]);
        });
  }

  std::map<Value, Lanes, std::function<bool(Value, Value)>> values{
      [](Value a, Value b) {
        return a.getAsOpaquePointer() < b.getAsOpaquePointer();
      }};
};

class IndexMathTest : public testing::Test {
protected:
  IndexMathTest() {
    context.loadDialect<arith::ArithDialect, LLVM::LLVMDialect>();
  }

  MLIRContext context;
};

/// Expects of a*i + b*j + c + stride * lane, divided by each small number, what
/// integers give.
void checkDivisions(MLIRContext &context, int64_t a, int64_t b, int64_t c,
                    int64_t stride, int64_t width, int64_t begin,
                    int64_t step) {
  const AtomRange rangeOfI = AtomRange::ofLoop(begin, 13, step);
  const AtomRange rangeOfJ = AtomRange::ofLoop(0, 4, 1);
  Space space(context, rangeOfI, rangeOfJ);
  std::vector<std::pair<Value, Value>> parts;
  for (int64_t divisor = 1; divisor <= 7; ++divisor) {
    auto apply = [&](IndexOp op) {
      Index result = space.math.apply(op, space.form(a, b, c, stride),
                                      space.math.constant(divisor), width);
      return width == 1 ? space.math.scalar(result)
                        : space.math.vector(result, width);
    };
    Value quotient = apply(IndexOp::Divide);
    parts.push_back({quotient, apply(IndexOp::Remainder)});
  }
  for (int64_t i = rangeOfI.least; i <= rangeOfI.most; i += step)
    for (int64_t j = rangeOfJ.least; j <= rangeOfJ.most; ++j) {
      Evaluator evaluator(space, i, j);
      for (int64_t divisor = 1; divisor <= 7; ++divisor)
        for (int64_t lane = 0; lane < width; ++lane) {
          uint64_t value = a * i + b * j + c + stride * lane;
          auto [quotient, remainder] = parts[divisor - 1];
          ASSERT_EQ(uint64_t(evaluator[quotient][lane]), value / divisor)
              << a << "i + " << b << "j + " << c << " + " << stride
              << "lane at " << i << ", " << j << " / " << divisor;
          ASSERT_EQ(uint64_t(evaluator[remainder][lane]), value % divisor)
              << a << "i + " << b << "j + " << c << " + " << stride
              << "lane at " << i << ", " << j << " % " << divisor;
        }
    }
}

} // namespace

TEST_F(IndexMathTest, DividesSumsOfAnySign) {
  for (int64_t a : {-6, -3, -2, -1, 0, 1, 3, 4})
    for (int64_t b : {-4, -1, 0, 1, 2, 5})
      for (int64_t c : {-13, -1, 0, 5, 12, 47})
        checkDivisions(context, a, b, c, /*stride=*/0, /*width=*/1,
                       /*begin=*/1, /*step=*/5);
}

TEST_F(IndexMathTest, DividesVectorsOfPoints) {
  for (int64_t a : {-4, -1, 0, 2})
    for (int64_t b : {-4, 0, 1, 4})
      for (int64_t c : {-2, 0, 3, 36})
        for (int64_t stride : {-2, -1, 1, 3, 6})
          for (int64_t begin : {0, 1}) // Of multiples of 4, and of others.
            checkDivisions(context, a, b, c, stride, /*width=*/4, begin,
                           /*step=*/4);
}

TEST_F(IndexMathTest, DividesClampedIndicesAsSums) {
  Space space(context, {}, AtomRange::ofLoop(0, 4, 1));
  IndexMath &math = space.math;
  Index above = math.apply(IndexOp::Maximum, space.atI, math.constant(0), 1);
  Index start = math.apply(IndexOp::Minimum, above, math.constant(5), 1);
  Index at = math.add(math.scale(start, 4), space.atJ);
  Index quotient = math.apply(IndexOp::Divide, at, math.constant(4), 1);
  Index remainder = math.apply(IndexOp::Remainder, at, math.constant(4), 1);
  EXPECT_EQ(quotient.terms, start.terms);
  EXPECT_EQ(remainder.terms, space.atJ.terms);
}

TEST_F(IndexMathTest, DividesWhatMayBeAnything) {
  Space space(context, {}, {});
  IndexMath &math = space.math;
  Value quotient = math.scalar(math.apply(IndexOp::Divide, space.form(2, 0, 1),
                                          math.constant(2), /*width=*/1));
  for (int64_t i : {INT64_MIN / 2, int64_t(-7), int64_t(0), INT64_MAX / 2})
    EXPECT_EQ(uint64_t(Evaluator(space, i, 0)[quotient][0]),
              uint64_t(2 * i + 1) / 2);
}

TEST_F(IndexMathTest, UndoesTheFlatteningOfReversedIndices) {
  Space space(context, AtomRange::ofLoop(0, 7, 1), AtomRange::ofLoop(0, 4, 1));
  IndexMath &math = space.math;
  // 27 - (4i + j) = 4 (6 - i) + (3 - j).
  Index at = space.form(-4, -1, 27);
  Index quotient = math.apply(IndexOp::Divide, at, math.constant(4), 1);
  Index remainder = math.apply(IndexOp::Remainder, at, math.constant(4), 1);
  EXPECT_EQ(quotient.terms, space.form(-1, 0, 6).terms);
  EXPECT_EQ(quotient.constant, 6);
  EXPECT_EQ(remainder.terms, space.form(0, -1, 3).terms);
  EXPECT_EQ(remainder.constant, 3);
}

TEST_F(IndexMathTest, DividesWhatWraps) {
  constexpr int64_t large = int64_t(1) << 62;
  constexpr int64_t third = 6148914691236517206; // A multiple of 3.
  Space space(context, AtomRange::ofLoop(0, 6, 1), {0, INT64_MAX});
  IndexMath &math = space.math;
  auto divide = [&](IndexOp op, const Index &by, int64_t divisor) {
    return math.scalar(math.apply(op, by, math.constant(divisor), 1));
  };
  Value half = divide(IndexOp::Divide, space.form(large, 0, 0), large / 2);
  Value quotient = divide(IndexOp::Divide, space.form(third, 0, 0), 3);
  Value remainder = divide(IndexOp::Remainder, space.form(third, 0, 0), 3);
  Index least = math.apply(IndexOp::Minimum, space.form(large, 0, 0),
                           math.constant(5), 1);
  Value eighth = divide(IndexOp::Divide, least, 8);
  // Without a greatest value a sum may wrap, too.
  Value beyond = divide(IndexOp::Divide, space.form(0, 4, 1), 4);
  for (int64_t i = 0; i < 6; ++i)
    for (int64_t j : {int64_t(7), INT64_MAX - 1}) {
      Evaluator evaluator(space, i, j);
      auto of = [&](Value value) { return uint64_t(evaluator[value][0]); };
      EXPECT_EQ(of(half), uint64_t(large) * i / uint64_t(large / 2));
      EXPECT_EQ(of(quotient), uint64_t(third) * i / 3);
      EXPECT_EQ(of(remainder), uint64_t(third) * i % 3);
      auto smaller = std::min<int64_t>(uint64_t(large) * i, 5);
      EXPECT_EQ(of(eighth), uint64_t(smaller) / 8);
      EXPECT_EQ(of(beyond), (4 * uint64_t(j) + 1) / 4);
    }
}
