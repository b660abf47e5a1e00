"""Reads an experiment with the libraries that everybody uses, for
KeptFitTest.cpp.

    read_experiment.py EXP

Checks that all files of a complete experiment agree, and prints a line for
each tensor. Exits with 77 where a library is missing.
"""

import json
import pathlib
import sys
import zlib

try:
    import numpy as np
    import pandas as pd
    import safetensors.numpy
    from tensorboard.backend.event_processing import event_accumulator
except ImportError as missing:
    print(missing)
    sys.exit(77)

try:
    import yaml
except ImportError:
    yaml = None


def check_same_numbers(actual, expected, where):
    actual = np.asarray(actual, np.float64)
    expected = np.asarray(expected, np.float64)
    assert np.array_equal(actual, expected, equal_nan=True), where


def check_events(directory, records, metrics):
    accumulator = event_accumulator.EventAccumulator(
        str(directory), size_guidance={"scalars": 0}
    )
    accumulator.Reload()
    for metric in metrics:
        expected = records[["step", metric]].dropna()
        events = accumulator.Scalars(metric) if len(expected) else []
        events = [event for event in events if not np.isnan(event.value)]
        check_same_numbers(
            [event.step for event in events], expected["step"], metric
        )
        check_same_numbers(
            [event.value for event in events],
            expected[metric].astype(np.float32),
            metric,
        )


def check_run(plan, row, directory, records):
    metrics = [metric["name"] for metric in plan["metrics"]]
    own = pd.read_csv(directory / "metrics.csv")
    lines = pd.read_json(
        directory / "metrics.jsonl", lines=True, precise_float=True
    )
    # What was never computed has no key.
    lines = lines.reindex(columns=own.columns)
    for column in own.columns:
        check_same_numbers(own[column], records[column], column)
        check_same_numbers(lines[column], records[column], column)
    check_events(directory, records, metrics)
    status = json.loads((directory / "status.json").read_text())
    assert status["status"] == row["status"]
    assert status["steps"] == row["steps"] == records["step"].iloc[-1]
    for metric in metrics:
        check_same_numbers(
            float(status["final"][metric]), row[f"final_{metric}"], metric
        )
        check_same_numbers(
            float(status["best"][metric]), row[f"best_{metric}"], metric
        )
    if yaml:
        hypers = yaml.safe_load((directory / "hparams.yaml").read_text())
        assert hypers["seed"] == row["seed"]
        for name in plan["hypers"]:
            assert isinstance(hypers[name], float)
            assert hypers[name] == row[name], (hypers[name], row[name])


def main():
    root = pathlib.Path(sys.argv[1])
    plan = json.loads((root / "plan.json").read_text())
    records = pd.read_csv(root / "metrics.csv")
    table = pd.read_csv(root / "runs.csv", keep_default_na=True)
    assert len(table) == plan["runs"]
    for name, column in plan["columns"].items():
        check_same_numbers(table[name], column, name)
    for _, row in table.iterrows():
        run = row["run"]
        directory = root / "runs" / f"{run:04}"
        check_run(plan, row, directory, records[records["run"] == run])
        tensors = safetensors.numpy.load_file(directory / "final.safetensors")
        for name, tensor in sorted(tensors.items()):
            checksum = zlib.crc32(tensor.tobytes())
            print(run, name, tensor.dtype, list(tensor.shape), checksum)


main()
