"""Checks what `ensc predict --classify --each` left in DIR."""

import pathlib
import sys

import numpy as np

directory = pathlib.Path(sys.argv[1])


def load(kind):
    return np.load(directory / f"scores.{kind}.npy")


x = np.array([1, 2, 0.5, -1, 4], np.float32)
weights = np.array([1, 3, 5], np.float32)
y = weights[:, None] * x[None, :]
each = np.stack([np.full_like(y, 4), y], axis=2)
assert np.array_equal(load("each"), each)
assert np.array_equal(load("mean"), each.astype("f8").mean(axis=0))
assert np.allclose(load("deviation"), each.astype("f8").std(axis=0))
votes = (y > 4).sum(axis=0)
assert np.array_equal(load("class"), (votes > 1).astype("i8"))
assert np.array_equal(load("agreement"), np.maximum(votes, 3 - votes) / 3)
