#!/usr/bin/env python3
"""Fails unless each flag of HELP.txt is in DOCS.md: check_flags.py HELP DOCS."""

import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    flags = set(re.findall(r"^  (--?[a-z][a-z-]*)", file.read(), re.M))
with open(sys.argv[2], encoding="utf-8") as file:
    known = set(re.findall(r"`(--?[a-z][a-z-]*)", file.read()))
flags -= {"--help", "--help-list"}
if len(flags) < 20:
    sys.exit(f"only {len(flags)} flags found: did the help change?")
if missing := sorted(flags - known):
    sys.exit("not documented: " + ", ".join(missing))
