"""Interrupts ensc where it waits for a peer: interrupt_peer.py LINES COMMAND...

Says what is in the file LINES, and nothing more. The exit code must be 75.
"""

import signal
import subprocess
import sys

with open(sys.argv[1], encoding="utf-8") as lines:
    process = subprocess.Popen(
        sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    process.stdin.write(lines.read())
process.stdin.flush()
while "waiting" not in process.stdout.readline():
    assert process.poll() is None
process.send_signal(signal.SIGINT)
assert process.wait() == 75, process.returncode
