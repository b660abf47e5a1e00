#!/usr/bin/env python3
"""Writes the data of tiny.mlir as an npz archive, without NumPy.

  make_data.py OUT.npz [--per-run=N] [--without=KEY]... [--as-float=KEY]
               [--label=KEY:ROW:LABEL] [--validation-rows=N]
"""

import argparse
import random
import struct
import zipfile

ROWS, VALIDATION_ROWS, FEATURES = 14, 6, 3


def npy(descr, shape, values):
    """The bytes of an npy file."""
    dims = "".join(f"{extent}, " for extent in shape)
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({dims}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    code = {"<f4": "f", "<f8": "d", "<i4": "i", "<u2": "H"}[descr]
    magic = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
    return magic + header.encode() + struct.pack(f"<{len(values)}{code}", *values)


def make_arrays(copies, validation_rows):
    """Points around the origin; the class is the sign of a sum."""
    arrays = {}
    for suffix, rows in (("", ROWS), ("_val", validation_rows)):
        lead = (copies,) if copies and not suffix else ()
        generator = random.Random(rows)
        x, y = [], []
        for _ in range(rows * (lead[0] if lead else 1)):
            point = [generator.uniform(-1, 1) for _ in range(FEATURES)]
            x += point
            y.append(int(sum(point) > 0))
        arrays["x" + suffix] = ("<f4", lead + (rows, FEATURES), x)
        arrays["y" + suffix] = ("<i4", lead + (rows,), y)
    # What other programs keep beside the data.
    arrays["names"] = ("<f4", (2,), [0.0, 1.0])
    arrays["notes"] = ("<u2", (3,), [1, 2, 3])
    return arrays


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--per-run", type=int, default=0)
    parser.add_argument("--validation-rows", type=int, default=VALIDATION_ROWS)
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--as-float", default="")
    parser.add_argument("--label", default="")
    options = parser.parse_args()
    arrays = make_arrays(options.per_run, options.validation_rows)
    if options.label:
        key, row, label = options.label.split(":")
        arrays[key][2][int(row)] = int(label)
    with zipfile.ZipFile(options.out, "w", zipfile.ZIP_DEFLATED) as archive:
        for key, (descr, shape, values) in arrays.items():
            if key in options.without:
                continue
            if key == options.as_float:
                descr = "<f8"
            archive.writestr(key + ".npy", npy(descr, shape, values))


if __name__ == "__main__":
    main()
