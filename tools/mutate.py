#!/usr/bin/env python3
"""Checks that the tests notice when a rule is wrong.

For each mutant of tools/mutants.py, the objects that it changes are compiled from
a perturbed copy of the file and linked, in front of the libraries, into the unit
tests that use them. A test that fails kills the mutant. Neither the sources nor
the build directory is touched; the build must be up to date.

    tools/mutate.py --build-dir build                       all mutants
    tools/mutate.py --build-dir build --family orders       one family
    tools/mutate.py --build-dir build --sample 2            two of each family

The exit status is 1 if a mutant survives, if no test uses what it changes, or if
there was nothing to kill. A mutant that does not compile is called invalid.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

import mutants

SOURCE_ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMEOUT = 300  # Seconds, per test; an endless loop is a kill, too.

# The test of a family that is quick and finds most of its mutants.
FIRST_TEST = {
    "coefficients": "bin/EnscReferenceTests",
    "derivatives": "bin/EnscDifferentiateTests",
    "orders": "bin/EnscReferenceTests",
    "run-rules": "bin/EnscVectorizeTests",
}


class Build:
    """What ninja knows: how each object, library and test is made."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory).resolve()
        edges = json.loads(self._ninja("-t", "compdb"))
        self.commands = {edge["output"]: edge["command"] for edge in edges}
        self.source_of = {
            edge["output"]: edge["file"]
            for edge in edges
            if edge["output"].endswith(".o")
        }
        self.archive_of = {
            word: output
            for output, command in self.commands.items()
            if output.endswith(".a")
            for word in command.split()
            if word.endswith(".o")
        }
        self.dependents = self._read_dependents()
        self.passed = set()  # The tests that pass without a mutant.

    def _ninja(self, *arguments):
        return subprocess.run(
            ["ninja", *arguments],
            cwd=self.directory,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def _read_dependents(self):
        """For each file, the objects that are compiled from it."""
        dependents = collections.defaultdict(list)
        target = None
        for line in self._ninja("-t", "deps").splitlines():
            if line.startswith("    "):
                path = os.path.join(self.directory, line.strip())
                dependents[os.path.normpath(path)].append(target)
            elif line:
                target = line.split(":")[0]
        return dependents

    def objects_of(self, path):
        """The objects of libraries that `path` is compiled into."""
        objects = self.dependents[str(SOURCE_ROOT / path)]
        return [name for name in objects if name in self.archive_of]

    def tests_of(self, objects, first):
        """The unit tests that link one of the objects."""
        archives = {self.archive_of[name] for name in objects}
        tests = [
            output
            for output, command in self.commands.items()
            if output.startswith("bin/")
            and output.endswith("Tests")
            and (self.directory / output).exists()
            and archives & set(command.split())
        ]
        return sorted(tests, key=lambda test: (test != first, test))

    def require_pass(self, test):
        """A test that is stale or fails anyway says nothing about mutants."""
        if test in self.passed:
            return
        if "no work to do" not in self._ninja("-n", test):
            sys.exit(f"{test} is not up to date; build it first")
        if fails(self.directory / test, self.directory):
            sys.exit(f"{test} fails without a mutant")
        self.passed.add(test)

    def compile(self, name, path, scratch):
        """Compiles the object with the copy of `path` in `scratch`."""
        words = shlex.split(self.commands[name])
        if words[0].endswith("ccache"):
            words.pop(0)
        source = pathlib.Path(self.source_of[name])
        target = scratch / name.replace("/", "_")
        copy = scratch / path
        words[words.index("-o") + 1] = str(target)
        for flag in ("-MT", "-MF"):
            del words[words.index(flag) : words.index(flag) + 2]
        words.remove("-MD")
        if source == SOURCE_ROOT / path:
            words[words.index("-c") + 1] = str(copy)
            words.append(f"-iquote{source.parent}")
        # The copy of a header is found before the original.
        words.insert(1, f"-I{scratch / 'include'}")
        words.append("-w")
        subprocess.run(words, cwd=self.directory, check=True, capture_output=True)
        return str(target)

    def link(self, test, objects, scratch):
        """Links the test with the objects in place of those of its libraries."""
        words = shlex.split(self.commands[test])
        words = words[words.index("&&") + 1 : len(words) - 2]
        program = scratch / pathlib.Path(test).name
        words[words.index("-o") + 1] = str(program)
        words[words.index("-o") : words.index("-o")] = objects
        result = subprocess.run(words, cwd=self.directory, capture_output=True)
        if result.returncode != 0:
            sys.exit(f"cannot link {test}; is the build up to date?")
        return program


def fails(program, directory):
    """Whether the test fails, crashes or does not end."""
    try:
        result = subprocess.run(
            [program, "--gtest_brief=1", "--gtest_fail_fast"],
            cwd=directory,
            capture_output=True,
            timeout=TIMEOUT,
            env=os.environ | {"ENSC_CACHE_DIR": ""},
        )
    except subprocess.TimeoutExpired:
        return True
    return result.returncode != 0


def try_variant(build, mutant, variant, scratch):
    """The test that kills the variant, or how else it ended."""
    original = SOURCE_ROOT / mutant.path
    lines = original.read_text().splitlines()
    lines[mutant.line - 1] = variant
    copy = scratch / mutant.path
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text("\n".join(lines) + "\n")

    names = build.objects_of(mutant.path)
    tests = build.tests_of(names, FIRST_TEST.get(mutant.family))
    if not tests:
        return "untested"
    try:
        objects = {name: build.compile(name, mutant.path, scratch) for name in names}
    except subprocess.CalledProcessError:
        return "invalid"
    for test in tests:
        build.require_pass(test)
        linked = set(build.commands[test].split())
        used = [
            objects[name] for name in names if build.archive_of[name] in linked
        ]
        if fails(build.link(test, used, scratch), build.directory):
            return "killed by " + pathlib.Path(test).name
    return "survived"


def try_mutant(build, mutant):
    """The best outcome of the mutant's variants: killed, if one of them is."""
    outcomes = []
    for variant in mutant.variants:
        with tempfile.TemporaryDirectory(prefix="ensc-mutant-") as scratch:
            outcome = try_variant(build, mutant, variant, pathlib.Path(scratch))
        if outcome.startswith("killed"):
            return outcome
        outcomes.append(outcome)
    return min(outcomes, key=["survived", "untested", "invalid"].index)


def pick(everything, count, seed):
    """`count` mutants of each family, or all."""
    if count is None:
        return everything
    by_family = collections.defaultdict(list)
    for mutant in everything:
        by_family[mutant.family].append(mutant)
    generator = random.Random(seed)
    return [
        mutant
        for family in by_family.values()
        for mutant in generator.sample(family, min(count, len(family)))
    ]


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build-dir", default="build", help="an up-to-date build")
    parser.add_argument(
        "--family",
        action="append",
        choices=mutants.FAMILIES,
        help="only this family (repeatable)",
    )
    parser.add_argument("--sample", type=int, metavar="K", help="K of each family")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--match", help="only mutants whose name holds this text")
    parser.add_argument("--list", action="store_true", help="list, do not run")
    parser.add_argument("--report", help="a file for the table of outcomes")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    families = arguments.family or list(mutants.FAMILIES)
    everything = mutants.enumerate_mutants(SOURCE_ROOT, families)
    if arguments.match:
        everything = [m for m in everything if arguments.match in m.name]
    chosen = pick(everything, arguments.sample, arguments.seed)
    if arguments.list:
        print("\n".join(mutant.name for mutant in chosen))
        return 0

    build = Build(arguments.build_dir)
    report = []
    counts = collections.Counter()
    for mutant in chosen:
        reason = mutants.reason_to_skip(mutant)
        outcome = f"equivalent: {reason}" if reason else try_mutant(build, mutant)
        counts[outcome.split(" ")[0].rstrip(":")] += 1
        report.append(f"{mutant.name}: {outcome}")
        print(report[-1], flush=True)
    summary = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    report.append(f"{len(chosen)} mutants: {summary}")
    print(report[-1])
    if arguments.report:
        pathlib.Path(arguments.report).write_text("\n".join(report) + "\n")
    return 1 if counts["survived"] or counts["untested"] or not counts["killed"] else 0


if __name__ == "__main__":
    sys.exit(main())
