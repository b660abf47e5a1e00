"""Fills docs/Performance.md, in memory, with figures that are made up."""

import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tools/compare"))
import compare
import report

page = (root / "docs/Performance.md").read_text(encoding="utf-8")
print("places:", *sorted(set(re.findall(r"<!-- (\w+) -->", page))))

machine = {"date": "2026-01-02", "version": "1.2", "cpu": "a CPU", "cores": 2}
lines = pathlib.Path(__file__).with_name("results.jsonl").read_text().splitlines()
result = compare.summarize(json.loads(lines[0]))
row = {
    "model": "mlp-64-32-10", "batch": 16, "optimizer": "sgd", "runs": 64,
    "threads": 2, "schedule": "lanes", "lanes": 16, "cpu": "znver4",
    "us_per_run_step": 0.8, "gflops": 202.2, "peak_gflops": 252.4,
    "fraction_of_peak": 0.801, "bytes_per_run": 12780, "compile_s": 0.25,
}
measured = {
    "speed": {"rows": [row] * 9, "avx2": [row] * 8, "late": row, "machine": machine},
    "peers": {"rows": [result], "machine": machine},
    "compilation": {"deep": {"compile_s": 0.5}, "machine": machine},
}
for row in result["modes"].values():
    row["version"] = "jax 1"
print(report.fill_in(page, measured))
