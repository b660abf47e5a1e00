"""The Python side of InteropTest.cpp: checks and writes files with the
libraries that everybody else uses.

    interop.py check DIR   compares what ensc wrote with what it should hold
    interop.py write DIR   writes the same arrays in as many ways as there are

Exits with 77 where a library is missing.
"""

import io
import pathlib
import sys
import zipfile

try:
    import numpy as np
    import safetensors.numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

ARRAYS = {
    "f32": np.array([[1, 2, 3], [4, 5, -0.0]], np.float32),
    "f64": np.array(0.1, np.float64),
    "i1": np.array([True, False, True]),
    "i32": np.array([[-7], [1 << 30]], np.int32),
    "i64": np.array([1 << 60, -1], np.int64),
    "ui32": np.array([0xFFFFFFFF], np.uint32),
}


def check_equal(arrays):
    assert sorted(arrays) == sorted(ARRAYS), sorted(arrays)
    for key, expected in ARRAYS.items():
        actual = arrays[key]
        assert actual.dtype == expected.dtype, key
        assert actual.shape == expected.shape, key
        assert actual.tobytes() == expected.tobytes(), key


def check(directory):
    for name in ("stored.npz", "deflated.npz"):
        with np.load(directory / name) as file:
            check_equal(dict(file))
        assert zipfile.ZipFile(directory / name).testzip() is None
    check_equal(safetensors.numpy.load_file(directory / "a.safetensors"))
    with safetensors.safe_open(directory / "a.safetensors", "numpy") as file:
        assert file.metadata() == {"run": "7"}, file.metadata()
    array = np.load(directory / "f32.npy")
    assert array.tobytes() == ARRAYS["f32"].tobytes()


class Unseekable(io.RawIOBase):
    """Makes zipfile write sizes behind the data."""

    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


def write_members(archive, **options):
    for key, array in ARRAYS.items():
        with archive.open(key + ".npy", "w", **options) as member:
            np.lib.format.write_array(member, array, version=(2, 0))


def write(directory):
    np.savez(directory / "savez.npz", **ARRAYS)
    np.savez_compressed(directory / "savez_compressed.npz", **ARRAYS)
    fortran = {key: np.array(array, order="F") for key, array in ARRAYS.items()}
    np.savez(directory / "fortran.npz", **fortran)
    with zipfile.ZipFile(directory / "zip64.npz", "w") as archive:
        archive.comment = b"a comment behind the directory"
        write_members(archive, force_zip64=True)
    with open(directory / "descriptors.npz", "wb") as file:
        with zipfile.ZipFile(
            Unseekable(file), "w", zipfile.ZIP_DEFLATED
        ) as archive:
            write_members(archive)
    safetensors.numpy.save_file(
        ARRAYS, directory / "a.safetensors", metadata={"run": "7"}
    )


if __name__ == "__main__":
    {"check": check, "write": write}[sys.argv[1]](pathlib.Path(sys.argv[2]))
