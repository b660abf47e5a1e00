"""Writes xor.npz and sinusoid.npz, the data of xor.mlir and sinusoid.mlir.

The result has the same arrays every time:

    python3 docs/examples/data/make_starts.py
"""

import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent
SECONDS, POINTS = 8.0, 64
FREQUENCY, PHASE = 11.0, 0.7


def main():
    x = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]], np.float32)
    y = np.array([[-1], [1], [1], [-1]], np.float32)
    np.savez(HERE / "xor.npz", x=x, y=y)
    t = np.linspace(0.0, SECONDS, POINTS)
    wave = np.sin(FREQUENCY * t + PHASE)
    np.savez(
        HERE / "sinusoid.npz", t=t.astype(np.float32), y=wave.astype(np.float32)
    )


if __name__ == "__main__":
    main()
