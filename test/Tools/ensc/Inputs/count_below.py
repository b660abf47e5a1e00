"""Counts the runs below a bound: count_below.py RUNS.csv COLUMN BOUND."""

import csv
import sys

path, column, bound = sys.argv[1:]
with open(path, encoding="utf-8") as table:
    values = [float(row[column]) for row in csv.DictReader(table)]
print(f"{sum(value < float(bound) for value in values)} of {len(values)}")
