"""Those who take turns: ensc, and one process for each mode of each peer."""

import dataclasses
import json
import pathlib
import subprocess
import sys

from problems import BATCHES, UsageError
from worker import REPETITIONS

HERE = pathlib.Path(__file__).resolve().parent

# Name: worker and what it calls the mode.
PEERS = {
    "jax-vmap": ("jax_worker.py", "vmap"),
    "jax-devices-vmap": ("jax_worker.py", "devices-vmap"),
    "jax-devices-map": ("jax_worker.py", "devices-map"),
    "jax-loop": ("jax_worker.py", "loop"),
    "torch-func": ("torch_worker.py", "func"),
    "torch-func-compile": ("torch_worker.py", "func-compile"),
    "torch-loop": ("torch_worker.py", "loop"),
}
ENSC = "ensc"
MODES = [ENSC, *PEERS]


class Failure(Exception):
    """A competitor cannot take part; the text says why."""


# A call of ensc takes about as long as one of a peer, see their choose_steps.
CALL_SECONDS = 0.5
MOST_PASSES = 100


def choose_passes(problem, us_per_run_step):
    """Passes over the data of one call, from the time of a step of one run."""
    seconds = us_per_run_step * 1e-6 * problem.runs * BATCHES
    return max(1, min(MOST_PASSES, round(CALL_SECONDS / seconds)))


class Ensc:
    """Calls ens-bench, which compiles anew each time and measures the peak.

    A turn is the best of as many calls, as long ones, as that of a peer.
    """

    def __init__(self, problem, threads, ens_bench, flags):
        self.name = ENSC
        self.reports = []
        self.command = [
            str(ens_bench),
            problem.model,
            f"--batch={problem.batch}",
            f"--optimizer={problem.optimizer}",
            f"--runs={problem.runs}",
            f"--threads={threads}",
            "--no-cache",
            "--json",
            *flags,
        ]
        passes = choose_passes(problem, self.run()["us_per_run_step"])
        self.command += [f"--steps={passes * BATCHES}", f"--calls={REPETITIONS}"]

    def run(self):
        done = subprocess.run(self.command, capture_output=True, text=True)
        if done.returncode:
            raise Failure(done.stderr.strip())
        return json.loads(done.stdout)

    def train(self):
        self.reports.append(self.run())
        return self.reports[-1]["us_per_run_step"]

    def details(self):
        best = min(self.reports, key=lambda report: report["us_per_run_step"])
        keys = ["schedule", "fraction_of_peak", "peak_gflops", "bytes_per_run"]
        details = {key: best[key] for key in keys}
        details["compile_s"] = min(report["compile_s"] for report in self.reports)
        return {"version": f"ensc for {best['cpu']}", **details}

    def close(self):
        pass


class Peer:
    def __init__(self, name, problem, threads):
        self.name = name
        worker, mode = PEERS[name]
        job = {
            "mode": mode,
            "threads": threads,
            "problem": dataclasses.asdict(problem),
        }
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / worker), json.dumps(job)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.ready = self.answer()
        if "missing" in self.ready:
            missing = self.ready["missing"]
            raise UsageError(
                f"{name} needs {missing}, which {sys.executable} does not have; "
                f"{sys.executable} -m pip install -r {HERE / 'requirements.txt'}, "
                f"or leave it out with --modes"
            )

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            text = self.process.stderr.read().strip().splitlines()
            raise Failure(f"{self.name}: " + (text[-1] if text else "it ended"))
        return json.loads(line)

    def train(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.answer()["us_per_run_step"]

    def details(self):
        return self.ready

    def close(self):
        self.process.kill()
        self.process.communicate()


def create(name, problem, threads, ens_bench, flags):
    if name == ENSC:
        return Ensc(problem, threads, ens_bench, flags)
    return Peer(name, problem, threads)
