"""How lit finds and runs the tests of ensc: see docs/Testing.md."""

import os
import subprocess
import sys

import lit.formats
import lit.util
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "ensc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.ensc_test_exec_root

# A test that hangs must not cost the whole run.
if lit.util.killProcessAndChildrenIsSupported()[0]:
    lit_config.maxIndividualTestTime = 60

llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.ensc_tools_dir, append_path=True)
# Tests are to compile, and to leave no trace in a user's directories.
llvm_config.with_environment("ENSC_CACHE_DIR", "")
llvm_config.use_default_substitutions()
# A tool that is not built yet fails only the tests that call it.
llvm_config.add_tool_substitutions(
    [
        ToolSubst(name, unresolved="ignore")
        for name in ("ens-opt", "ensc", "ens-bench", "ens-lsp-server", "split-file")
    ],
    [config.ensc_tools_dir, config.llvm_tools_dir],
)
config.substitutions.append(("%ensc_src", config.ensc_source_dir))
config.substitutions.append(("%ensc_build", config.ensc_build_dir))
config.substitutions.append(("%cc", config.ensc_c_compiler))


def cpu_flags():
    """The flags of the first CPU, as the kernel names them."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            for line in info:
                if line.startswith("flags"):
                    return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()


# What x86-64-v4 asks for beyond x86-64-v3.
AVX512 = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
if AVX512 <= cpu_flags():
    config.available_features.add("avx512")

if config.ensc_sanitizer:
    config.available_features.add("sanitizer")

for program in ("shellcheck", "clang-format-22", "chromium"):
    if lit.util.which(program):
        config.available_features.add(program)


# Tests in Python may use what tools/check.sh has installed.
python = os.path.join(config.ensc_source_dir, ".venv", "bin", "python")
if not os.path.exists(python):
    python = sys.executable
config.substitutions.insert(0, ("%python", python))


def has_module(name):
    """Whether the Python of the tests can import a module."""
    probe = f"import importlib.util as u, sys; sys.exit(not u.find_spec('{name}'))"
    return subprocess.run([python, "-c", probe]).returncode == 0


for module in ("optuna", "pandas"):
    if has_module(module):
        config.available_features.add(module)
