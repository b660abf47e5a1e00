"""The mutants of the mutation check: which lines are perturbed, and how.

Each family walks over the tables and rules of the sources, so that a new rule or
coefficient is covered without an entry here. Comments are never touched.
"""

import dataclasses
import pathlib
import re


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One line to perturb. It counts as killed when one of the variants is."""

    family: str
    path: str  # Relative to the root of the sources.
    line: int  # Counted from 1.
    text: str  # The line as it is.
    what: str
    variants: tuple  # Texts, each of which takes the line's place in turn.

    @property
    def name(self):
        return f"{self.path}:{self.line}: {self.what}"


def _code(line):
    """The line without a trailing comment."""
    return line.split("//")[0]


def _lines(root, pattern):
    """(path, number, text) of each line of code of the files that match."""
    for path in sorted(root.glob(pattern)):
        relative = str(path.relative_to(root))
        for number, text in enumerate(path.read_text().splitlines(), 1):
            if _code(text).strip() and not text.startswith("#"):
                yield relative, number, text


def _substitutions(family, root, pattern, operators):
    """One mutant per place where a regular expression of `operators` matches."""
    for path, number, text in _lines(root, pattern):
        code = _code(text)
        for expression, replacement in operators:
            for match in re.finditer(expression, code):
                changed = match.expand(replacement)
                variant = text[: match.start()] + changed + text[match.end():]
                what = f"'{match.group(0)}' becomes '{changed}'"
                if match.start() != code.find(match.group(0)):
                    what += f" at column {match.start() + 1}"
                yield Mutant(family, path, number, text, what, (variant,))


# ===-------------------------------------------------------------------------===
# Coefficients
# ===-------------------------------------------------------------------------===

# A little more, a little less, and for thresholds that only matter far away, a
# lot.
FACTORS = (1 + 2.0**-8, 1 - 2.0**-8, 2.0**12, 2.0**-12)


def _scaled(literal, factor):
    value = float.fromhex(literal.rstrip("f")) * factor
    return value.hex() + ("f" if literal.endswith("f") else "")


def coefficients(root):
    """Every number of the tables that interpreter and compiler share."""
    number = re.compile(r"-?0x[01](?:\.[0-9a-f]+)?p[+-]?\d+f?")
    for path, line, text in _lines(root, "include/ensc/Numerics/*Coefficients.h"):
        for match in number.finditer(_code(text)):
            variants = tuple(
                text[: match.start()]
                + _scaled(match.group(0), factor)
                + text[match.end():]
                for factor in FACTORS
            )
            what = f"{match.group(0)} perturbed"
            yield Mutant("coefficients", path, line, text, what, variants)
    yield from _substitutions(
        "coefficients",
        root,
        "include/ensc/Numerics/Philox.h",
        [(r"0x([0-9A-Fa-f]{7})[0-9A-Fa-f]\b", r"0x\g<1>2"), (r"\b10\b", "9")],
    )


# ===-------------------------------------------------------------------------===
# Rules
# ===-------------------------------------------------------------------------===

DERIVATIVE_OPERATORS = [
    # The table of the elementwise ops: each diagonal in turn.
    (r"(?<=, )of\w+(?:<\d>)?(?=[,>])", "zero"),
    (r"(?<=, )(?:times|over)\w+(?=[,>])", "zero"),
    (r"(?<=, )identity(?=[,>])", "negate"),
    (r"(?<=, )negate(?=[,>])", "identity"),
    (r"(?<=, )zero(?=[,>])", "identity"),
    # The rules themselves.
    (r"\bb\.add\(", "b.sub("),
    (r"\bb\.sub\(", "b.add("),
    (r"\bb\.mul\(", "b.div("),
    (r"\bb\.div\(", "b.mul("),
    (r"\bb\.neg\(", "("),
    (r"\bb\.drop\(", "b.keep("),
    (r"\bb\.keep\(", "b.drop("),
    (r"Predicate::eq\b", "Predicate::ne"),
    (r"Predicate::lt\b", "Predicate::le"),
    (r"Predicate::gt\b", "Predicate::ge"),
    (r"(?<=\()(-?)0\.5(?=,)", r"\g<1>0.25"),
    (r"\boperand\(op, 0\)", "operand(op, 1)"),
    (r"\boperand\(op, 1\)", "operand(op, 0)"),
    (r"\btangents\[0\](?=[,)])", "tangents[1]"),
    (r"\bactive\[0\]", "active[1]"),
    (r"Kind::sum\b", "Kind::max"),
    (r"ScatterKind::add\b", "ScatterKind::set"),
    (r"ScatterKind::set\b", "ScatterKind::add"),
    (r" - 1\b", " - 2"),
    (r" \+ 1\b", " + 2"),
]

RUN_RULE_OPERATORS = [
    (r"\bshiftDims\((copy\.get\w+\(\))\)", r"\1"),
    (r"\bprependDim\(0, ", "prependDim(1, "),
    (r"\bprependDim\(1, ", "prependDim(2, "),
    (r"\bprependDim\(runs, ", "prependDim(runs - 1, "),
    (r" \+ 1\b", " + 0"),
    (r"!varying\[0\]", "varying[0]"),
    (r" == 0\b", " != 0"),
    (r"(?<=, )shift(?!Nothing)\w+(?=>)", "shiftNothing"),
]


def derivatives(root):
    """Every derivative rule."""
    yield from _substitutions(
        "derivatives", root, "lib/Differentiate/Rules/*.cpp", DERIVATIVE_OPERATORS
    )


def run_rules(root):
    """Every run rule."""
    yield from _substitutions(
        "run-rules", root, "lib/Vectorize/Rules/*.cpp", RUN_RULE_OPERATORS
    )


# ===-------------------------------------------------------------------------===
# Orders
# ===-------------------------------------------------------------------------===

# (file, text of the line, its replacement). A text that is no longer there is an
# error: the order would go unchecked.
ORDERS = [
    ("lib/Reference/Contraction.cpp", "maxBlock = 1024", "maxBlock = 1023"),
    ("lib/Reference/Contraction.cpp", "maxBlock = 1024", "maxBlock = 2048"),
    ("lib/Reference/Contraction.cpp", "if (row > maxBlock)", "if (row >= 1)"),
    (
        "lib/Reference/Contraction.cpp",
        "if (block * contracted[dim - 1] > maxBlock)",
        "if (block * contracted[dim - 1] > row)",
    ),
    (
        "lib/Reference/Contraction.cpp",
        "for (int64_t k = begin; k < end; ++k)",
        "for (int64_t k = end; k-- > begin;)",
    ),
    ("lib/Reference/Contraction.cpp", "T sum = 0;", "T sum = -0.0f;"),
    (
        "lib/Reference/Contraction.cpp",
        "size_t block = 1; block + 1 < bounds.size(); ++block",
        "size_t block = bounds.size() - 2; block > 0; --block",
    ),
    (
        "lib/Reference/Contraction.cpp",
        "std::fma(lhs[chain.lhsOffsets[k]], rhs[chain.rhsOffsets[k]], sum)",
        "lhs[chain.lhsOffsets[k]] * rhs[chain.rhsOffsets[k]] + sum",
    ),
    ("lib/Reference/Reduction.cpp", "partialCount = 16", "partialCount = 8"),
    ("lib/Reference/Reduction.cpp", "partialCount = 16", "partialCount = 32"),
    ("lib/Reference/Reduction.cpp", "i % partialCount]", "0]"),
    (
        "lib/Reference/Reduction.cpp",
        "addElements<T>(partials[j], partials[j + distance])",
        "addElements<T>(partials[j], partials[2 * distance - 1 - j])",
    ),
    (
        "lib/Reference/Reduction.cpp",
        "candidate > best",
        "candidate >= best",
    ),
    ("lib/Reference/Reduction.cpp", "candidate < best", "candidate <= best"),
    ("lib/Reference/Reduction.cpp", "if (std::isnan(best))", "if (false)"),
    (
        "lib/Reference/Indexing.cpp",
        "for (int64_t i = 0; i < picks; ++i)",
        "for (int64_t i = picks; i-- > 0;)",
    ),
    ("lib/Reference/Random.cpp", "size - 1; i > 0", "size - 1; i > 1"),
    ("lib/Reference/Random.cpp", "uint64_t(i + 1)", "uint64_t(i)"),
]


def orders(root):
    """Every order of a sum, of updates and of draws in the interpreter."""
    for path, old, new in ORDERS:
        text = (root / path).read_text()
        if old not in text:
            raise SystemExit(
                f"{path} no longer holds '{old}': update ORDERS in {__file__}"
            )
        line = text.count("\n", 0, text.index(old)) + 1
        line_text = text.splitlines()[line - 1]
        variant = line_text.replace(old, new)
        what = f"'{old}' becomes '{new}'"
        yield Mutant("orders", path, line, line_text, what, (variant,))


COMPILED_ORDER_OPERATORS = [
    (r"\bnumPartials = 16\b", "numPartials = 8"),
    (r"\bmaxBlock = 1024\b", "maxBlock = 512"),
    (r"\[j \+ half\]\)", "[2 * half - 1 - j])"),
    (
        r"\bblock \* over_\[firstInner - 1\] <= maxBlock",
        "firstInner == over_.size()",
    ),
    (r"\bsplats\(0\.0, ", "splats(-0.0, "),
]


def compiled_orders(root):
    """The orders that the lowering repeats."""
    for name in ("ContractSums", "FoldEmitter"):
        yield from _substitutions(
            "compiled-orders",
            root,
            f"lib/Lower/CPU/{name}.cpp",
            COMPILED_ORDER_OPERATORS,
        )


FAMILIES = {
    "coefficients": coefficients,
    "derivatives": derivatives,
    "run-rules": run_rules,
    "orders": orders,
    "compiled-orders": compiled_orders,
}

# Mutants that no result tells from the original: (path, line of code, what
# becomes what), and the reason. A line that changes loses its entries.
EQUIVALENT = {
    (
        "lib/Differentiate/Rules/Elementwise.cpp",
        "return b.drop(b.compare(Predicate::eq, x, 0), b.mul(v, sign));",
        "'b.mul(' becomes 'b.div('",
    ): "the sign is 1 or -1 wherever the product is kept",
}


def reason_to_skip(mutant):
    """Why the mutant is equivalent to the original, or nothing."""
    what = mutant.what.split(" at column ")[0]
    return EQUIVALENT.get((mutant.path, mutant.text.strip(), what))


def enumerate_mutants(root, families):
    """All mutants of the families, in the order of the sources."""
    root = pathlib.Path(root)
    return [mutant for family in families for mutant in FAMILIES[family](root)]
