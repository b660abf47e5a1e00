#!/usr/bin/env python3
"""Checks that every constraint of an op has a negative test.

The constraints are the labels `<op>_c<n>` in docs/Dialect.md, which is generated
from TableGen; a label such as `grad_c1 to grad_c4` stands for all of them. A
test names the label that it violates in a comment, in a file below test/.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LABEL = r"\b([a-z][a-z0-9_]*)_c(\d+)\b"


def labels(text):
    found = {match.group(0) for match in re.finditer(LABEL, text)}
    for match in re.finditer(LABEL + r"\s+to\s+" + LABEL, text):
        name, first, _, last = match.groups()
        for number in range(int(first), int(last) + 1):
            found.add(f"{name}_c{number}")
    return found


def main():
    specified = labels((ROOT / "docs" / "Dialect.md").read_text("utf-8"))
    tested = set()
    for path in (ROOT / "test").rglob("*-errors.mlir"):
        tested |= labels(path.read_text("utf-8"))
    for label in sorted(specified - tested):
        print(f"{label}: has no negative test")
    for label in sorted(tested - specified):
        print(f"{label}: is tested, but no op has such a constraint")
    return 0 if specified == tested else 1


if __name__ == "__main__":
    sys.exit(main())
