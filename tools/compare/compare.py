#!/usr/bin/env python3
"""Times ensc against JAX and PyTorch, in turn, on one machine.

Every mode trains the same models on the same kind of data; see problems.py. Each
peer is prepared once (in a process of its own, so that it is compiled and warm);
then all take turns, and the best turn of each counts. Times are microseconds per
step of one run.

    compare.py                                     all rows of docs/Performance.md
    compare.py mlp-64-32-10 --batch=16 --optimizer=sgd
    compare.py mlp-64-32-10 --modes=ensc,jax-vmap --json

JAX and PyTorch come from requirements.txt, which nothing else of ensc needs.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import sys

import competitors
from problems import TARGETS, Problem, UsageError

ROOT = competitors.HERE.parent.parent


def say(text):
    print(text, file=sys.stderr, flush=True)


def measure(problem, arguments):
    """The result of one problem: for each mode its best time, or why it has none."""
    active, modes = [], {}
    try:
        for name in arguments.modes:
            say(f"preparing {name} for {problem.title()}")
            try:
                active.append(
                    competitors.create(
                        name,
                        problem,
                        arguments.threads,
                        arguments.ens_bench,
                        arguments.ensc_flags,
                    )
                )
            except competitors.Failure as failure:
                modes[name] = {"failed": str(failure)}
        times = {competitor.name: [] for competitor in active}
        for turn in range(arguments.turns):
            say(f"turn {turn + 1} of {arguments.turns}")
            for competitor in active:
                times[competitor.name].append(competitor.train())
        for competitor in active:
            best = min(times[competitor.name])
            modes[competitor.name] = {
                "us_per_run_step": best,
                "gflops": problem.flops / best / 1e3,
                **competitor.details(),
            }
    finally:
        for competitor in active:
            competitor.close()
    return summarize(
        {
            **dataclasses.asdict(problem),
            "threads": arguments.threads,
            "modes": modes,
        }
    )


def summarize(result):
    """Adds how many times faster ensc is than vmap and than the best peer."""
    times = {
        name: mode["us_per_run_step"]
        for name, mode in result["modes"].items()
        if "us_per_run_step" in mode
    }
    ensc = times.pop(competitors.ENSC, None)
    if times:
        result["best_peer"] = min(times, key=times.get)
    if ensc and times:
        result["times_best_peer"] = times[result["best_peer"]] / ensc
    if ensc and "jax-vmap" in times:
        result["times_jax_vmap"] = times["jax-vmap"] / ensc
    return result


def format_result(result):
    ensc = result["modes"].get(competitors.ENSC, {}).get("us_per_run_step")
    lines = [
        f"{result['model']}, batch {result['batch']}, {result['optimizer']}, "
        f"{result['runs']} runs, {result['threads']} threads",
        f"  {'mode':20}{'us/run-step':>12}{'GFLOP/s':>10}{'ensc is':>15}",
    ]
    for name, mode in result["modes"].items():
        if "failed" in mode:
            lines.append(f"  {name:20}failed: {mode['failed']}")
            continue
        time = mode["us_per_run_step"]
        ratio = ""
        if ensc and name != competitors.ENSC:
            ratio = f"{time / ensc:.2f}x as fast"
        elif "fraction_of_peak" in mode:
            ratio = f"{100 * mode['fraction_of_peak']:.1f} % of peak"
        lines.append(f"  {name:20}{time:12.3f}{mode['gflops']:10.1f}{ratio:>15}")
    if "best_peer" in result:
        lines.append(f"  best peer: {result['best_peer']}")
    return "\n".join(lines)


def parse_modes(text):
    modes = [mode for mode in text.split(",") if mode]
    for mode in modes:
        if mode not in competitors.MODES:
            raise UsageError(
                f"there is no mode '{mode}'; it is one of "
                + ", ".join(competitors.MODES)
            )
    return modes


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("model", nargs="?", help="as in mlp-64-32-10")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--optimizer", default="adam", help="sgd or adam")
    parser.add_argument("--runs", type=int, default=64)
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--threads", type=int, default=cores)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument(
        "--modes", default=",".join(competitors.MODES), help="who takes part"
    )
    parser.add_argument(
        "--ens-bench", type=pathlib.Path, default=ROOT / "build/bin/ens-bench"
    )
    parser.add_argument(
        "--ensc-flag",
        dest="ensc_flags",
        action="append",
        default=[],
        help="a flag for ens-bench, such as --ensc-flag=--schedule=solo",
    )
    parser.add_argument(
        "--show", type=pathlib.Path, help="print the table of an earlier --json"
    )
    parser.add_argument("--json", action="store_true", help="one object per line")
    return parser.parse_args()


def results_of(arguments):
    if arguments.show:
        for line in arguments.show.read_text(encoding="utf-8").splitlines():
            yield summarize(json.loads(line))
        return
    arguments.modes = parse_modes(arguments.modes)
    if arguments.threads < 1 or arguments.turns < 1:
        raise UsageError("--threads and --turns must be positive")
    problems = TARGETS
    if arguments.model:
        problems = [
            Problem(
                arguments.model, arguments.batch, arguments.optimizer, arguments.runs
            )
        ]
    if competitors.ENSC in arguments.modes and not arguments.ens_bench.is_file():
        raise UsageError(f"there is no {arguments.ens_bench}; build ens-bench first")
    for problem in problems:
        yield measure(problem, arguments)


def main():
    arguments = parse_arguments()
    try:
        for result in results_of(arguments):
            text = json.dumps(result) if arguments.json else format_result(result)
            print(text, flush=True)
    except (UsageError, competitors.Failure) as error:
        say(f"compare.py: error: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
