"""Searches for a learning rate with Optuna; ensc trains batches of trials.

    python docs/examples/optuna_search.py --batches=4 --trials=16 -- \
        ensc train docs/examples/digits.mlir \
        --data docs/examples/data/digits.npz --epochs=5 --ask-tell -o EXPERIMENT

docs/AskTell.md describes the lines that go back and forth. Run again, after an
interruption or with more batches, it goes on where it ended.
"""

import argparse
import json
import subprocess

import optuna
from optuna.trial import TrialState


class Ensc:
    """The process of ensc, and the lines to and from it."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def tell(self, **line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(self.process.wait() or "ensc ended early")
        heard = json.loads(line)
        if "error" in heard:
            raise SystemExit(heard["error"])
        return heard

    def finish(self):
        self.tell(finish=True)
        self.hear()
        self.process.stdin.close()
        self.process.wait()


def train(ensc, study, monitor, count):
    """Trains a batch of trials and stops those that the pruner gives up."""
    trials = {}
    for _ in range(count):
        trial = study.ask()
        rate = trial.suggest_float("lr", 1e-5, 1e-1, log=True)
        trials[trial.number] = trial
        ensc.tell(ask={"lr": rate}, id=trial.number)
    ensc.tell(train=True)
    stops = []
    while "trained" not in (line := ensc.hear()):
        if "waiting" in line:
            for number in stops:
                ensc.tell(stop=number)
            stops.clear()
            ensc.tell(**{"continue": True})
        elif "status" in line:
            finish(study, trials[line["id"]], line, monitor)
        else:
            trial = trials[line["id"]]
            trial.report(float(line[monitor]), line["step"])
            if trial.should_prune():
                stops.append(trial.number)


def finish(study, trial, line, monitor):
    if line["status"] == "diverged":
        study.tell(trial, state=TrialState.FAIL)
    elif line["status"] == "stopped":
        study.tell(trial, state=TrialState.PRUNED)
    else:
        study.tell(trial, float(line["final"][monitor]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batches", type=int, default=4)
    parser.add_argument("--trials", type=int, default=16, help="of a batch")
    parser.add_argument("command", nargs="+", help="ensc train ... --ask-tell")
    arguments = parser.parse_args()

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    ensc = Ensc(arguments.command)
    ready = ensc.hear()["ready"]
    monitor = ready["monitor"]
    directions = {m["name"]: m["direction"] for m in ready["metrics"]}
    study = optuna.create_study(
        direction={"min": "minimize", "max": "maximize"}[directions[monitor]],
        sampler=optuna.samplers.TPESampler(seed=ready["seed"]),
        pruner=optuna.pruners.MedianPruner(),
    )
    for _ in range(arguments.batches):
        train(ensc, study, monitor, arguments.trials)
    ensc.finish()

    pruned = sum(t.state == TrialState.PRUNED for t in study.trials)
    best = study.best_trial
    print(f"{len(study.trials)} trials, {pruned} of them pruned")
    print(f"best: trial {best.number}, lr {best.params['lr']:.6g}")
    print(f"{monitor}: {best.value:.6g}")


if __name__ == "__main__":
    main()
