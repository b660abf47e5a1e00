"""Prints the examples of docs/API.md as one C++ source."""

import pathlib
import re
import sys

# What examples use and do not show.
PREAMBLE = """
#include "ensc/API/Compiler.h"
#include "ensc/API/Learner.h"
#include "ensc/Artifact/Safetensors.h"
#include "ensc/Data/GiveData.h"
#include "ensc/Predict/Combine.h"
#include "ensc/Predict/Models.h"
using namespace ensc;
static Tensor x, a, b, n;
static std::vector<double> rates;
"""

text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
examples = re.findall(r"```cpp\n(.*?)```", text, re.S)
assert examples, "there is no example"
print(PREAMBLE)
for number, example in enumerate(examples):
    print(f"void example{number}() {{\n{example}}}")
