"""Checks what `ensc runs export` wrote beside the experiment DIR/all."""

import json
import pathlib
import struct
import sys

import numpy


def load_safetensors(path):
    content = path.read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    header, data = json.loads(content[8 : 8 + size]), content[8 + size :]
    types = {"F32": "<f4", "I64": "<i8"}
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        values = numpy.frombuffer(data[begin:end], types[entry["dtype"]])
        tensors[name] = values.reshape(entry["shape"])
    return tensors


place = pathlib.Path(sys.argv[1])
one = load_safetensors(place / "one.safetensors")
everything = numpy.load(place / "all.npz")
best = load_safetensors(place / "best")

assert everything["run"].tolist() == list(range(12))
assert everything["w"].shape == (12, 2, 3)
assert everything["t"].tolist()[9] == 100
assert (everything["w"][7] == one["w"]).all()
assert one["w"].tolist() == [[7, 7.125, 7.25], [7.375, 7.5, 7.625]]
assert best["run"].tolist() == [7, 8]
assert (best["w"] == everything["w"][7:9]).all()
