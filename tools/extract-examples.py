#!/usr/bin/env python3
"""Prints the examples of docs/Dialect.md as modules that ens-opt parses.

Each ```mlir block becomes the body of a function. What it reads without
defining it becomes an argument, of the type that the op that reads it says.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VALUE = r"%[a-zA-Z_]\w*"

# What examples call, by the op that they show.
VECTOR = "tensor<3xf32>"
LOSS = f"func.func private @loss({VECTOR}, {VECTOR}) -> tensor<f32>"
CONTEXT = {
    "grad": LOSS,
    "value_and_grad": LOSS,
    "jvp": LOSS,
    "vjp": f"func.func private @f({VECTOR}) -> {VECTOR}",
    "custom_grad": f"func.func private @f({VECTOR}) -> {VECTOR}\n"
    f"func.func private @f_vjp({VECTOR}, {VECTOR}) -> {VECTOR}",
    "ensemble": f"func.func private @f({VECTOR}, {VECTOR}) -> tensor<f32>",
    "learner": """
func.func private @init() -> (tensor<4x3xf32> {ens.name = "w"}) {
  %w = ens.constant dense<0.0> : tensor<4x3xf32>
  return %w : tensor<4x3xf32>
}
func.func private @loss(
    %w: tensor<4x3xf32> {ens.name = "w"},
    %x: tensor<32x4xf32> {ens.name = "x", ens.role = "data"}) -> tensor<f32> {
  %l = ens.reduce sum, %x dims = [0, 1] : (tensor<32x4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func private @accuracy(
    %w: tensor<4x3xf32> {ens.name = "w"},
    %x: tensor<32x4xf32> {ens.name = "x", ens.role = "data"}) -> tensor<f32> {
  %l = ens.reduce max, %x dims = [0, 1] : (tensor<32x4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}""",
}
# Ops that stand in another one.
INSIDE = {
    "yield": (
        "ens.contract domain = [] over = [] : f32 {",
        "} epilogue {\n^bb0(%sum: f32):\n}",
    )
}
AT_MODULE_LEVEL = {"learner"}


def examples(text):
    """(op, text) of each example."""
    op = None
    block = None
    for line in text.splitlines():
        heading = re.match(r"### `ens\.(\w+)`", line)
        if heading:
            op = heading.group(1)
        elif line == "```mlir":
            block = []
        elif line == "```" and block is not None:
            yield op, "\n".join(block)
            block = None
        elif block is not None:
            block.append(line)


def split_types(text):
    """The types of a list at its outer level."""
    types, depth, current = [], 0, ""
    for character in text:
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            types.append(current.strip())
            current = ""
        else:
            current += character
    return types + [current.strip()]


def predicate_type(type_text):
    return re.sub(r"(x|<)[a-z]+\d+>$", r"\1i1>", type_text)


def read_types(statement):
    """(value, type) of each operand of one statement."""
    memory = re.search(r"memref\.(load|store) (.*) : (memref<.*>)", statement)
    if memory:
        buffer, indices = re.search(rf"({VALUE})\[(.*)\]", memory.group(2)).groups()
        yield buffer, memory.group(3)
        for index in re.findall(VALUE, indices):
            yield index, "index"
        return
    if "scf.for" in statement or "from_index" in statement:
        for value in re.findall(VALUE, statement.split("=", 1)[1]):
            yield value, "index"
        return
    if "ens.philox" in statement:
        for value in re.findall(VALUE, statement.split("=", 1)[1]):
            yield value, "ui32"
        return
    if " : " not in statement or statement.startswith("^"):
        return
    # The last colon at the outer level separates the types; before it stand the
    # operands, and results before the first equals sign.
    body = re.sub(rf"^\s*{VALUE}(:\d+)?(, {VALUE})* = ", "", statement)
    head, types = re.match(r"(.*?[^ ]) : (?!i64)(.*)$", body).groups()
    values = re.findall(VALUE, head)
    types = re.sub(r" (to|->) .*$", "", types).rstrip("{ ")
    if types.startswith("("):
        listed = split_types(types[1:-1])
    else:
        listed = split_types(types)
    if len(listed) == 1:
        listed *= len(values)
    if "ens.select" in head:
        listed[0] = predicate_type(listed[1])
    if "ens.dropout" in head:
        element = re.search(r"(f\d+)>$", listed[0]).group(1)
        listed[1:] = [f"tensor<{element}>", "tensor<i64>", "tensor<i64>"]
    if re.search(r"ens\.(\w+_normal|\w+_uniform|normal|uniform) ", head):
        listed = ["tensor<i64>"]
    yield from zip(values, listed)


def wrap(op, text):
    """One module that holds the example."""
    context = CONTEXT.get(op, "")
    if op in AT_MODULE_LEVEL:
        return f"{context}\n{text}"
    defined, arguments = set(), {}
    for line in text.splitlines():
        for value, type_text in read_types(line.strip()):
            if value not in defined:
                arguments.setdefault(value, type_text)
        block = re.findall(rf"({VALUE}): ", line) if "^bb" in line else []
        results = re.match(rf"\s*({VALUE}(:\d+)?(, {VALUE})*) = ", line)
        if results:
            block += re.findall(VALUE, results.group(1))
        counter = re.search(rf"scf\.for ({VALUE})", line)
        if counter:
            block.append(counter.group(1))
            arguments.pop(counter.group(1), None)
        defined.update(block)
    before, after = INSIDE.get(op, ("", ""))
    listed = ", ".join(f"{name}: {kind}" for name, kind in arguments.items())
    return (
        f"{context}\nfunc.func @example({listed}) {{\n"
        f"{before}\n{text}\n{after}\nreturn\n}}"
    )


def main():
    text = (ROOT / "docs" / "Dialect.md").read_text(encoding="utf-8")
    modules = [f"// ens.{op}\n{wrap(op, block)}" for op, block in examples(text)]
    print("\n\n// -----\n\n".join(modules))
    return 0


if __name__ == "__main__":
    sys.exit(main())
