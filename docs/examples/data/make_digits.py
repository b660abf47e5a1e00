"""Writes digits.npz, the data set of docs/examples/digits.mlir.

The 1,797 images of scikit-learn's bundled digits, in [0, 1], split at random
into 1,437 for training and 360 for validation. Run it in an environment with
numpy and scikit-learn; the result has the same arrays every time:

    python3 -m venv /tmp/digits && /tmp/digits/bin/pip install scikit-learn
    /tmp/digits/bin/python docs/examples/data/make_digits.py
"""

import pathlib

import numpy as np
from sklearn.datasets import load_digits

SPLIT_SEED = 0
TRAINING_ROWS = 1437
LARGEST_PIXEL = 16


def main():
    digits = load_digits()
    images = (digits.data / LARGEST_PIXEL).astype(np.float32)
    labels = digits.target.astype(np.int32)
    # RandomState's stream is frozen: every version of NumPy has this order.
    order = np.random.RandomState(SPLIT_SEED).permutation(len(images))
    training, validation = np.split(order, [TRAINING_ROWS])
    np.savez_compressed(
        pathlib.Path(__file__).with_name("digits.npz"),
        x=images[training],
        y=labels[training],
        x_val=images[validation],
        y_val=labels[validation],
    )


if __name__ == "__main__":
    main()
