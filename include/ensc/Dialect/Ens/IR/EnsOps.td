//===- EnsOps.td - All of the dialect ----------------------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "ensc/Dialect/Ens/IR/EnsElementwise.td"
include "ensc/Dialect/Ens/IR/EnsShape.td"
include "ensc/Dialect/Ens/IR/EnsContraction.td"
include "ensc/Dialect/Ens/IR/EnsIndexing.td"
include "ensc/Dialect/Ens/IR/EnsRandom.td"
include "ensc/Dialect/Ens/IR/EnsComposite.td"
include "ensc/Dialect/Ens/IR/EnsTransform.td"
include "ensc/Dialect/Ens/IR/EnsPhase.td"
