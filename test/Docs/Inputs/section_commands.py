"""Prints the commands of a section: section_commands.py FILE WORDS, where WORDS
are of its heading alone."""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
heading = rf"^#+ .*{re.escape(sys.argv[2])}.*\n"
_, rest = re.split(heading, text, flags=re.M)
section = re.split(r"^#+ ", rest, flags=re.M)[0]
commands = re.findall(r"^\$ (.*)$", section, re.M)
assert commands, "there is no command"
print("set -e", *commands, sep="\n")
