"""Compares evaluations and votes in DIR with what training and labels say."""

import csv
import json
import pathlib
import sys

import numpy as np

directory = pathlib.Path(sys.argv[1])
evaluated = json.loads((directory / "evaluated.json").read_text())
with open(directory / "EXP" / "runs.csv", newline="", encoding="utf-8") as file:
    trained = list(csv.DictReader(file))
assert len(evaluated["runs"]) == len(trained) == 8
for run, row in zip(evaluated["runs"], trained):
    for metric in ("loss", "accuracy"):
        assert run[metric] == float(row["final_val_" + metric]), (run, row)
labels = np.load(directory / "new.npz")["y"]
votes = np.load(directory / "OUT" / "logits.class.npy")
right = (votes == labels).mean()
assert right > 0.9, right
together = evaluated["ensemble_accuracy"]
assert 0.85 < together["vote"] <= 1 and 0.85 < together["mean"] <= 1, together
