"""Runs a command in a terminal of 100 columns and 40 lines, and prints what it
wrote, with escapes as text: run_in_terminal.py COMMAND...
"""

import fcntl
import os
import pty
import struct
import sys
import termios


def main():
    terminal, child_side = pty.openpty()
    size = struct.pack("HHHH", 40, 100, 0, 0)
    fcntl.ioctl(child_side, termios.TIOCSWINSZ, size)
    child = os.fork()
    if child == 0:
        os.environ.update(TERM="xterm", NO_COLOR="")
        for descriptor in range(3):
            os.dup2(child_side, descriptor)
        os.execv(sys.argv[1], sys.argv[1:])
    os.close(child_side)
    written = b""
    while True:
        # The end of a terminal is an error.
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        written += part
    text = written.decode(errors="replace").replace("\r\n", "\n")
    print(text.replace("\x1b", "<ESC>"))
    print("exit code", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


if __name__ == "__main__":
    main()
