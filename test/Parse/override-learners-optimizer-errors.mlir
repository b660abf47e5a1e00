// RUN: ens-opt %s --ens-override-learners="optimizer=adamm<lr=0.1>" --verify-diagnostics
// RUN: not ens-opt %s --ens-override-learners="optimizer=sgd<rate=0.1>" 2>&1 | FileCheck %s --check-prefix=RATE
// RUN: not ens-opt %s --ens-override-learners="optimizer=cosine<steps=5.0>" 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not ens-opt %s --ens-override-learners="optimizer=sgd<lr=-0.1>" 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not ens-opt %s --ens-override-learners="batch-size=-2" 2>&1 | FileCheck %s --check-prefix=SIZE

// RATE: 'ens.learner' op cannot be trained by the optimizer 'sgd<rate=0.1>': {{.*}}; write it as in "adam" or "sgd<lr = 0.1>"
// KIND: 'ens.learner' op expects #ens.sgd, #ens.momentum, #ens.adam or #ens.adamw as optimizer, got #ens.cosine
// RANGE: 'ens.learner' op expects lr to be at least 0, got #ens.sgd
// SIZE: 'ens.learner' op expects a positive batch_size, got -2
func.func @init() -> (tensor<f32> {ens.name = "w"}) {
  %0 = ens.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @loss(%w: tensor<f32> {ens.name = "w"}) -> tensor<f32> {
  return %w : tensor<f32>
}
// expected-error @+1 {{'ens.learner' op cannot be trained by the optimizer 'adamm<lr=0.1>': }}
ens.learner @net {init = @init, loss = @loss, batch_size = 1 : i64,
                  optimizer = #ens.sgd<lr = 0.1>}
