"""Watches an experiment in a terminal: drive_watch.py ENSC EXPERIMENT KEY.

Holds the experiment's lock as training does, gives ensc a terminal, presses KEY
("q", "interrupt", "finish" or "terminate") and prints what came, with escapes
as text. Then it says whether the terminal's modes are what they were.
"""

import fcntl
import os
import signal
import struct
import sys

from terminal import Terminal

F_OFD_SETLK = 37


def hold_lock(experiment):
    lock = os.open(f"{experiment}/lock", os.O_RDWR | os.O_CREAT)
    os.truncate(lock, 0)
    os.write(lock, f"{os.getpid()}\n".encode())
    wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    fcntl.fcntl(lock, F_OFD_SETLK, wanted)
    return lock


def main():
    ensc, experiment, key = sys.argv[1:]
    lock = hold_lock(experiment)
    command = [ensc, "watch", experiment, "--interval=0.1"]
    terminal = Terminal(command, 30, 90, in_child=lambda: os.close(lock))
    terminal.read_until(b"q leaves")
    if key == "q":
        terminal.press(b"q")
    elif key == "interrupt":
        terminal.press(b"\x03")
    elif key == "terminate":
        os.kill(terminal.child, signal.SIGTERM)
    else:
        os.close(lock)
    code = terminal.read_all()
    print(terminal.text())
    state = "restored" if terminal.is_restored() else "broken"
    print("exit code", code, "terminal", state)


if __name__ == "__main__":
    main()
