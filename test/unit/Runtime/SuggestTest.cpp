//===- SuggestTest.cpp - What a misspelt name may have meant --------------===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ensc/Runtime/Suggest.h"

#include <gtest/gtest.h>

using ensc::suggest;

namespace {

TEST(Suggest, NamesTheNearestAndAll) {
  EXPECT_EQ(suggest("beta", {"lr", "beta1", "beta2"}),
            "; did you mean 'beta1'? (it has lr, beta1, beta2)");
  EXPECT_EQ(suggest("acuracy", {"loss", "accuracy"}),
            "; did you mean 'accuracy'? (it has loss, accuracy)");
}

TEST(Suggest, GuessesNothingFarFetched) {
  EXPECT_EQ(suggest("momentum", {"lr", "eps"}), "; it has lr, eps");
  EXPECT_EQ(suggest("y", {"x"}), "; it has x");
  EXPECT_EQ(suggest("lr", {}), "; it has none");
}

} // namespace
