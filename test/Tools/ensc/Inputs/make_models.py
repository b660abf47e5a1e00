"""Writes an experiment DIR of four runs: y = w * x with w = 1, 3, nan and 5.

The last run was trained by another program, whose batches are larger and whose
learner has another name.
"""

import hashlib
import json
import pathlib
import struct
import sys

PROGRAM = """
func.func @init() -> (tensor<f32> {{ens.name = "w"}}) {{
  %w = ens.constant dense<0.0> : tensor<f32>
  return %w : tensor<f32>
}}
func.func @line(%w: tensor<f32> {{ens.name = "w"}},
                %x: tensor<{rows}xf32> {{ens.name = "x", ens.role = "data"}})
    -> (tensor<{rows}xf32> {{ens.name = "y"}}) {{
  %ws = ens.broadcast %w dims = [] : tensor<f32> to tensor<{rows}xf32>
  %y = ens.mul %ws, %x : tensor<{rows}xf32>
  return %y : tensor<{rows}xf32>
}}
func.func @scores(%w: tensor<f32> {{ens.name = "w"}},
                  %x: tensor<{rows}xf32> {{ens.name = "x", ens.role = "data"}})
    -> (tensor<{rows}x2xf32> {{ens.name = "scores"}}) {{
  %y = call @line(%w, %x) : (tensor<f32>, tensor<{rows}xf32>) -> tensor<{rows}xf32>
  %four = ens.constant dense<4.0> : tensor<{rows}x1xf32>
  %column = ens.reshape %y : tensor<{rows}xf32> to tensor<{rows}x1xf32>
  %s = ens.concat %four, %column dim = 1
      : (tensor<{rows}x1xf32>, tensor<{rows}x1xf32>) -> tensor<{rows}x2xf32>
  return %s : tensor<{rows}x2xf32>
}}
func.func @noise(%x: tensor<{rows}xf32> {{ens.name = "x", ens.role = "data"}})
    -> (tensor<{rows}xf32> {{ens.name = "u"}}) {{
  %seed = ens.constant dense<7> : tensor<i64>
  %u = ens.uniform %seed {{low = 0.0 : f64, high = 1.0 : f64}} : tensor<{rows}xf32>
  return %u : tensor<{rows}xf32>
}}
func.func @loss(%w: tensor<f32> {{ens.name = "w"}},
                %x: tensor<{rows}xf32> {{ens.name = "x", ens.role = "data"}},
                %t: tensor<{rows}xf32> {{ens.name = "t", ens.role = "data"}},
                %c: tensor<f32> {{ens.name = "c", ens.role = "hyper", ens.default = 1.0 : f64}})
    -> tensor<{rows}xf32> {{
  %y = call @line(%w, %x) : (tensor<f32>, tensor<{rows}xf32>) -> tensor<{rows}xf32>
  %l = ens.mse %y, %t : (tensor<{rows}xf32>, tensor<{rows}xf32>) -> tensor<{rows}xf32>
  %cs = ens.broadcast %c dims = [] : tensor<f32> to tensor<{rows}xf32>
  %m = ens.mul %l, %cs : tensor<{rows}xf32>
  return %m : tensor<{rows}xf32>
}}
ens.learner @{learner} {{init = @init, loss = @loss, predict = @line,
                  batch_size = {rows} : i64, optimizer = #ens.sgd<lr = 0.1>}}
"""

directory = pathlib.Path(sys.argv[1])
texts = [
    PROGRAM.format(learner="net", rows=2),
    PROGRAM.format(learner="wide", rows=4),
]
weights = [1.0, 3.0, float("nan"), 5.0]
statuses = ["completed", "stopped", "diverged", "completed"]

(directory / "program").mkdir(parents=True)
for number, text in enumerate(texts):
    (directory / "program" / f"{number}.mlir").write_text(text)
for run, weight in enumerate(weights):
    header = json.dumps(
        {"w": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]}}
    ).encode()
    header += b" " * (-len(header) % 8)
    place = directory / "runs" / f"{run:04}"
    place.mkdir(parents=True)
    (place / "final.safetensors").write_bytes(
        struct.pack("<Q", len(header)) + header + struct.pack("<f", weight)
    )

plan = {
    "format": 2,
    "created": "2026-01-01T00:00:00Z",
    "learner": "net",
    "metrics": [{"name": "loss", "direction": "min"}],
    "monitor": "loss",
    "direction": "min",
    "programs": [
        {
            "name": f"{number}.mlir",
            "learner": ["net", "wide"][number],
            "file": f"program/{number}.mlir",
            "hash": hashlib.sha256(text.encode()).hexdigest(),
            "options": {"rows": 8},
        }
        for number, text in enumerate(texts)
    ],
    "data": [],
    "runs": len(weights),
    "epochs": 1,
    "hypers": ["c"],
    "columns": {
        "program": [0, 0, 0, 1],
        "seed": [0, 1, 2, 3],
        "c": [1.0, 2.0, 1.0, 1.0],
    },
}
(directory / "plan.json").write_text(json.dumps(plan))
table = ["run,program,seed,c,status,reason,steps,final_loss,best_loss"]
for run, status in enumerate(statuses):
    program, c = plan["columns"]["program"][run], plan["columns"]["c"][run]
    best = [0.5, 0.25, "nan", 1][run]
    table.append(f"{run},{program},{run},{c:g},{status},,4,{best},{best}")
(directory / "runs.csv").write_text("\n".join(table) + "\n")
