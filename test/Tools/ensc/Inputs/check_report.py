"""Checks a page against its experiment: check_report.py EXPERIMENT PAGE."""

import csv
import html.parser
import json
import math
import pathlib
import sys

VOID = {"meta", "input", "br", "img", "link"}
LOADING = {"src", "href", "srcset", "action", "data", "poster"}


class Page(html.parser.HTMLParser):
    """Checks that elements nest and that none loads anything."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.scripts = []
        self.seen = set()

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        for name, value in attributes:
            assert name not in LOADING, f"<{tag} {name}={value}>"
            assert not name.startswith("on"), f"<{tag} {name}>"
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append([dict(attributes), ""])

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}>"

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1][1] += data


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def same(shown, text):
    """Whether a value of the page is that of a field."""
    if shown is None:
        return text == ""
    value = number(text)
    if isinstance(value, float) and not math.isfinite(value):
        return shown == text
    return shown == value


def check_table(data, experiment):
    with open(experiment / "runs.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert data["run"] == [int(row["run"]) for row in rows]
    for i, row in enumerate(rows):
        assert data["statuses"][data["status"][i]] == row["status"]
        assert data["reason"][i] == row["reason"]
        assert data["steps"][i] == int(row["steps"])
        for column in data["columns"]:
            assert same(column["values"][i], row[column["name"]]), column
        for m, metric in enumerate(data["metrics"]):
            for kind in ("best", "final"):
                field = row[f"{kind}_{metric['name']}"]
                assert same(data[kind][m][i], field), (i, kind, metric)


def check_curves(data, experiment):
    """Each value of a curve is the record of its step."""
    records = {}
    with open(experiment / "metrics.csv", newline="", encoding="utf-8") as file:
        for row in csv.reader(file):
            if len(row) == 6 and row[0] != "run":
                records[int(row[0]), int(row[1])] = row[3:]
    points = 0
    for i, run in enumerate(data["run"]):
        steps = data["own"].get(str(i)) or data["grid"][data["program"][i]]
        for m, curve in enumerate(data["curve"][i]):
            for k, value in enumerate(curve):
                last = k == len(curve) - 1
                step = data["steps"][i] if last else steps[k]
                field = float(records[run, step][m])
                if value is None:
                    assert math.isnan(field)
                else:
                    assert math.isclose(value, field, rel_tol=1e-4)
                points += 1
    assert bool(points) == bool(records)


def main():
    experiment, path = map(pathlib.Path, sys.argv[1:])
    text = path.read_text(encoding="utf-8")
    assert len(text) < 5_000_000, len(text)
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, page.open
    assert "img" not in page.seen and "b" not in page.seen
    data = next(body for attributes, body in page.scripts
                if attributes.get("id") == "data")
    data = json.loads(data)
    check_table(data, experiment)
    check_curves(data, experiment)


if __name__ == "__main__":
    main()
