func.func @f.solo(%arena: memref<4096xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "f", instance = "solo",
      lanes = 1 : i64, arena_bytes = 4096 : i64, flops_per_step = 0 : i64,
      bytes_moved = 0 : i64, bytes_touched = 0 : i64, arguments = [],
      results = [{name = "y", type = tensor<32x32xf32>, per_run}]}} {
  %o0 = arith.constant 0 : index
  %y = memref.view %arena[%o0][] : memref<4096xi8> to memref<32x32xf32>
  ens.contract domain = [32, 32] over = [32] : f32 {
  ^bb0(%i: index, %j: index, %k: index):
    %a = memref.load %y[%i, %k] : memref<32x32xf32>
    ens.yield %a, %a : f32, f32
  } epilogue {
  ^bb0(%i: index, %j: index, %sum: f32):
    memref.store %sum, %y[%i, %j] : memref<32x32xf32>
  }
  ens.write_runs %y to 0 : memref<32x32xf32>
  return %end : index
}
