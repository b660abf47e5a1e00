// RUN: ens-opt %s --split-input-file --ens-verify-vectorize --verify-diagnostics

// expected-error @+1 {{'func.func' op is neither a solo nor a lanes instance; run ens-make-instances}}
func.func @no_instance(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32>
    attributes {ens.instance = "solo"} {
  // expected-error @+1 {{'ens.ensemble' op must be gone after the phase Vectorize}}
  %y = ens.ensemble @g(%x) runs = 2 per_run = [true]
      : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @g(%x: tensor<f32>) -> tensor<f32>
    attributes {ens.instance = "solo"} {
  return %x : tensor<f32>
}

// -----

func.func @call(%x: tensor<f32>) -> tensor<f32>
    attributes {ens.instance = "solo"} {
  // expected-error @+1 {{'func.call' op must be gone after the phase Vectorize}}
  %y = func.call @call(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

// -----

// expected-error @+1 {{expects ens.lanes of a lanes instance to be 8 or 16}}
func.func @no_lanes(%x: tensor<f32>) -> tensor<f32>
    attributes {ens.instance = "lanes"} {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{expects per-run argument 0 to lead with 8, got 'tensor<4xf32>'}}
func.func @argument(%w: tensor<4xf32> {ens.per_run}) -> tensor<4xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  return %w : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects ens.uniform on result 1 if and only if it is equal in all lanes}}
func.func @result(%w: tensor<8xf32> {ens.per_run}, %x: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>)
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  return %w, %x : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @shared_operand(%w: tensor<8xf32> {ens.per_run}, %x: tensor<8xf32>)
    -> tensor<8xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'ens.add' op mixes values that differ between lanes with shared ones; broadcast those to the lanes}}
  %y = ens.add %w, %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @rank_of_one_run() -> tensor<i64>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'ens.run_id' op gives a value that differs between lanes, but 'tensor<i64>' does not lead with 8}}
  %y = ens.run_id : tensor<i64>
  return %y : tensor<i64>
}

// -----

func.func @sum_over_lanes(%w: tensor<8x8xf32> {ens.per_run}) -> tensor<8xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'ens.reduce' op mixes lanes: the first dimension of its operands is not that of its result}}
  %y = ens.reduce sum, %w dims = [0] : (tensor<8x8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @max_over_lanes(%w: tensor<8x8xf32> {ens.per_run}) -> tensor<8xi32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'ens.arg_reduce' op mixes lanes}}
  %y = ens.arg_reduce max, %w dim = 0 : (tensor<8x8xf32>) -> tensor<8xi32>
  return %y : tensor<8xi32>
}

// -----

func.func @transposed(%w: tensor<8x8xf32> {ens.per_run}) -> tensor<8x8xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'ens.transpose' op mixes lanes}}
  %y = ens.transpose %w permutation = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

func.func @reversed(%w: tensor<8xf32> {ens.per_run}) -> tensor<8xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'ens.reverse' op mixes lanes}}
  %y = ens.reverse %w dims = [0] : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @sliced(%w: tensor<8x3xf32> {ens.per_run}) -> tensor<8x3xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'ens.slice' op gives a value that differs between lanes, but 'tensor<4x3xf32>' does not lead with 8}}
  %y = ens.slice %w starts = [0, 0] limits = [8, 3] strides = [2, 1] : (tensor<8x3xf32>) -> tensor<4x3xf32>
  return %w : tensor<8x3xf32>
}

// -----

func.func @moved(%w: tensor<8xf32> {ens.per_run}) -> tensor<8x8xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'ens.broadcast' op mixes lanes}}
  %y = ens.broadcast %w dims = [1] : tensor<8xf32> to tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

func.func @contracted(%w: tensor<8x8xf32> {ens.per_run}) -> tensor<8x8xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'ens.dot' op mixes lanes}}
  %y = ens.dot %w, %w lhs_contract = [0] rhs_contract = [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

func.func @gathered(%w: tensor<8x3xf32> {ens.per_run}, %i: tensor<8xi32> {ens.per_run})
    -> tensor<8x3xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'ens.gather' op mixes lanes}}
  %y = ens.gather clamp, %w, %i axis = 0 : (tensor<8x3xf32>, tensor<8xi32>) -> tensor<8x3xf32>
  return %y : tensor<8x3xf32>
}

// -----

// The sum of two pieces would have the lanes of the first only.

func.func @joined(%w: tensor<8xf32> {ens.per_run}) -> tensor<8xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'ens.concat' op gives a value that differs between lanes, but 'tensor<16xf32>' does not lead with 8}}
  %y = ens.concat %w, %w dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %w : tensor<8xf32>
}

// -----

func.func @carry(%w: tensor<8xf32> {ens.per_run}, %x: tensor<8xf32>, %n: index)
    -> tensor<8xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op passes a shared value of type 'tensor<8xf32>' on to one that differs between lanes; broadcast it}}
  %y = scf.for %i = %c1 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    scf.yield %w : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @branch(%w: tensor<8xf32> {ens.per_run}, %x: tensor<8xf32>, %p: i1)
    -> tensor<8xf32>
    attributes {ens.instance = "lanes", ens.lanes = 8 : i64} {
  // expected-error @+1 {{'scf.if' op passes a shared value of type 'tensor<8xf32>' on to one that differs between lanes; broadcast it}}
  %y = scf.if %p -> (tensor<8xf32>) {
    scf.yield %w : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}
