"""Uses a page of the 12 runs of make_experiment.py: drive_report.py PAGE."""

import html
import json
import pathlib
import re
import sys

from browse_report import browse

EXPECTED = {
    "picked": ["run 6 ×", "run 5 ×", "run 3 ×"],
    "pickedCurves": 9,
    "pickedLines": 3,
    "pickedLater": 2,
    "pickedByKey": "run 7 ×",
    "pickedLast": True,
    "up": [0, 1, 2],
    "down": [11, 10, 9],
    "filtered": [3, 2, 1, 0],
    "out": 8,
    "found": [9],
    "compared": [8, 7],
    "chip": [4],
    "brushed": [6, 7, 8, 9, 10],
    "unbrushed": 12,
    "noTip": True,
    "hoveredCurves": 3,
    "logged": True,
    "best": 3,
    "theme": "dark",
    "complaints": 0,
}


def main():
    page = pathlib.Path(sys.argv[1])
    script = pathlib.Path(__file__).with_name("drive_report.js").read_text()
    driven = page.with_name("driven.html")
    end = "</body>"
    text = page.read_text(encoding="utf-8")
    text = text.replace(end, f"<script>{script}</script>{end}")
    driven.write_text(text, encoding="utf-8")
    document, console = browse(driven, 1280, dark=False)
    assert not console, console
    seen = re.search(r'data-seen="([^"]*)"', document)
    assert seen, "the script did not end"
    seen = json.loads(html.unescape(seen[1]))
    chart, point = seen.pop("chartTip"), seen.pop("pointTip")
    assert re.search(r"step (90|1[01]0)median0\.\d+quartiles.*runs1\d", chart), chart
    assert re.search(r"run 7statuscompleted.*lr0\.008111", point), point
    for name, value in EXPECTED.items():
        assert seen.pop(name) == value or print(name, value), name
    assert not seen, seen


if __name__ == "__main__":
    main()
