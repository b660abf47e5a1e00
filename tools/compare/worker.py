"""The side of a worker: a process that has one peer, in one mode, ready.

It prints a line when it is ready. For each line that it reads it trains a few times
more and prints the best time. So the caller can let many workers take turns.
"""

import json
import os
import sys
import time

from problems import Problem


REPETITIONS = 3  # Per turn.


class Job:
    def __init__(self, text):
        fields = json.loads(text)
        self.mode = fields["mode"]
        self.threads = fields["threads"]
        self.problem = Problem(**fields["problem"])


def use_cores(threads):
    """Keeps this process, and threads that it will start, on some cores."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])


def say(**fields):
    print(json.dumps(fields), flush=True)


def serve(prepare):
    """Runs `prepare(job) -> (version, run-steps, make, train)` and serves it.

    `make()` gives fresh state, which is not timed; `train(state)` returns when all
    steps are done.
    """
    started = time.perf_counter()
    try:
        version, run_steps, make, train = prepare(Job(sys.argv[1]))
    except ModuleNotFoundError as error:
        say(missing=error.name)
        return

    def timed():
        state = make()
        started = time.perf_counter()
        train(state)
        return time.perf_counter() - started

    timed()
    say(version=version, ready_s=time.perf_counter() - started)
    for _ in sys.stdin:
        best = min(timed() for _ in range(REPETITIONS))
        say(us_per_run_step=best / run_steps * 1e6)
