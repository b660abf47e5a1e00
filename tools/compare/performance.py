#!/usr/bin/env python3
"""Measures what docs/Performance.md says and rewrites its tables.

    performance.py                      everything but the sweep of schedules
    performance.py --only=speed,train   some sections anew; the others are kept
    performance.py --only=none          the tables from what was measured before
    performance.py --only=schedules     the sweep

What is measured is kept in build/performance.json. The section `peers` needs
requirements.txt; see compare.py. Nothing else should run on the machine meanwhile.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import report
from competitors import HERE
from problems import TARGETS, Problem

ROOT = HERE.parent.parent
BUILD = ROOT / "build"
STORE = BUILD / "performance.json"
PAGE = ROOT / "docs/Performance.md"

ODD = Problem("mlp-61-29-7", 13, "adam", 64)
SMALL = "mlp-64-32-10"
DEEP = "mlp-64-32-32-32-32-32-32-32-10"


def run(*command):
    """The JSON objects that a command prints, one per line."""
    words = [str(word) for word in command]
    print("+", " ".join(words), file=sys.stderr, flush=True)
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"performance.py: error: {words[0]} failed")
    return [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]


def bench(*arguments):
    return run("build/bin/ens-bench", *arguments, "--no-cache", "--json")[0]


def bench_model(*arguments):
    """The best of a few tries; fewer where the threads had their cores."""
    tries = []
    while len(tries) < 5 and not (tries and tries[-1]["cpu_share"] > 0.95):
        tries.append(bench(*arguments))
    if tries[-1]["cpu_share"] <= 0.95:
        print("the machine is busy: figures may be too low", file=sys.stderr)
    return min(tries, key=lambda result: result["us_per_run_step"])


def flags_of(problem):
    return [
        problem.model,
        f"--batch={problem.batch}",
        f"--optimizer={problem.optimizer}",
        f"--runs={problem.runs}",
    ]


def measure_speed(_):
    """Each row of the table by itself, and after many steps."""
    results = [bench_model(*flags_of(problem)) for problem in [*TARGETS, ODD]]
    avx2 = [bench_model(*flags_of(problem), "--cpu=x86-64-v3") for problem in TARGETS]
    late = bench_model(*flags_of(TARGETS[1]), "--steps-before=5000")
    return {"rows": results, "avx2": avx2, "late": late}


def measure_compilation(_):
    return {"deep": bench_model(DEEP, "--batch=16")}


def measure_properties(_):
    return {
        "scaling": bench("scaling", SMALL, "--batch=16", "--optimizer=sgd"),
        "counts": bench("counts", SMALL, "--batch=16", "--optimizer=sgd"),
        "stopping": bench("stopping", SMALL, "--batch=16", "--optimizer=sgd"),
    }


def train_digits():
    examples = ROOT / "docs/examples"
    with tempfile.TemporaryDirectory() as directory:
        return run(
            "build/bin/ensc", "train", examples / "digits.mlir",
            f"--data={examples / 'data/digits.npz'}", "--runs=1024", "--epochs=30",
            "--set", "lr=log:1e-4..1e-1", "-o", f"{directory}/digits", "--json",
        )[0]


def measure_train(_):
    """`ensc train` on digits against ens-bench on the same model, in turn."""
    turns = [
        (train_digits(), bench_model(SMALL, "--batch=32", "--runs=1024"))
        for _ in range(3)
    ]
    return {
        "train": max((turn[0] for turn in turns),
                     key=lambda result: result["run_steps_per_second"]),
        "bench": min((turn[1] for turn in turns),
                     key=lambda result: result["us_per_run_step"]),
    }


def measure_peers(arguments):
    turns = f"--turns={arguments.turns}"
    return {"rows": run(sys.executable, HERE / "compare.py", turns, "--json")}


def measure_schedules(_):
    return bench("schedules")


SECTIONS = {
    "speed": measure_speed,
    "compilation": measure_compilation,
    "properties": measure_properties,
    "train": measure_train,
    "peers": measure_peers,
    "schedules": measure_schedules,
}


def describe_machine():
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    names = [line.split(":", 1)[1].strip() for line in text.splitlines()
             if line.startswith("model name")]
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return {
        "date": datetime.date.today().isoformat(),
        "cpu": names[0] if names else "unknown",
        "cores": len(os.sched_getaffinity(0)),
        "version": re.search(r"project\(ensc VERSION ([\d.]+)", cmake)[1],
    }


def parse_sections(text):
    if text == "none":
        return []
    sections = text.split(",")
    for section in sections:
        if section not in SECTIONS:
            sys.exit(
                f"performance.py: error: there is no section '{section}'; it is one "
                f"of {', '.join(SECTIONS)}"
            )
    return sections


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    everything = ",".join(name for name in SECTIONS if name != "schedules")
    parser.add_argument("--only", default=everything, metavar="SECTION,...")
    parser.add_argument("--turns", type=int, default=5, help="of compare.py")
    arguments = parser.parse_args()
    sections = parse_sections(arguments.only)
    measured = {}
    if STORE.exists():
        measured = json.loads(STORE.read_text(encoding="utf-8"))
    for section in sections:
        result = SECTIONS[section](arguments)
        measured[section] = {**result, "machine": describe_machine()}
        STORE.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(report.fill_in(page, measured), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
