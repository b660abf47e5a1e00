"""What is compared: a model, how it is trained, and how many runs of it."""

import dataclasses
import re

# Mini-batches of a data set, which all runs share; step t takes batch t % BATCHES.
BATCHES = 56


class UsageError(Exception):
    """What the caller asked for makes no sense; the text says why."""


@dataclasses.dataclass(frozen=True)
class Problem:
    model: str  # "mlp-64-32-10": the sizes of the input and of each dense layer
    batch: int
    optimizer: str  # "sgd" or "adam"
    runs: int

    def __post_init__(self):
        if not re.fullmatch(r"mlp(-[1-9][0-9]*){2,}", self.model):
            raise UsageError(
                f"the model '{self.model}' is not known; write the sizes of its "
                "layers, as in mlp-64-32-10"
            )
        if self.optimizer not in ("sgd", "adam"):
            raise UsageError(f"the optimizer is sgd or adam, not '{self.optimizer}'")
        if self.batch < 1 or self.runs < 1:
            raise UsageError("the batch and the number of runs must be positive")

    @property
    def sizes(self):
        return [int(size) for size in self.model.split("-")[1:]]

    @property
    def layers(self):
        """Inputs and outputs of each layer."""
        return list(zip(self.sizes, self.sizes[1:]))

    @property
    def is_regression(self):
        """One output: tanh and the squared error. More: relu and cross entropy."""
        return self.sizes[-1] == 1

    @property
    def flops(self):
        """Of the matrix products in one step of one run.

        Forward, the gradients of the weights, and those of what each layer but the
        first takes; a multiply-add counts two.
        """
        products = sum(3 * inputs * outputs for inputs, outputs in self.layers)
        first_inputs, first_outputs = self.layers[0]
        return 2 * self.batch * (products - first_inputs * first_outputs)

    def title(self):
        return f"{self.model}, batch {self.batch}, {self.optimizer}, {self.runs} runs"


# The rows of docs/Performance.md.
TARGETS = [
    Problem("mlp-64-32-10", 16, "sgd", 64),
    Problem("mlp-64-32-10", 16, "adam", 64),
    Problem("mlp-64-32-10", 32, "adam", 64),
    Problem("mlp-64-32-10", 32, "adam", 4096),
    Problem("mlp-2-16-16-1", 32, "sgd", 1024),
    Problem("mlp-784-128-10", 32, "sgd", 64),
    Problem("mlp-784-128-10", 32, "adam", 64),
    Problem("mlp-784-128-128-10", 32, "adam", 64),
]
