"""Writes text whose brackets nest: make_nested.py KIND DEPTH FILE.

KIND is if, unclosed, list, minus or tuple. Programs of the kind if have more
brackets in a comment and in a string, which do not nest.
"""

import sys

kind, depth, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if kind in ("if", "unclosed"):
    head = (
        f"// {'<' * 1000}\n"
        "func.func @f(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> "
        f"attributes {{x.y = \"\\\"{'[' * 1000}\"}} {{\n"
        "  %p = tensor.extract %c[] : tensor<i1>\n"
    )
    ends = "".join(
        f"scf.yield %y{i + 1} : tensor<f32>\n"
        "} else {\nscf.yield %x : tensor<f32>\n}\n"
        for i in reversed(range(depth))
    )
    text = head + "".join(
        f"%y{i} = scf.if %p -> (tensor<f32>) {{\n" for i in range(depth)
    )
    if kind == "if":
        text += f"%y{depth} = ens.exp %x : tensor<f32>\n{ends}"
        text += "return %y0 : tensor<f32>\n}\n"
elif kind == "list":
    text = f"module attributes {{x.y = {'[' * depth}{']' * depth}}} {{}}\n"
elif kind == "minus":
    text = f"module attributes {{x.y = affine_map<(d) -> ({'-' * depth}d)>}} {{}}\n"
else:
    text = f"func.func private @f({'tuple<' * depth}f32{'>' * depth})\n"
with open(path, "w", encoding="utf-8") as file:
    file.write(text)
