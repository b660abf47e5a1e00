//===- EnsAttributes.td - Enums and attributes -------------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSATTRIBUTES
#define ENSC_DIALECT_ENS_IR_ENSATTRIBUTES

include "ensc/Dialect/Ens/IR/EnsBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

class Ens_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::ensc::ens";
}

def Ens_ComparePredicate
    : Ens_Enum<"ComparePredicate", "how two elements are compared", [
        I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>,
        I32EnumAttrCase<"lt", 2>, I32EnumAttrCase<"le", 3>,
        I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>]>;

def Ens_ReduceKind
    : Ens_Enum<"ReduceKind", "how elements are combined", [
        I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"max", 1>,
        I32EnumAttrCase<"min", 2>]>;

def Ens_ArgReduceKind
    : Ens_Enum<"ArgReduceKind", "which element's index is wanted", [
        I32EnumAttrCase<"max", 0>, I32EnumAttrCase<"min", 1>]>;

def Ens_FoldKind
    : Ens_Enum<"FoldKind", "what a fold computes from its elements", [
        I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"max", 1>,
        I32EnumAttrCase<"min", 2>, I32EnumAttrCase<"argmax", 3>,
        I32EnumAttrCase<"argmin", 4>]>;

def Ens_GatherMode
    : Ens_Enum<"GatherMode", "what an index out of range reads", [
        I32EnumAttrCase<"clamp", 0>, I32EnumAttrCase<"fill", 1>]>;

def Ens_ScatterKind
    : Ens_Enum<"ScatterKind", "what an update does to the element it meets", [
        I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"set", 1>]>;

def Ens_ScatterMode
    : Ens_Enum<"ScatterMode", "what becomes of an update out of range", [
        I32EnumAttrCase<"clamp", 0>, I32EnumAttrCase<"drop", 1>]>;

//===----------------------------------------------------------------------===//
// Optimizers and schedules of a learner
//===----------------------------------------------------------------------===//

class Ens_Attr<string name, string attrMnemonic> : AttrDef<Ens_Dialect, name> {
  let mnemonic = attrMnemonic;
  let assemblyFormat = "`<` struct(params) `>`";
}

/// A number of the optimizer: exact as written, hence not a `double`, which has
/// no hash.
class Ens_RequiredF64Param<string desc>
    : AttrParameter<"::llvm::APFloat", desc> {
  let comparator = "$_lhs.bitwiseIsEqual($_rhs)";
  let parser = "::ensc::ens::parseF64Parameter($_parser)";
}

class Ens_F64Param<string default, string desc>
    : Ens_RequiredF64Param<desc> {
  let defaultValue = "::llvm::APFloat(" # default # ")";
}

def Ens_SgdAttr : Ens_Attr<"Sgd", "sgd"> {
  let summary = "Gradient descent: (1 - lr * weight_decay) * p - lr * g";
  let parameters = (ins Ens_RequiredF64Param<"learning rate">:$lr,
      Ens_F64Param<"0.0", "added to the gradient as weight_decay * p">
          :$weight_decay);
}

def Ens_MomentumAttr : Ens_Attr<"Momentum", "momentum"> {
  let summary = "Heavy-ball momentum: v = momentum * v + d; p - lr * v, where "
                "d = g + weight_decay * p";
  let description = [{
    With `nesterov = true` the step is along `d + momentum * v` instead
    (Sutskever et al. 2013, in the form that takes the gradient at p). A new v
    is rounded to a multiple of 2^-100.
  }];
  let parameters = (ins Ens_RequiredF64Param<"learning rate">:$lr,
      Ens_F64Param<"0.9", "decay of the velocity">:$momentum,
      Ens_F64Param<"0.0", "added to the gradient as weight_decay * p">
          :$weight_decay,
      DefaultValuedParameter<"bool", "false">:$nesterov);
}

def Ens_AdamAttr : Ens_Attr<"Adam", "adam"> {
  let summary = "Adam (Kingma and Ba 2015), epsilon outside the root, after "
                "the bias correction";
  let description = [{
    New moments are rounded to multiples of 2^-100.
  }];
  let parameters = (ins Ens_RequiredF64Param<"learning rate">:$lr,
      Ens_F64Param<"0.9", "decay of the first moment">:$beta1,
      Ens_F64Param<"0.999", "decay of the second moment">:$beta2,
      Ens_F64Param<"1.0e-8", "added to the root of the second moment">:$eps);
}

def Ens_AdamWAttr : Ens_Attr<"AdamW", "adamw"> {
  let summary = "Adam with decoupled weight decay (Loshchilov and Hutter 2019): "
                "the step of Adam from p - (lr * weight_decay) * p";
  let parameters = (ins Ens_RequiredF64Param<"learning rate">:$lr,
      Ens_F64Param<"0.9", "decay of the first moment">:$beta1,
      Ens_F64Param<"0.999", "decay of the second moment">:$beta2,
      Ens_F64Param<"1.0e-8", "added to the root of the second moment">:$eps,
      Ens_F64Param<"0.01", "decay per step, times the learning rate">
          :$weight_decay);
}

def Ens_ConstantScheduleAttr : Ens_Attr<"ConstantSchedule", "constant"> {
  let summary = "The learning rate stays as it is";
  let assemblyFormat = "";
}

def Ens_CosineScheduleAttr : Ens_Attr<"CosineSchedule", "cosine"> {
  let summary = "From lr to final * lr along half a cosine, after a linear "
                "warm-up from 0";
  let parameters = (ins
      Ens_RequiredF64Param<"step at which the final rate is reached">:$steps,
      Ens_F64Param<"0.0", "steps of linear warm-up, the first of `steps`">:$warmup,
      Ens_F64Param<"0.0", "fraction of lr at the end">:$final);
}

def Ens_WarmupScheduleAttr : Ens_Attr<"WarmupSchedule", "warmup"> {
  let summary = "Linear from 0 to lr in `steps` steps, constant afterwards";
  let parameters = (ins Ens_RequiredF64Param<"steps of warm-up">:$steps);
}

#endif // ENSC_DIALECT_ENS_IR_ENSATTRIBUTES
