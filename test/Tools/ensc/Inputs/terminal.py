"""A command in a pseudo-terminal."""

import fcntl
import os
import pty
import select
import struct
import termios


class Terminal:
    """Runs a command, whose standard streams are the terminal's."""

    def __init__(self, command, rows=40, columns=100, term="xterm", in_child=None):
        self.end, self.child_side = pty.openpty()
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.child_side, termios.TIOCSWINSZ, size)
        self.modes = termios.tcgetattr(self.child_side)
        self.seen = b""
        self.child = os.fork()
        if self.child:
            return
        if in_child:
            in_child()
        # Control-C is for the session that a terminal controls.
        os.setsid()
        fcntl.ioctl(self.child_side, termios.TIOCSCTTY, 0)
        os.environ.update(TERM=term, NO_COLOR="")
        for descriptor in range(3):
            os.dup2(self.child_side, descriptor)
        os.execv(command[0], command)

    def press(self, keys):
        os.write(self.end, keys)

    def read_until(self, text, reads=1000):
        """Reads until `text` was seen or the terminal is gone.

        Gives up after so many reads, of 0.1 s or some text each: time alone
        passes while a machine is busy with other things, too.
        """
        while text not in self.seen and reads > 0 and self._read(0.1):
            reads -= 1

    def read_all(self):
        """Reads until the command has ended; gives its exit code."""
        while True:
            ended, status = os.waitpid(self.child, os.WNOHANG)
            while select.select([self.end], [], [], 0)[0] and self._read(0):
                pass
            if ended:
                return os.waitstatus_to_exitcode(status)
            self._read(0.05)

    def _read(self, seconds):
        if not select.select([self.end], [], [], seconds)[0]:
            return True
        # The end of a terminal is an error.
        try:
            part = os.read(self.end, 65536)
        except OSError:
            return False
        self.seen += part
        return bool(part)

    def text(self):
        """What was seen, with escapes as text."""
        text = self.seen.decode(errors="replace").replace("\r\n", "\n")
        return text.replace("\x1b", "<ESC>")

    def is_restored(self):
        return termios.tcgetattr(self.child_side) == self.modes
