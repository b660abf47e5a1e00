"""Writes an experiment as training would: make_experiment.py DIR [options].

Values are a fixed function of run and step, so that tests know them.
"""

import argparse
import json
import math
import pathlib
import struct

STATES = ("finished", "running", "killed", "new")


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=12)
    parser.add_argument("--records", type=int, default=20)
    parser.add_argument("--state", choices=STATES, default="finished")
    parser.add_argument("--programs", type=int, default=1)
    parser.add_argument("--hostile", action="store_true")
    return parser.parse_args()


def number(value):
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)


class Experiment:
    """What the files of one experiment say."""

    def __init__(self, options):
        self.options = options
        self.record_every = 10
        self.steps = options.records * self.record_every
        evil = '</script><img src=x onerror=alert(1)>"&\x1b[31m'
        self.learner = "evil" + evil if options.hostile else "mlp"
        self.group = "<b>" + evil if options.hostile else "relu"
        runs = range(options.runs)
        span = max(options.runs - 1, 1)
        self.lr = [round(10 ** (-4 + 3 * i / span), 8) for i in runs]
        self.decay = [round((i * 7 % 11) * 0.01, 4) for i in runs]
        self.program = [i % options.programs for i in runs]

    def status(self, run):
        """The status, reason and last step of a run that was let finish."""
        if run % 11 == 9:
            return "diverged", "loss is nan", self.steps // 2
        if run % 5 == 4:
            step = self.steps * (1 + run % 3) // 4 // self.record_every
            return "stopped", "patience", max(step, 1) * self.record_every
        return "completed", "", self.steps

    def values(self, run, step):
        """loss, val_loss and val_accuracy."""
        status, _, last = self.status(run)
        speed = 0.3 + 0.7 * math.exp(-((math.log10(self.lr[run]) + 2) ** 2))
        noise = 0.05 * math.sin(run * 12.9898 + step * 0.618)
        done = 5 * speed * step / self.steps
        loss = round((2.3 + noise) * math.exp(-done) + 0.05, 6)
        if status == "diverged" and step >= last:
            return math.nan, math.nan, math.nan
        return loss, round(loss * 1.1 + 0.02, 6), round(math.exp(-loss), 6)

    def reached(self, run):
        """The last step of a run as the files are."""
        last = self.status(run)[2]
        state = self.options.state
        if state == "finished":
            return last
        if state == "new" or run >= self.options.runs * 3 // 4:
            return 0
        half = self.options.records // 2 * self.record_every
        return min(last, half)

    def records(self, run):
        every = self.record_every
        for step in range(every, self.reached(run) + 1, every):
            yield step, step // (every * 2), self.values(run, step)


METRICS = [("loss", "min"), ("val_loss", "min"), ("val_accuracy", "max")]


def plan_columns(experiment):
    options = experiment.options
    columns = {
        "seed": list(range(options.runs)),
        "lr": experiment.lr,
        "weight_decay": experiment.decay,
        "dropout": [0.1] * options.runs,
        "activation": [
            experiment.group if i % 2 else "tanh" for i in range(options.runs)
        ],
    }
    if options.programs > 1:
        columns["program"] = experiment.program
    return columns


def write_plan(experiment, directory):
    options = experiment.options
    columns = plan_columns(experiment)
    plan = {
        "format": 2,
        "created": "2026-01-02T03:04:05Z",
        "versions": {"ensc": "0.1.0"},
        "learner": experiment.learner,
        "metrics": [{"name": n, "direction": d} for n, d in METRICS],
        "monitor": "val_accuracy",
        "direction": "max",
        "programs": [
            {
                "name": f"model{p}.mlir",
                "learner": experiment.learner,
                "file": f"program/{p}.mlir",
                "hash": f"{p:064x}",
                "options": {"lanes": 8},
                "steps_per_epoch": 2 * experiment.record_every,
            }
            for p in range(options.programs)
        ],
        "data": [{"name": "x", "type": "1437x64xf32", "crc32": "0badcafe"}],
        "runs": options.runs,
        "epochs": options.records // 2,
        "record_every": experiment.record_every,
        "search": {},
        "hypers": ["lr", "weight_decay", "dropout"],
        "columns": columns,
    }
    (directory / "plan.json").write_text(json.dumps(plan, indent=2) + "\n")


def write_metrics(experiment, directory):
    lines = ["run,step,epoch," + ",".join(n for n, _ in METRICS)]
    for run in range(experiment.options.runs):
        for step, epoch, values in experiment.records(run):
            fields = [str(run), str(step), str(epoch)]
            lines.append(",".join(fields + [number(v) for v in values]))
    text = "\n".join(lines) + "\n"
    if experiment.options.state == "killed":
        text += "0,9"  # A torn line.
    (directory / "metrics.csv").write_text(text)


def best(values, direction):
    finite = [v for v in values if not math.isnan(v)]
    if not finite:
        return math.nan
    return max(finite) if direction == "max" else min(finite)


def write_runs(experiment, directory):
    options = experiment.options
    plan = plan_columns(experiment)
    columns = ["run", *plan, "status", "reason", "steps"]
    for name, _ in METRICS:
        columns += [f"final_{name}", f"best_{name}"]
    lines = [",".join(columns)]
    for run in range(options.runs):
        status, reason, last = experiment.status(run)
        reached = experiment.reached(run)
        if reached < last:
            status, reason = ("running" if reached else "pending"), ""
        row = [str(run)]
        for values in plan.values():
            value = values[run]
            if isinstance(value, str):
                row.append('"' + value.replace('"', '""') + '"')
            else:
                row.append(repr(value))
        row += [status, reason, str(reached)]
        records = [v for _, _, v in experiment.records(run)]
        for i, (_, direction) in enumerate(METRICS):
            column = [v[i] for v in records]
            row += (
                [number(column[-1]), number(best(column, direction))]
                if column
                else ["", ""]
            )
        lines.append(",".join(row))
    (directory / "runs.csv").write_text("\n".join(lines) + "\n")


def write_events(experiment, directory):
    state = experiment.options.state
    events = [{"time": "2026-01-02T03:04:05Z", "event": "started"}]
    if state != "new":
        events.append(
            {"time": "2026-01-02T03:04:35Z", "event": "checkpoint", "number": 5}
        )
    if state == "finished":
        events.append({"time": "2026-01-02T03:05:05Z", "event": "finished"})
    lines = [json.dumps(event) for event in events]
    (directory / "events.jsonl").write_text("\n".join(lines) + "\n")


def write_state(experiment, directory, run):
    """final.safetensors of a run: w is 2x3, t its steps."""
    weights = struct.pack("<6f", *(run + k / 8 for k in range(6)))
    steps = struct.pack("<q", experiment.reached(run))
    header = {
        "w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
        "t": {"dtype": "I64", "shape": [], "data_offsets": [24, 32]},
    }
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    content = struct.pack("<Q", len(text)) + text + weights + steps
    place = directory / "runs" / f"{run:04}"
    place.mkdir(parents=True, exist_ok=True)
    (place / "final.safetensors").write_bytes(content)


def main():
    options = parse_arguments()
    experiment = Experiment(options)
    directory = options.directory
    (directory / "program").mkdir(parents=True, exist_ok=True)
    for program in range(options.programs):
        (directory / "program" / f"{program}.mlir").write_text("module {}\n")
    (directory / "lock").write_text("")
    write_plan(experiment, directory)
    write_metrics(experiment, directory)
    write_runs(experiment, directory)
    write_events(experiment, directory)
    for run in range(min(options.runs, 20)):
        if experiment.reached(run) == experiment.status(run)[2]:
            write_state(experiment, directory, run)


if __name__ == "__main__":
    main()
