//===- EnsComposite.td - Ops that Expand lowers ------------*- tablegen -*-===//
//
// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ENSC_DIALECT_ENS_IR_ENSCOMPOSITE
#define ENSC_DIALECT_ENS_IR_ENSCOMPOSITE

include "ensc/Dialect/Ens/IR/EnsAttributes.td"

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

class Ens_ActivationOp<string mnemonic, string formula, string notes>
    : Ens_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = formula;
  let description = notes # "\n\n```mlir\n%y = ens." # mnemonic #
                    " %x : tensor<4x3xf32>\n```\n";
  let arguments = (ins Ens_FloatTensor:$x);
  let results = (outs Ens_FloatTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

def Ens_ReluOp : Ens_ActivationOp<"relu", "x <= 0 ? 0 : x",
    "NaN stays visible. The derivative is 0 at 0.">;
def Ens_GeluOp : Ens_ActivationOp<"gelu", "x * (1 + erf(x / sqrt(2))) / 2",
    "The exact form (Hendrycks and Gimpel 2016).">;
def Ens_SoftplusOp : Ens_ActivationOp<"softplus", "log(1 + exp(x))",
    "Computed as max(x, 0) + log1p(exp(-|x|)); its derivative is logistic(x).">;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def Ens_MeanOp : Ens_InferredOp<"mean"> {
  let summary = "Sum over some dimensions divided by the number of elements";
  let description = [{
    NaN over no element.

    Constraints: mean_c1: `dims` are dimensions of the operand, strictly
    increasing.

    ```mlir
    %m = ens.mean %x dims = [0] : (tensor<4x3xf32>) -> tensor<3xf32>
    ```
  }];
  let arguments = (ins Ens_FloatTensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Ens_FloatTensor:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims attr-dict `:` functional-type(operands, results)
  }];
}

class Ens_LastDimOp<string mnemonic> : Ens_Op<mnemonic,
    [Pure, SameOperandsAndResultType]> {
  let arguments = (ins Ens_FloatTensor:$x);
  let results = (outs Ens_FloatTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Ens_LogSumExpOp : Ens_InferredOp<"logsumexp"> {
  let summary = "log of the sum of exp over the last dimension";
  let description = [{
    Shifted by the greatest element, so that nothing overflows. A row of -inf
    gives -inf, and the derivative there is 0.

    Constraints: logsumexp_c1: the operand has at least one dimension, the last
    one not empty.

    ```mlir
    %l = ens.logsumexp %x : (tensor<4x3xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Ens_FloatTensor:$x);
  let results = (outs Ens_FloatTensor:$result);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def Ens_SoftmaxOp : Ens_LastDimOp<"softmax"> {
  let summary = "exp(x) over its sum along the last dimension";
  let description = [{
    Computed from x minus the greatest element of the row.

    Constraints: softmax_c1: the operand has at least one dimension, the last one
    not empty.

    ```mlir
    %p = ens.softmax %x : tensor<4x3xf32>
    ```
  }];
}

def Ens_LogSoftmaxOp : Ens_LastDimOp<"log_softmax"> {
  let summary = "x minus logsumexp(x) along the last dimension";
  let description = [{
    Constraints: log_softmax_c1: the operand has at least one dimension, the
    last one not empty.

    ```mlir
    %p = ens.log_softmax %x : tensor<4x3xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

def Ens_SoftmaxCrossEntropyOp : Ens_InferredOp<"softmax_cross_entropy"> {
  let summary = "logsumexp(logits) - logits[label], for each row";
  let description = [{
    A label out of range is clamped into it here. Labels that are an argument
    with the role `data` are checked before anything runs, unless they have no
    effect on a result or stand in a branch: see `ens-annotate-classes`.

    Constraints: softmax_cross_entropy_c1: logits have at least one dimension,
    the last one not empty. softmax_cross_entropy_c2: labels have the shape of
    the logits without the last dimension.

    ```mlir
    %l = ens.softmax_cross_entropy %logits, %labels : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Ens_FloatTensor:$logits, Ens_IndexTensor:$labels);
  let results = (outs Ens_FloatTensor:$result);
  let assemblyFormat = [{
    $logits `,` $labels attr-dict `:` functional-type(operands, results)
  }];
}

def Ens_MseOp : Ens_InferredOp<"mse"> {
  let summary = "Mean of squared differences over all dimensions but the first";
  let description = [{
    One value per row. For rank 1 that is the squared difference itself.

    Constraints: mse_c1: both operands have the same type of rank 1 or more.

    ```mlir
    %l = ens.mse %prediction, %target : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Ens_FloatTensor:$prediction, Ens_FloatTensor:$target);
  let results = (outs Ens_FloatTensor:$result);
  let assemblyFormat = [{
    $prediction `,` $target attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Randomness
//===----------------------------------------------------------------------===//

def Ens_DropoutOp : Ens_Op<"dropout", [Pure,
    AllTypesMatch<["x", "result"]>,
    TypesMatchWith<"the rate is a scalar of the operand's element type", "x",
                   "rate", "::mlir::RankedTensorType::get({}, "
                   "::llvm::cast<::mlir::RankedTensorType>($_self)"
                   ".getElementType())">]> {
  let summary = "Zeroes elements with probability rate, scales the others";
  let description = [{
    An element is kept where a uniform number is at least `rate`, and divided
    by 1 - rate. Rate 0 is the identity, rate 1 gives zeros, a rate outside
    [0, 1] gives NaN.

    Constraints: dropout_c1: a rate known at compile time is in [0, 1].

    ```mlir
    %y = ens.dropout %x, %rate, %seed, %step : tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Ens_FloatTensor:$x, Ens_FloatTensor:$rate,
                       Ens_SeedScalar:$seed, Ens_SeedScalar:$step,
                       OptionalAttr<I64Attr>:$site);
  let results = (outs Ens_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $rate `,` $seed `,` $step attr-dict `:` type($x)
  }];
  let hasVerifier = 1;
}

class Ens_DrawOp<string mnemonic, dag parameters> : Ens_Op<mnemonic, [Pure]> {
  let arguments = !con((ins Ens_SeedScalar:$seed), parameters,
                       (ins OptionalAttr<I64Attr>:$site));
  let results = (outs Ens_FloatTensor:$result);
  let assemblyFormat = "$seed attr-dict `:` type($result)";
  let hasVerifier = 1;
}

class Ens_InitializerOp<string mnemonic, string formula, string source>
    : Ens_DrawOp<mnemonic, (ins)> {
  let summary = formula;
  let description = [{
    The last dimension is the fan-out, the product of the others is the
    fan-in. Source: }] # source # ".\n\nConstraints: " # mnemonic #
    "_c1: the result has rank 2 or more and no empty dimension.\n\n```mlir\n%w = ens." # mnemonic #
    " %seed : tensor<64x32xf32>\n```\n";
}

def Ens_UniformOp : Ens_DrawOp<"uniform", (ins
    DefaultValuedAttr<F64Attr, "0.0">:$low,
    DefaultValuedAttr<F64Attr, "1.0">:$high)> {
  let summary = "low + (high - low) * u, u uniform in the open interval (0, 1)";
  let description = [{
    Constraints: uniform_c1: low is less than high and both are finite.

    ```mlir
    %w = ens.uniform %seed {low = -1.0 : f64, high = 1.0 : f64} : tensor<4x3xf32>
    ```
  }];
}
def Ens_NormalOp : Ens_DrawOp<"normal", (ins
    DefaultValuedAttr<F64Attr, "0.0">:$mean,
    DefaultValuedAttr<F64Attr, "1.0">:$stddev)> {
  let summary = "mean + stddev * sqrt(2) * erf_inv(2 u - 1)";
  let description = [{
    Constraints: normal_c1: stddev is positive and both are finite.

    ```mlir
    %w = ens.normal %seed {stddev = 0.1 : f64} : tensor<4x3xf32>
    ```
  }];
}
def Ens_HeNormalOp : Ens_InitializerOp<"he_normal",
    "Normal with deviation sqrt(2 / fan-in)", "He et al. 2015">;
def Ens_HeUniformOp : Ens_InitializerOp<"he_uniform",
    "Uniform within sqrt(6 / fan-in) of 0", "He et al. 2015">;
def Ens_GlorotNormalOp : Ens_InitializerOp<"glorot_normal",
    "Normal with deviation sqrt(2 / (fan-in + fan-out))",
    "Glorot and Bengio 2010">;
def Ens_GlorotUniformOp : Ens_InitializerOp<"glorot_uniform",
    "Uniform within sqrt(6 / (fan-in + fan-out)) of 0",
    "Glorot and Bengio 2010">;

#endif // ENSC_DIALECT_ENS_IR_ENSCOMPOSITE
