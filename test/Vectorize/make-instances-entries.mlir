// RUN: ens-opt %s --ens-make-instances="lanes=8 entries=f" | FileCheck %s --check-prefix=ENTRIES
// RUN: ens-opt %s --ens-make-instances="lanes=8 per-run=x" | FileCheck %s --check-prefix=NAMED
// RUN: not ens-opt %s --ens-make-instances="entries=nobody" 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not ens-opt %s --ens-make-instances="entries=declared" 2>&1 | FileCheck %s --check-prefix=DECLARED
// RUN: not ens-opt %s --ens-make-instances="per-run=z" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ens-opt %s --ens-make-instances="per-run=n" 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not ens-opt %s --ens-make-instances="lanes=4" 2>&1 | FileCheck %s --check-prefix=LANES

// NOBODY: error: the program has no public function 'nobody' to compile; it has 
// DECLARED: :[[#@LINE+19]]:1: error: 'func.func' op cannot be an entry: it has no body
// UNKNOWN: error: expects an entry with an argument named 'z', which is to differ between runs
// INDEX: error: 'func.func' op argument 'n' cannot differ between runs: it is 'index', not a tensor
// LANES: error: expects lanes to be 0, 8 or 16, got 4

// ENTRIES: func.func @f(
// ENTRIES: func.func @f.lanes(
// ENTRIES: func.func private @g(
// ENTRIES-NOT: @g.lanes

// NAMED: func.func @f.lanes(%{{.*}}: tensor<8xf32> {ens.name = "x", ens.per_run, ens.role = "data"})
// NAMED: func.func @g.lanes(%{{.*}}: tensor<f32> {ens.name = "y", ens.role = "data"},
func.func @f(%x: tensor<f32> {ens.name = "x", ens.role = "data"}) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @g(%y: tensor<f32> {ens.name = "y", ens.role = "data"},
             %n: index {ens.name = "n", ens.role = "end"}) -> tensor<f32> {
  return %y : tensor<f32>
}
func.func private @declared(tensor<f32>)
