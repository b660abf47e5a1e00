"""Trains with JAX: vmap over the runs of a step, inside a scan over the steps
("vmap"); one run at a time, the scan compiled once ("loop"); or the runs split over
one host device per core, with vmap ("devices-vmap") or lax.map ("devices-map") in
each of them."""

import os

from problems import BATCHES
from worker import serve, use_cores

# A loop costs the same per run however many there are.
LOOP_RUNS = 64


def choose_steps(problem, runs):
    """Half a second or so, whatever the model: a scan is compiled for its length."""
    passes = 30e9 / (problem.flops * runs * BATCHES)
    return BATCHES * max(1, min(10, round(passes)))


def make_step(jax, problem):
    np = jax.numpy

    def loss(parameters, x, y):
        for i, (weights, bias) in enumerate(parameters):
            x = x @ weights + bias
            if i + 1 < len(parameters):
                x = np.tanh(x) if problem.is_regression else jax.nn.relu(x)
        if problem.is_regression:
            return np.mean(np.square(x - y))
        picked = np.take_along_axis(jax.nn.log_softmax(x), y[:, None], axis=1)
        return -np.mean(picked)

    def sgd(state, gradients, rate):
        new = jax.tree.map(lambda p, g: p - rate * g, state["p"], gradients)
        return {"p": new}

    def adam(state, gradients, rate):
        count = state["count"] + 1
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], gradients)
        v = jax.tree.map(
            lambda v, g: 0.999 * v + 0.001 * g * g, state["v"], gradients
        )
        m_scale, v_scale = 1 / (1 - 0.9**count), 1 / (1 - 0.999**count)

        def move(p, m, v):
            return p - rate * (m * m_scale) / (np.sqrt(v * v_scale) + 1e-8)

        return {"p": jax.tree.map(move, state["p"], m, v), "m": m, "v": v,
                "count": count}

    update = sgd if problem.optimizer == "sgd" else adam

    def step(state, rate, x, y):
        value, gradients = jax.value_and_grad(loss)(state["p"], x, y)
        return update(state, gradients, rate), value

    return step


def initial_state(jax, problem, runs):
    from inputs import make_parameters

    state = {"p": jax.tree.map(jax.numpy.asarray, make_parameters(problem, runs))}
    if problem.optimizer == "adam":
        for leaf in ("m", "v"):
            state[leaf] = jax.tree.map(jax.numpy.zeros_like, state["p"])
        state["count"] = jax.numpy.zeros(runs)
    return state


class Trainer:
    """Fresh state, and its training, in one mode."""

    def __init__(self, jax, job):
        from inputs import make_data, make_rates

        self.jax, self.problem = jax, job.problem
        is_loop = job.mode == "loop"
        self.runs = min(job.problem.runs, LOOP_RUNS) if is_loop else job.problem.runs
        self.steps = choose_steps(self.problem, self.runs)
        self.picks = jax.numpy.arange(self.steps) % BATCHES
        self.step = make_step(jax, self.problem)
        self.x, self.y = map(jax.numpy.asarray, make_data(self.problem))
        self.rates = jax.numpy.asarray(make_rates(self.runs))
        if is_loop:
            self.prepare_loop()
        elif job.mode == "vmap":
            self.prepare_vmap()
        else:
            self.prepare_devices(job.threads, job.mode == "devices-map")

    # What is compiled.

    def train_one(self, state, rate, x, y):
        def body(state, i):
            return self.step(state, rate, x[i], y[i])

        return self.jax.lax.scan(body, state, self.picks)

    def train_batched(self, state, rates, x, y):
        batched = self.jax.vmap(self.step, in_axes=(0, 0, None, None))

        def body(state, i):
            return batched(state, rates, x[i], y[i])

        return self.jax.lax.scan(body, state, self.picks)

    def train_mapped(self, state, rates, x, y):
        def body(run):
            return self.train_one(*run, x, y)

        return self.jax.lax.map(body, (state, rates))

    # How it is called. What `make` does is not timed.

    def prepare_loop(self):
        one = self.jax.jit(self.train_one, donate_argnums=0)

        def make():
            state = initial_state(self.jax, self.problem, self.runs)
            states = [
                self.jax.tree.map(lambda leaf, run=run: leaf[run], state)
                for run in range(self.runs)
            ]
            return self.jax.block_until_ready(list(zip(states, self.rates)))

        def train(states):
            results = [one(state, rate, self.x, self.y) for state, rate in states]
            self.jax.block_until_ready(results)

        self.make, self.train = make, train

    def prepare_vmap(self):
        self.call(self.jax.jit(self.train_batched, donate_argnums=0), lambda s: s)

    def prepare_devices(self, threads, is_mapped):
        sharding = self.jax.sharding
        mesh = self.jax.make_mesh((threads,), ("core",))
        all_shared, by_run = sharding.PartitionSpec(), sharding.PartitionSpec("core")
        losses = by_run if is_mapped else sharding.PartitionSpec(None, "core")
        over_cores = self.jax.shard_map(
            self.train_mapped if is_mapped else self.train_batched,
            mesh=mesh,
            in_specs=(by_run, by_run, all_shared, all_shared),
            out_specs=(by_run, losses),
            check_vma=False,
        )

        def put(tree, spec):
            return self.jax.device_put(tree, sharding.NamedSharding(mesh, spec))

        self.rates = put(self.rates, by_run)
        self.x, self.y = put(self.x, all_shared), put(self.y, all_shared)
        together = self.jax.jit(over_cores, donate_argnums=0)
        self.call(together, lambda state: put(state, by_run))

    def call(self, together, place):
        def make():
            state = initial_state(self.jax, self.problem, self.runs)
            return self.jax.block_until_ready(place(state))

        def train(state):
            self.jax.block_until_ready(together(state, self.rates, self.x, self.y))

        self.make, self.train = make, train


def prepare(job):
    use_cores(job.threads)
    os.environ["JAX_PLATFORMS"] = "cpu"
    if job.mode.startswith("devices"):
        os.environ["XLA_FLAGS"] = (
            f"--xla_force_host_platform_device_count={job.threads}"
        )
    import jax

    trainer = Trainer(jax, job)
    run_steps = trainer.runs * trainer.steps
    return f"jax {jax.__version__}", run_steps, trainer.make, trainer.train


if __name__ == "__main__":
    serve(prepare)
