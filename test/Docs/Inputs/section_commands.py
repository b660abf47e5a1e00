"""Prints the commands of a section: section_commands.py FILE HEADING."""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
section = re.split(r"^#+ ", text.split(f"# {sys.argv[2]}\n")[1], flags=re.M)[0]
commands = re.findall(r"^\$ (.*)$", section, re.M)
assert commands, "there is no command"
print("set -e", *commands, sep="\n")
