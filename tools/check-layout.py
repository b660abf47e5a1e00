#!/usr/bin/env python3
"""Checks the rules of CONTRIBUTING.md that a program can check.

Prints FILE:LINE: MESSAGE for each offence and exits with 1 if there is one.
"""

import pathlib
import re
import subprocess
import sys

MAX_LINES = 500
MAX_COLUMNS = 80
CODE = {".h", ".cpp", ".c", ".td"}
BANNER = [
    "//",
    "// Part of ensc, under the Apache License v2.0 with LLVM Exceptions.",
    "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
    "//",
]
# What libraries must leave to tools.
FORBIDDEN_IN_LIBRARIES = [
    (r"\b(llvm::)?(errs|outs)\(\)", "libraries do not print"),
    (r"\bstd::c(out|err)\b|\bprintf\(", "libraries do not print"),
    (r"\bstd::exit\(|[^\w.:>]exit\(", "libraries do not exit"),
    (r"\bcl::(opt|list)\b", "flags belong to tools"),
    (r"\bthrow\b [^.]|\bcatch \(", "ensc has no exceptions"),
]
# Where exceptions of a user's functions end.
CATCHES_EXCEPTIONS = "lib/Learner/UserCode.cpp"


def tracked_files(root):
    names = subprocess.run(
        ["git", "-C", root, "ls-files", "-z"],
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split("\0")
    return [pathlib.Path(name) for name in names if name]


def is_unbreakable(path, number):
    """TableGen's formats and the programs in tests are single strings."""
    in_text = path.suffix == ".td" or path.parts[:2] == ("test", "unit")
    return in_text and number > 1


def code_offences(path, lines):
    """Offences in C++ and TableGen, as pairs of line number and text."""
    if len(lines) >= MAX_LINES:
        yield len(lines), f"{len(lines)} lines; split the file below {MAX_LINES}"
    first = lines[0] if lines else ""
    if not first.startswith(f"//===- {path.name} - ") or lines[1:5] != BANNER:
        yield 1, "the banner is missing or names another file"
    for number, line in enumerate(lines, start=1):
        if len(line) > MAX_COLUMNS and not is_unbreakable(path, number):
            yield number, f"{len(line)} columns; at most {MAX_COLUMNS}"
        if re.search(r"\b(TODO|FIXME|XXX)\b", line):
            yield number, "open ends belong to the issue tracker"
    if path.parts[0] != "lib":
        return
    for number, line in enumerate(lines, start=1):
        code = line.split("//")[0]
        for pattern, text in FORBIDDEN_IN_LIBRARIES:
            if "exceptions" in text and str(path) == CATCHES_EXCEPTIONS:
                continue
            if re.search(pattern, re.sub(r'"(\\.|[^"\\])*"', '""', code)):
                yield number, text


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    clean = True
    for path in tracked_files(root):
        if path.suffix not in CODE or not (root / path).is_file():
            continue
        lines = (root / path).read_text(encoding="utf-8").splitlines()
        for number, text in code_offences(path, lines):
            print(f"{path}:{number}: {text}")
            clean = False
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
