//===- EnsInterfaces.td - What the transforms ask of an op -*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSINTERFACES
#define ENSC_DIALECT_ENS_IR_ENSINTERFACES

include "mlir/IR/OpBase.td"

def Ens_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::ensc::ens";
  let description = [{
    The derivative of an op. The rules are attached from tables under
    `lib/Differentiate/Rules`, one file per family of ops; an op without this
    interface cannot be differentiated and is reported as such.

    A null Value stands for a symbolic zero, on the way in and on the way out: it
    is never multiplied, added or stored. Values of integer and boolean type
    have no tangent and no cotangent: theirs are always null.
  }];
  let methods = [
    InterfaceMethod<[{
        Forward mode. Given the tangent of each operand (null: zero), appends
        one tangent per result (null: zero) to `resultTangents`. The op itself
        is the primal: its operands and results may be read.
      }],
      "::llvm::LogicalResult", "emitJvp",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$operandTangents,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$resultTangents)>,
    InterfaceMethod<[{
        Reverse mode. Given the cotangent of each result (null: zero, but at
        least one is not), appends one cotangent per operand to
        `operandCotangents`: null where it is zero or where the operand's bit in
        `active` is not set, since nobody will read it.
      }],
      "::llvm::LogicalResult", "emitVjp",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$resultCotangents,
           "const ::llvm::BitVector &":$active,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$operandCotangents)>,
    InterfaceMethod<[{
        Whether a derivative may flow from this operand to a float result. False
        where it is zero by definition, as for `ens.stop_gradient`: then
        nothing that only feeds this operand is differentiated.
      }],
      "bool", "carriesDerivative", (ins "unsigned":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/"return true;">,
  ];
}

def Ens_RunVectorizableOpInterface
    : OpInterface<"RunVectorizableOpInterface"> {
  let cppNamespace = "::ensc::ens";
  let description = [{
    The run rule of an op: how the op of one run becomes the op of several. The
    rules are attached from tables under `lib/Vectorize/Rules`.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the op for `runs` runs. `operands` stand for the op's operands;
        those whose bit in `varying` is set lead with a dimension of `runs`, the
        others are as in the original op. At least one operand is varying, or
        the op is a source of difference itself (`ens.run_id`). Appends the
        results, each leading with `runs`, to `results`.
      }],
      "::llvm::LogicalResult", "vectorizeOverRuns",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$operands,
           "const ::llvm::BitVector &":$varying, "int64_t":$runs,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$results)>,
  ];
}

#endif // ENSC_DIALECT_ENS_IR_ENSINTERFACES
