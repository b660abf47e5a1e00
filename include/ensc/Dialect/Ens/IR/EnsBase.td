//===- EnsBase.td - Dialect, op bases and type constraints -*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSBASE
#define ENSC_DIALECT_ENS_IR_ENSBASE

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def Ens_Dialect : Dialect {
  let name = "ens";
  let cppNamespace = "::ensc::ens";
  let summary = "Single-run tensor programs that ensc trains as ensembles";
  let description = [{
    Value-semantic operations on statically shaped tensors, out of which a
    user states a model, a loss and an optimizer for one run. The result of
    each operation is defined to the bit in
    [Numerics](Numerics.md). Broadcasting is always explicit.

    Elementwise operations also accept plain scalars: that is how the bodies of
    the phases that Schedule makes are written.
  }];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
  private:
    // One per file of op definitions, so that no translation unit holds the
    // code of all ops.
    void addElementwiseOps();
    void addShapeOps();
    void addContractionOps();
    void addIndexingOps();
    void addRandomOps();
    void addCompositeOps();
    void addTransformOps();
    void addPhaseOps();
    void addAttributes();

  public:
  }];
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

def Ens_Float : AnyTypeOf<[F32, F64], "f32 or f64">;
def Ens_Integer : AnyTypeOf<[I32, I64, UI32], "i32, i64 or ui32">;
def Ens_Number : AnyTypeOf<[F32, F64, I32, I64, UI32],
                           "f32, f64, i32, i64 or ui32">;
def Ens_Bits : AnyTypeOf<[I1, I32, I64, UI32], "i1, i32, i64 or ui32">;
def Ens_Element : AnyTypeOf<[F32, F64, I1, I32, I64, UI32],
                            "f32, f64, i1, i32, i64 or ui32">;

//===----------------------------------------------------------------------===//
// Tensors of them
//===----------------------------------------------------------------------===//

def Ens_NoEncoding
    : CPred<"!::llvm::cast<::mlir::RankedTensorType>($_self).getEncoding()">;

def Ens_Countable
    : CPred<"::ensc::ens::isCountable("
            "::llvm::cast<::mlir::RankedTensorType>($_self))">;

class Ens_TensorOf<Type element>
    : ConfinedType<StaticShapeTensorOf<[element]>,
                   [Ens_NoEncoding, Ens_Countable],
                   "static tensor of " # element.summary #
                       " (at most 2^40 elements)",
                   "::mlir::RankedTensorType">;

def Ens_FloatTensor : Ens_TensorOf<Ens_Float>;
def Ens_IntegerTensor : Ens_TensorOf<Ens_Integer>;
def Ens_NumberTensor : Ens_TensorOf<Ens_Number>;
def Ens_Tensor : Ens_TensorOf<Ens_Element>;
def Ens_IndexTensor
    : Ens_TensorOf<AnyTypeOf<[I32, I64], "i32 or i64">>;
def Ens_SeedTensor : Ens_TensorOf<I64>;
def Ens_SeedScalar
    : ConfinedType<Ens_SeedTensor,
                   [CPred<"::llvm::cast<::mlir::RankedTensorType>($_self)"
                          ".getRank() == 0">],
                   "tensor<i64>", "::mlir::RankedTensorType">,
      BuildableType<"::mlir::RankedTensorType::get({}, "
                    "$_builder.getI64Type())">;

//===----------------------------------------------------------------------===//
// Operands of elementwise ops: tensors, or scalars inside a phase
//===----------------------------------------------------------------------===//

class Ens_Like<Type element>
    : AnyTypeOf<[element, Ens_TensorOf<element>],
                element.summary #
                    ", scalar or static tensor (at most 2^40 elements)">;

def Ens_FloatLike : Ens_Like<Ens_Float>;
def Ens_IntegerLike : Ens_Like<Ens_Integer>;
def Ens_NumberLike : Ens_Like<Ens_Number>;
def Ens_BitsLike : Ens_Like<Ens_Bits>;
def Ens_BoolLike : Ens_Like<I1>;
def Ens_ElementLike : Ens_Like<Ens_Element>;

//===----------------------------------------------------------------------===//
// Op bases
//===----------------------------------------------------------------------===//

class Ens_Op<string mnemonic, list<Trait> traits = []>
    : Op<Ens_Dialect, mnemonic, traits>;

/// An op on tensors without side effects whose result type follows from its
/// operands and attributes.
class Ens_InferredOp<string mnemonic, list<Trait> traits = []>
    : Ens_Op<mnemonic, traits # [Pure, InferTypeOpAdaptor]>;

#endif // ENSC_DIALECT_ENS_IR_ENSBASE
