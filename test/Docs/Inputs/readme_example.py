"""Takes the README's example apart: program, data, command, expected table."""

import pathlib
import re
import sys

readme, directory = sys.argv[1], pathlib.Path(sys.argv[2])
text = pathlib.Path(readme).read_text(encoding="utf-8")
program = re.search(r"```mlir\n(.*?)```", text, re.S).group(1)
command, table = re.search(
    r"```console\n\$ (ensc train line[^\n]*)\n(.*?)```", text, re.S
).groups()
(directory / "line.mlir").write_text(program, encoding="utf-8")
(directory / "command.sh").write_text(command + "\n", encoding="utf-8")
(directory / "expected.txt").write_text(table, encoding="utf-8")
(directory / "data.py").write_text(
    re.search(r"```python\n(.*?)```", text, re.S).group(1), encoding="utf-8"
)
