// RUN: ens-opt %s --split-input-file --ens-verify-schedule --verify-diagnostics

func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "lanes", lanes = 16 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [{type = tensor<3xf32>, role = "data", per_run}, {name = "lr", role = "hyper", type = tensor<f32>, default = 0.1 : f64, range = {at_least = 0.0 : f64}}, {type = tensor<2xi32>, role = "data", classes = 3 : i64}], results = [{type = tensor<f32>, direction = "min"}]}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'name' of ens.entry to be a name, got none}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'instance' of ens.entry to be "solo" or "lanes", got "q"}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "q", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'lanes' of ens.entry to be 1, got 8 : i64}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 8 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'lanes' of ens.entry to be 8 or 16, got 1 : i64}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "lanes", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'flops_per_step' of ens.entry to be an i64 that is at least 0, got none}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'flops_per_step' of ens.entry to be an i64 that is at least 0, got -5 : i64}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = -5 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'cycles_per_step' of ens.entry to be an i64 that is at least 0, got none}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'cycles_per_step' of ens.entry to be an i64 that is at least 0, got -5 : i64}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = -5 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'bytes_moved' of ens.entry to be an i64 that is at least 0, got none}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'bytes_moved' of ens.entry to be an i64 that is at least 0, got -5 : i64}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = -5 : i64, bytes_touched = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'bytes_touched' of ens.entry to be an i64 that is at least 0, got none}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'bytes_touched' of ens.entry to be an i64 that is at least 0, got -5 : i64}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = -5 : i64, arguments = [], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'arguments' of ens.entry to be a list, got none}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'results' of ens.entry to be a list, got 3 : i64}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = 3 : i64}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'type' of argument 0 of ens.entry to be a static tensor of f32, f64, i1, i32, i64 or ui32, got none}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [{name = "x"}], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'type' of argument 0 of ens.entry to be a static tensor of f32, f64, i1, i32, i64 or ui32, got tensor<?xf32>}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [{type = tensor<?xf32>}], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'name' of argument 0 of ens.entry to be a name, got "a\0Ab"}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [{type = tensor<f32>, name = "a\0Ab"}], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'role' of argument 0 of ens.entry to be "param", "state", "data", "hyper", "seed", "order_seed", "step", "rows", "begin" or "end", got "q"}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [{type = tensor<i64>, role = "q"}], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'type' of argument 0 of ens.entry to be a float tensor, as its role says, got tensor<i64>}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [{type = tensor<i64>, role = "param"}], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'default' of argument 0 of ens.entry to be a finite float, got 3 : i64}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [{type = tensor<f32>, role = "hyper", default = 3 : i64}], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'range' of argument 0 of ens.entry to be finite f64 called at_least, above, at_most or below, got {least = 0.000000e+00 : f64}}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [{type = tensor<f32>, role = "hyper", range = {least = 0.0 : f64}}], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'classes' of argument 0 of ens.entry to be an i64 that is at least 1, got 0 : i64}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [{type = tensor<2xi32>, role = "data", classes = 0 : i64}], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'limit' of argument 0 of ens.entry to be a name, got 3 : i64}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [{type = tensor<f32>, role = "hyper", limit = 3 : i64}], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'per_run' of argument 0 of ens.entry to be without a value, got false}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [{type = tensor<f32>, per_run = false}], results = []}} {
  return %end : index
}

// -----

// expected-error @+1 {{'func.func' op expects 'direction' of result 0 of ens.entry to be "min" or "max", got "q"}}
func.func @f.solo(%arena: memref<64xi8>, %begin: index, %end: index) -> index
    attributes {ens.entry = {name = "f", instance = "solo", lanes = 1 : i64, arena_bytes = 64 : i64, flops_per_step = 0 : i64, cycles_per_step = 0 : i64, bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [], results = [{type = tensor<f32>, direction = "q"}]}} {
  return %end : index
}
