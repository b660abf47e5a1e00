"""Data, initial parameters and learning rates, as arrays of numpy."""

import numpy as np

from problems import BATCHES


def make_data(problem):
    """x: BATCHES x batch x inputs in [0, 1); y: labels, or sin(3 * sum of x)."""
    random = np.random.default_rng(7)
    shape = (BATCHES, problem.batch)
    x = random.random((*shape, problem.sizes[0]), dtype=np.float32)
    if problem.is_regression:
        return x, np.sin(3 * x.sum(axis=2, keepdims=True), dtype=np.float32)
    return x, random.integers(0, problem.sizes[-1], shape, dtype=np.int32)


def make_parameters(problem, runs):
    """For each layer weights and bias, with a leading dimension of runs."""
    random = np.random.default_rng(11)
    parameters = []
    for inputs, outputs in problem.layers:
        unit = random.random((runs, inputs, outputs), dtype=np.float32)
        weights = (2 * unit - 1) / np.float32(inputs**0.5)
        parameters.append((weights, np.zeros((runs, outputs), np.float32)))
    return parameters


def make_rates(runs):
    return np.linspace(1e-4, 1e-2, runs, dtype=np.float32)
