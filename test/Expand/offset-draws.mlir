// RUN: ens-opt %s --ens-number-sites --ens-offset-draws=batch-entries=predict,predict_twice \
// RUN:   --split-input-file | FileCheck %s

// A draw in a loop is offset by the number of the iteration, counted through
// all loops around it.

// CHECK-LABEL: func.func @loops
// CHECK-SAME:    (%[[SEED:.*]]: tensor<i64>, %[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[STEP:.*]]: index,
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK:           scf.for %[[J:[a-z0-9]+]] =
// CHECK:             %[[DISTANCE_I:.*]] = arith.subi %[[I]], %[[BEGIN]]
// CHECK:             %[[ITERATION_I:.*]] = arith.divui %[[DISTANCE_I]], %[[STEP]]
// CHECK:             %[[DISTANCE_J:.*]] = arith.subi %[[J]], %[[BEGIN]]
// CHECK:             %[[ITERATION_J:.*]] = arith.divui %[[DISTANCE_J]], %[[STEP]]
// CHECK:             %[[LAST_J:.*]] = arith.maxsi %[[END]], %[[BEGIN]]
// CHECK:             %[[EXTENT_J:.*]] = arith.subi %[[LAST_J]], %[[BEGIN]]
// CHECK:             %[[TRIPS:.*]] = arith.ceildivui %[[EXTENT_J]], %[[STEP]]
// CHECK:             %[[BEFORE:.*]] = arith.muli %[[ITERATION_I]], %[[TRIPS]]
// CHECK:             %[[COUNT:.*]] = arith.addi %[[BEFORE]], %[[ITERATION_J]]
// CHECK:             %[[OFFSET:.*]] = ens.from_index %[[COUNT]]
// CHECK:             ens.rng_bits %[[SEED]], %[[SEED]] offset %[[OFFSET]] {site = 0 : i64}
func.func @loops(%seed: tensor<i64>, %begin: index, %end: index, %step: index,
                 %x: tensor<2xui32>) -> tensor<2xui32> {
  %0 = scf.for %i = %begin to %end step %step iter_args(%a = %x)
      -> (tensor<2xui32>) {
    %1 = scf.for %j = %begin to %end step %step iter_args(%b = %a)
        -> (tensor<2xui32>) {
      %2 = ens.rng_bits %seed, %seed
          : tensor<i64>, tensor<i64> -> tensor<2xui32>
      %3 = ens.xor %b, %2 : tensor<2xui32>
      scf.yield %3 : tensor<2xui32>
    }
    scf.yield %1 : tensor<2xui32>
  }
  return %0 : tensor<2xui32>
}

// -----

// In a loop the op applies a copy of the function, which takes the number of the
// iteration; tangents come behind it. The function is applied elsewhere as it
// is, with the same sites.

// CHECK-LABEL: func.func @in_loop
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK:           %[[OFFSET:.*]] = ens.from_index
// CHECK:           ens.jvp @noise.offset(%{{.*}}, %{{.*}}, %[[OFFSET]], %{{.*}}) wrt = [0]
// CHECK:         ens.grad @noise(
// CHECK:       func.func private @noise(
// CHECK:         ens.rng_bits %[[SEED:.*]], %[[SEED]] {site = 0 : i64}
// CHECK:       func.func private @noise.offset(%{{.*}}: tensor<f32>, %{{.*}}: tensor<i64>, %[[BEFORE:.*]]: tensor<i64>)
// CHECK:         scf.for
// CHECK:           %[[NUMBER:.*]] = ens.from_index
// CHECK:           %[[TRIPS:.*]] = ens.from_index
// CHECK:           %[[START:.*]] = ens.mul %[[BEFORE]], %[[TRIPS]]
// CHECK:           %[[SUM:.*]] = ens.add %[[START]], %[[NUMBER]]
// CHECK:           ens.rng_bits %{{.*}}, %{{.*}} offset %[[SUM]] {site = 1 : i64}
func.func @in_loop(%x: tensor<f32>, %seed: tensor<i64>)
    -> (tensor<f32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    %y, %dy = ens.jvp @noise(%a, %seed, %a) wrt = [0]
        : (tensor<f32>, tensor<i64>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    scf.yield %dy : tensor<f32>
  }
  %1 = ens.grad @noise(%x, %seed) wrt = [0]
      : (tensor<f32>, tensor<i64>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
func.func private @noise(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<ui32>
  %1 = ens.convert %0 : tensor<ui32> to tensor<f32>
  %2 = ens.mul %x, %1 : tensor<f32>
  %3 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %2) -> (tensor<f32>) {
    %4 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<ui32>
    %5 = ens.convert %4 : tensor<ui32> to tensor<f32>
    %6 = ens.mul %a, %5 : tensor<f32>
    scf.yield %6 : tensor<f32>
  }
  return %3 : tensor<f32>
}

// -----

// The function of a custom gradient and its rules take the number alike, whether
// they draw or not.

// CHECK:       func.func private @noise.offset(%{{.*}}: tensor<f32>, %{{.*}}: tensor<i64>, %[[BEFORE:.*]]: tensor<i64>)
// CHECK:         ens.rng_bits %{{.*}}, %{{.*}} offset %[[BEFORE]] {site = 0 : i64}
// CHECK:       func.func private @noise_vjp.offset(%{{.*}}: tensor<f32>, %{{.*}}: tensor<i64>, %{{.*}}: tensor<i64>, %[[DY:.*]]: tensor<f32>)
// CHECK:         return %[[DY]]
// CHECK:       func.func @custom
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK:           %[[OFFSET:.*]] = ens.from_index
// CHECK:           ens.custom_grad @noise.offset(%{{.*}}, %{{.*}}, %[[OFFSET]]) vjp = @noise_vjp.offset
func.func private @noise(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<f32> {
  %0 = ens.rng_bits %seed, %seed : tensor<i64>, tensor<i64> -> tensor<ui32>
  %1 = ens.convert %0 : tensor<ui32> to tensor<f32>
  %2 = ens.mul %x, %1 : tensor<f32>
  return %2 : tensor<f32>
}

func.func private @noise_vjp(%x: tensor<f32>, %seed: tensor<i64>,
                             %dy: tensor<f32>) -> tensor<f32> {
  return %dy : tensor<f32>
}

func.func @custom(%x: tensor<f32>, %seed: tensor<i64>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    %1 = ens.custom_grad @noise(%a, %seed) vjp = @noise_vjp
        : (tensor<f32>, tensor<i64>) -> tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// A call that draws anew is offset, too, any other one is left as it is.

// CHECK-LABEL: func.func @calls
// CHECK:         scf.for
// CHECK:           %[[OFFSET:.*]] = ens.from_index
// CHECK:           func.call @noise.offset(%{{.*}}, %[[OFFSET]]) : (tensor<i64>, tensor<i64>) -> tensor<2xui32>
// CHECK:           func.call @noise(%{{.*}}) : (tensor<i64>) -> tensor<2xui32>
// CHECK:       func.func private @noise(
// CHECK:       func.func private @noise.offset(
func.func @calls(%seed: tensor<i64>, %x: tensor<2xui32>) -> tensor<2xui32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<2xui32>) {
    %1 = func.call @noise(%seed) {ens.draws_anew} : (tensor<i64>) -> tensor<2xui32>
    %2 = func.call @noise(%seed) : (tensor<i64>) -> tensor<2xui32>
    %3 = ens.xor %1, %2 : tensor<2xui32>
    %4 = ens.xor %a, %3 : tensor<2xui32>
    scf.yield %4 : tensor<2xui32>
  }
  return %0 : tensor<2xui32>
}
func.func private @noise(%seed: tensor<i64>) -> tensor<2xui32> {
  %0 = ens.rng_bits %seed, %seed {site = 0 : i64}
      : tensor<i64>, tensor<i64> -> tensor<2xui32>
  return %0 : tensor<2xui32>
}

// -----

// Functions that are called for batches take the number of the batch, if they
// draw. The program itself goes on calling them without.

// CHECK-LABEL: func.func @predict(
// CHECK-SAME:    %[[SEED:.*]]: tensor<i64>, %[[BATCH:.*]]: index {ens.role = "begin"}) -> (tensor<2xui32> {ens.name = "y"})
// CHECK:         %[[OFFSET:.*]] = ens.from_index %[[BATCH]]
// CHECK:         ens.rng_bits %[[SEED]], %[[SEED]] offset %[[OFFSET]] {site = 0 : i64}
// CHECK:       func.func private @predict_0(%{{.*}}: tensor<i64>)
// CHECK:         ens.rng_bits %[[SEED:.*]], %[[SEED]] {site = 0 : i64}
// CHECK:       func.func @predict_twice(
// CHECK-SAME:    %[[SEED:.*]]: tensor<i64>, %[[BATCH:.*]]: index {ens.role = "begin"})
// CHECK:         %[[OFFSET:.*]] = ens.from_index %[[BATCH]]
// CHECK:         call @predict.offset(%[[SEED]], %[[OFFSET]])
// CHECK:       func.func @train(
// CHECK:         call @predict_0(
func.func @predict(%seed: tensor<i64>) -> (tensor<2xui32> {ens.name = "y"}) {
  %0 = ens.rng_bits %seed, %seed {site = 0 : i64}
      : tensor<i64>, tensor<i64> -> tensor<2xui32>
  return %0 : tensor<2xui32>
}
func.func @predict_twice(%seed: tensor<i64>) -> tensor<2xui32> {
  %0 = func.call @predict(%seed) : (tensor<i64>) -> tensor<2xui32>
  return %0 : tensor<2xui32>
}
func.func @train(%seed: tensor<i64>) -> tensor<2xui32> {
  %0 = func.call @predict(%seed) : (tensor<i64>) -> tensor<2xui32>
  return %0 : tensor<2xui32>
}

// -----

// Without random numbers there is nothing to number.

// CHECK-LABEL: func.func @predict(%{{.*}}: tensor<i64>) -> tensor<i64>
func.func @predict(%seed: tensor<i64>) -> tensor<i64> {
  return %seed : tensor<i64>
}
