#!/usr/bin/env python3
"""Sums up a run of all tests: figures, budgets and a closing line.

Reads what tools/check.sh has the test programs write: DIR/ctest.junit, and for
each program NAME a report DIR/NAME.xml with its single tests. A program that
wrote no report, or failed although all of its tests passed, counts as one
failed test.
"""

import argparse
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

BUILD_BUDGET = 600
TEST_BUDGET = 720
LIT_TEST_BUDGET = 10


class Counts:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add_case(self, case):
        """Counts a <testcase> of any of the dialects of JUnit's format."""
        if case.find("failure") is not None or case.find("error") is not None:
            self.failed += 1
        elif (
            case.find("skipped") is not None
            or case.get("result") in ("skipped", "suppressed")
            or case.get("status") in ("notrun", "disabled")
        ):
            self.skipped += 1
        else:
            self.passed += 1


def read_cases(path):
    """The test cases in a report; none where it is missing or torn."""
    try:
        return list(ElementTree.parse(path).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return []


def did_not_start(program):
    """Whether ctest, which calls that skipped, could not run the program."""
    skipped = program.find("skipped")
    return skipped is not None and not skipped.get("message", "").startswith(
        ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION", "Disabled")
    )


def count_results(directory):
    """Counts the single tests of all programs that ctest ran."""
    total = Counts()
    for program in read_cases(directory / "ctest.junit"):
        program_counts = Counts()
        if did_not_start(program):
            program_counts.failed += 1
        else:
            program_counts.add_case(program)
        single = Counts()
        for case in read_cases(directory / (program.get("name") + ".xml")):
            single.add_case(case)
        if single.passed + single.failed + single.skipped == 0:
            single = program_counts
        elif program_counts.failed and not single.failed:
            single.failed += 1
        total.passed += single.passed
        total.failed += single.failed
        total.skipped += single.skipped
    return total


def lit_times(directory):
    """Pairs of seconds and path of all lit tests, the slowest first."""
    times = []
    for case in read_cases(directory / "lit.xml"):
        # "ensc.Tools.lit" and "harness.test": the suite, then directories.
        folders = case.get("classname").split(".")[1:]
        path = pathlib.Path(*folders, case.get("name"))
        times.append((float(case.get("time", 0)), str(path)))
    return sorted(times, reverse=True)


def time_alone(lit, suite, path):
    """Seconds that a lit test takes with the machine for itself."""
    started = time.monotonic()
    subprocess.run(
        [lit, "-q", str(pathlib.Path(suite) / path)],
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return time.monotonic() - started


def over_budget(options, times):
    """Lines about what took too long."""
    lines = []
    if options.build_seconds > BUILD_BUDGET:
        lines.append(f"the build took more than {BUILD_BUDGET} s")
    if options.test_seconds > TEST_BUDGET:
        lines.append(f"the tests took more than {TEST_BUDGET} s")
    for seconds, path in times:
        if seconds <= LIT_TEST_BUDGET:
            break
        # Tests that run at the same time slow each other down.
        seconds = time_alone(options.lit, options.lit_suite, path)
        if seconds > LIT_TEST_BUDGET:
            lines.append(
                f"{path} took {seconds:.1f} s alone, more than "
                f"{LIT_TEST_BUDGET} s"
            )
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-seconds", type=float, required=True)
    parser.add_argument("--test-seconds", type=float, required=True)
    parser.add_argument("--lit", required=True)
    parser.add_argument("--lit-suite", required=True)
    parser.add_argument("directories", nargs="+", type=pathlib.Path)
    options = parser.parse_args()

    totals = [count_results(directory) for directory in options.directories]
    times = lit_times(options.directories[0])
    print(f"build: {options.build_seconds:.0f} s of {BUILD_BUDGET}")
    print(f"tests: {options.test_seconds:.0f} s of {TEST_BUDGET}")
    for seconds, path in times[:5]:
        print(f"lit: {seconds:5.2f} s  {path}")
    complaints = over_budget(options, times)
    for line in complaints:
        print(f"over budget: {line}")

    passed = sum(counts.passed for counts in totals)
    failed = sum(counts.failed for counts in totals) + len(complaints)
    skipped = sum(counts.skipped for counts in totals)
    if passed + failed == 0:
        failed = 1
        print("no test ran")
    closing = f"{passed} passed, {failed} failed"
    print(closing + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
