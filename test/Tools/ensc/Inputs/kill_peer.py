"""Kills ensc at many lines of a dialogue and says the same again.

    kill_peer.py DIRECTORY COMMAND...

The command gets -o and a directory. What is heard in the end, the log and the
final states must be those of a dialogue that was not interrupted.
"""

import json
import pathlib
import shutil
import subprocess
import sys

BATCHES, RUNS = 2, 3


def talk(command, directory, kill_at=None):
    """All that is heard, or None where ensc was killed after so many lines."""
    heard = []
    process = subprocess.Popen(
        [*command, "-o", directory],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )

    def hear():
        line = process.stdout.readline()
        assert line, f"ensc ended after {heard}"
        heard.append(json.loads(line))
        if len(heard) == kill_at:
            process.kill()
            process.communicate()
            raise KeyboardInterrupt
        return heard[-1]

    def tell(**line):
        process.stdin.write(json.dumps(line) + "\n")
        process.stdin.flush()

    try:
        hear()
        for batch in range(BATCHES):
            for run in range(RUNS):
                tell(ask={"lr": 0.01 * (1 + batch + run)}, id=run)
            tell(train=True)
            while "trained" not in (line := hear()):
                if "waiting" in line:
                    if line["waiting"] == 2:
                        tell(stop=batch)
                    tell(**{"continue": True})
        tell(finish=True)
        hear()
        assert process.wait() == 0
    except KeyboardInterrupt:
        return None
    finally:
        process.stdin.close()
        process.stdout.close()
    return heard


def contents(directory):
    files = [directory / "ask-tell.jsonl", *directory.rglob("*.safetensors")]
    return {
        str(file.relative_to(directory)): file.read_bytes()
        for file in files
        if "checkpoints" not in file.parts
    }


def main():
    root, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    whole, killed = root / "whole", root / "killed"
    expected = talk(command, whole)
    lines = len(expected)
    kills = 0
    for kill_at in range(2, lines, 3):
        assert talk(command, killed, kill_at) is None
        kills += 1
    heard = talk(command, killed)
    expected[0]["ready"]["batches"] = heard[0]["ready"]["batches"]
    assert heard == expected, (heard, expected)
    assert contents(killed) == contents(whole)
    shutil.rmtree(root)
    print(f"killed {kills} times in {lines} lines")


main()
