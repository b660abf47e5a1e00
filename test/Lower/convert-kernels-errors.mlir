// RUN: ens-opt %s -ens-convert-kernels -verify-diagnostics

llvm.func @kernel() {
  // expected-error @+1 {{failed to legalize operation 'tensor.empty'}}
  %none = tensor.empty() : tensor<2xf32>
  llvm.return
}
