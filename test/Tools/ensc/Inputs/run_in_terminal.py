"""Runs a command in a terminal, and prints what it wrote, with escapes as text:
run_in_terminal.py [--term=NAME] [--columns=N] [--interrupt-at=TEXT] COMMAND...

Control-C is pressed when TEXT was seen, or each of several TEXTs.
"""

import argparse

from terminal import Terminal


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--term", default="xterm")
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("--interrupt-at", action="append", default=[])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    terminal = Terminal(options.command, columns=options.columns, term=options.term)
    for text in options.interrupt_at:
        terminal.read_until(text.encode())
    if options.interrupt_at:
        terminal.press(b"\x03")
    code = terminal.read_all()
    print(terminal.text())
    print("exit code", code)


if __name__ == "__main__":
    main()
