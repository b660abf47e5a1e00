#!/usr/bin/env python3
"""Writes numbers as an f32 array: make_npy.py OUT.npy 2x3 1 2 3 4 5 6."""

import struct
import sys

shape = [int(extent) for extent in sys.argv[2].split("x")]
values = [float(value) for value in sys.argv[3:]]
dims = "".join(f"{extent}, " for extent in shape)
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({dims}), }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(sys.argv[1], "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
    out.write(header.encode() + struct.pack(f"<{len(values)}f", *values))
