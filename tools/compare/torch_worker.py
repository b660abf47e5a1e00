"""Trains with PyTorch: torch.func's vmap over the runs of a step, eager ("func") or
compiled ("func-compile"); or one run after the other with autograd and a fused
optimizer ("loop")."""

import time

from problems import BATCHES
from worker import serve, use_cores

# A loop costs the same per run however many there are, and it is slow.
LOOP_RUNS = 16


def make_loss(torch, problem):
    functional = torch.nn.functional

    def loss(parameters, x, y):
        for i, (weights, bias) in enumerate(parameters):
            x = x @ weights + bias
            if i + 1 < len(parameters):
                x = torch.tanh(x) if problem.is_regression else torch.relu(x)
        if problem.is_regression:
            return functional.mse_loss(x, y)
        # Labels are i32, as the others have them.
        return functional.cross_entropy(x, y.long())

    return loss


def make_batched_step(torch, problem, rates):
    """One step of all runs; state is flat lists of stacked parameters."""
    loss = make_loss(torch, problem)

    def pairs(flat):
        return list(zip(flat[0::2], flat[1::2]))

    gradients_and_loss = torch.func.vmap(
        torch.func.grad_and_value(lambda flat, x, y: loss(pairs(flat), x, y)),
        in_dims=(0, None, None),
    )

    def rate_of(parameter):
        return rates.reshape(-1, *[1] * (parameter.dim() - 1))

    def sgd(state, count, x, y):
        (parameters,) = state
        gradients, value = gradients_and_loss(parameters, x, y)
        moved = [p - rate_of(p) * g for p, g in zip(parameters, gradients)]
        return (moved,), value

    def adam(state, count, x, y):
        parameters, ms, vs = state
        gradients, value = gradients_and_loss(parameters, x, y)
        ms = [0.9 * m + 0.1 * g for m, g in zip(ms, gradients)]
        vs = [0.999 * v + 0.001 * g * g for v, g in zip(vs, gradients)]
        m_scale, v_scale = 1 / (1 - 0.9**count), 1 / (1 - 0.999**count)
        moved = [
            p - rate_of(p) * (m * m_scale) / (torch.sqrt(v * v_scale) + 1e-8)
            for p, m, v in zip(parameters, ms, vs)
        ]
        return (moved, ms, vs), value

    return sgd if problem.optimizer == "sgd" else adam


def train_batched(torch, step, state, x, y, steps):
    for t in range(steps):
        count = torch.tensor(t + 1.0)
        state, _ = step(state, count, x[t % BATCHES], y[t % BATCHES])


def train_alone(torch, problem, loss, flat, rate, x, y, steps):
    leaves = [leaf.requires_grad_() for leaf in flat]
    parameters = list(zip(leaves[0::2], leaves[1::2]))
    kind = torch.optim.SGD if problem.optimizer == "sgd" else torch.optim.Adam
    optimizer = kind(leaves, lr=rate, fused=True)
    for t in range(steps):
        optimizer.zero_grad(set_to_none=True)
        loss(parameters, x[t % BATCHES], y[t % BATCHES]).backward()
        optimizer.step()


def prepare(job):
    use_cores(job.threads)
    import torch
    from inputs import make_data, make_parameters, make_rates

    torch.set_num_threads(job.threads)
    problem = job.problem
    runs = min(problem.runs, LOOP_RUNS) if job.mode == "loop" else problem.runs
    x, y = (torch.from_numpy(array) for array in make_data(problem))
    rates = torch.from_numpy(make_rates(runs))
    stacked = [
        torch.from_numpy(array)
        for layer in make_parameters(problem, runs)
        for array in layer
    ]

    if job.mode == "loop":
        loss = make_loss(torch, problem)
        make = lambda: [[leaf[run].clone() for leaf in stacked] for run in range(runs)]

        def train_steps(states, steps):
            for state, rate in zip(states, rates.tolist()):
                train_alone(torch, problem, loss, state, rate, x, y, steps)
    else:
        step = make_batched_step(torch, problem, rates)
        if job.mode == "func-compile":
            step = torch.compile(step)
        copies = 1 if problem.optimizer == "sgd" else 3

        def make():
            moments = [[torch.zeros_like(leaf) for leaf in stacked]] * (copies - 1)
            return ([leaf.clone() for leaf in stacked], *moments)

        def train_steps(state, steps):
            train_batched(torch, step, state, x, y, steps)

    steps = choose_steps(make, train_steps)
    version = f"torch {torch.__version__}"
    return version, runs * steps, make, lambda state: train_steps(state, steps)


def choose_steps(make, train_steps):
    """Half a second or so, measured when everything is compiled."""
    train_steps(make(), 2)
    state = make()
    started = time.perf_counter()
    train_steps(state, 2)
    passes = 0.5 * 2 / (time.perf_counter() - started) / BATCHES
    return max(2, int(BATCHES * min(10, passes)))


if __name__ == "__main__":
    serve(prepare)
