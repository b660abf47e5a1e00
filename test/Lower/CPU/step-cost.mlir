// RUN: ens-opt %s --ens-lower-phases=cpu=x86-64-v4 | FileCheck %s

// A step of 16 x 32 x 64 multiply-adds of 16 lanes takes about as many cycles,
// as vectors of 64 bytes go one by one; what happens once does not count.
// CHECK: cycles_per_step = {{(3[3-9]|4[0-4])[0-9][0-9][0-9]}} : i64
func.func @net.fit.lanes(%arena: memref<172032xi8>, %begin: index, %end: index)
    -> index attributes {ens.entry = {name = "net.fit", instance = "lanes",
      lanes = 16 : i64, arena_bytes = 172032 : i64,
      arguments = [{name = "x", role = "data", type = tensor<16x64xf32>},
                   {name = "w", role = "param", type = tensor<64x32xf32>, per_run}],
      results = [{name = "y", type = tensor<16x32xf32>, per_run}]}} {
  %o0 = arith.constant 0 : index
  %o1 = arith.constant 131072 : index
  %one = arith.constant 1 : index
  %w = memref.view %arena[%o0][] : memref<172032xi8> to memref<64x32x16xf32>
  %y = memref.view %arena[%o1][] : memref<172032xi8> to memref<16x32x16xf32>
  %x = ens.shared 0 : memref<16x64xf32>
  ens.read_runs 1 into %w lanes : memref<64x32x16xf32>
  scf.for %step = %begin to %end step %one {
    ens.contract domain = [16, 32, 16] lanes over = [64] : f32 {
    ^bb0(%i: index, %j: index, %l: index, %k: index):
      %a = memref.load %x[%i, %k] : memref<16x64xf32>
      %b = memref.load %w[%k, %j, %l] : memref<64x32x16xf32>
      ens.yield %a, %b : f32, f32
    } epilogue {
    ^bb0(%i: index, %j: index, %l: index, %sum: f32):
      memref.store %sum, %y[%i, %j, %l] : memref<16x32x16xf32>
    }
  }
  ens.write_runs %y to 0 lanes : memref<16x32x16xf32>
  return %end : index
}
