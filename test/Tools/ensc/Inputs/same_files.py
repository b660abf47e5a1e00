#!/usr/bin/env python3
"""Fails unless two directories hold the same files: same_files.py A B [NAME...].

Event files are left out, because they say when an experiment was started, and
so are files called NAME.
"""

import pathlib
import sys


def files_of(root, left_out):
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name not in left_out
        and not path.name.startswith("events.")
    }


a, b = (files_of(pathlib.Path(name), sys.argv[3:]) for name in sys.argv[1:3])
if not a:
    sys.exit(f"{sys.argv[1]} has no files")
if different := [name for name in sorted({*a, *b}) if a.get(name) != b.get(name)]:
    sys.exit("different: " + ", ".join(different))
