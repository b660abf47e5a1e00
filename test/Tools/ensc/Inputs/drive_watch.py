"""Watches an experiment in a terminal: drive_watch.py ENSC EXPERIMENT KEY.

Holds the experiment's lock as training does, gives ensc a terminal, presses KEY
("q", "interrupt", "finish" or "terminate") and prints what came, with escapes
as text. Then it says whether the terminal's modes are what they were.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

F_OFD_SETLK = 37


def hold_lock(experiment):
    lock = os.open(f"{experiment}/lock", os.O_RDWR | os.O_CREAT)
    os.truncate(lock, 0)
    os.write(lock, f"{os.getpid()}\n".encode())
    wanted = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    fcntl.fcntl(lock, F_OFD_SETLK, wanted)
    return lock


def read_until(terminal, text, seen, seconds=20):
    """Adds to what was seen until it holds `text` or the terminal is gone."""
    end = time.monotonic() + seconds
    while text not in seen and time.monotonic() < end:
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    return seen


def main():
    ensc, experiment, key = sys.argv[1:]
    lock = hold_lock(experiment)
    terminal, child_side = pty.openpty()
    size = struct.pack("HHHH", 30, 90, 0, 0)
    fcntl.ioctl(child_side, termios.TIOCSWINSZ, size)
    before = termios.tcgetattr(child_side)
    command = [ensc, "watch", experiment, "--interval=0.1"]
    child = os.fork()
    if child == 0:
        os.close(lock)
        os.environ.update(TERM="xterm", NO_COLOR="")
        for descriptor in range(3):
            os.dup2(child_side, descriptor)
        os.execv(command[0], command)
    seen = read_until(terminal, b"q leaves", b"")
    if key == "q":
        os.write(terminal, b"q")
    elif key == "interrupt":
        os.write(terminal, b"\x03")
    elif key == "terminate":
        os.kill(child, signal.SIGTERM)
    else:
        os.close(lock)
    seen = read_until(terminal, b"\x1b[?1049l", seen)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.set_blocking(terminal, False)
    seen = read_until(terminal, b"\0", seen, 0.3)
    print(seen.decode(errors="replace").replace("\x1b", "<ESC>"))
    same = termios.tcgetattr(child_side) == before
    print("exit code", code, "terminal", "restored" if same else "broken")


if __name__ == "__main__":
    main()
