"""Executes a page of documentation: run_page.py PAGE [DIRECTORY].

Blocks are taken in order, and executed in DIRECTORY or the current one:

    ```console     lines that begin with "$ " are commands, and those below
                   them what they print: "..." stands for any text in a line,
                   a line of "..." for any lines; spaces count as one. A command must exit with 0
                   unless a comment says "# exits with N".
    ```python      a program that must exit with 0
    ```mlir, ```csv, ```json     a file whose name the line above the block
                   gives, as in "`rows.csv`:"
"""

import os
import pathlib
import re
import subprocess
import sys


def squeeze(text):
    """Text whose columns do not depend on how wide they are."""
    return re.sub(" +", " ", text)


def pattern_of(lines):
    parts = []
    for line in map(squeeze, lines):
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            pieces = [re.escape(piece) for piece in line.rstrip().split("...")]
            parts.append(".*".join(pieces) + r" *\n")
    return "".join(parts)


def commands_of(block):
    """Pairs of a command and the lines expected of it."""
    commands = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append([line[2:], []])
        elif commands and commands[-1][0].endswith("\\"):
            commands[-1][0] = commands[-1][0][:-1] + line.strip()
        elif commands:
            commands[-1][1].append(line)
        else:
            sys.exit(f"a block begins with something that is no command: {line}")
    return commands


def run_command(command, expected, place):
    code = re.search(r"# exits with (\d+)", command)
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, check=False,
    )
    wanted = int(code.group(1)) if code else 0
    if done.returncode != wanted:
        sys.exit(f"{place}: '{command}' exited with {done.returncode}, not {wanted}:\n"
                 f"{done.stdout}{done.stderr}")
    printed = done.stdout
    if wanted:
        printed += done.stderr
    if expected and not re.fullmatch(pattern_of(expected), squeeze(printed)):
        sys.exit(f"{place}: '{command}' printed\n{printed}instead of\n"
                 + "\n".join(expected))


def main():
    page = pathlib.Path(sys.argv[1]).resolve()
    if len(sys.argv) > 2:
        os.chdir(sys.argv[2])
    text = page.read_text(encoding="utf-8")
    executed = 0
    for match in re.finditer(r"```(\w+)\n(.*?)```", text, re.S):
        language, block = match.groups()
        place = f"{page.name}:{text[:match.start()].count(chr(10)) + 1}"
        if language == "console":
            for command, expected in commands_of(block):
                command = re.sub(r"\bpython3\b", sys.executable, command)
                run_command(command, expected, place)
                executed += 1
        elif language == "python":
            done = subprocess.run([sys.executable, "-c", block], check=False)
            if done.returncode:
                sys.exit(f"{place}: the program failed")
            executed += 1
        elif language in ("mlir", "csv", "json"):
            name = re.search(r"`([\w.-]+)`[^\n]*\n\n?$", text[:match.start()])
            if not name:
                sys.exit(f"{place}: the line above does not name the file")
            pathlib.Path(name.group(1)).write_text(block, encoding="utf-8")
    if not executed:
        sys.exit(f"{page.name}: nothing to execute")


main()
