#!/usr/bin/env python3
"""Fits the polynomials of ensc's math functions and writes their tables.

    python3 -m venv VENV && VENV/bin/pip install mpmath
    VENV/bin/python tools/fit-polynomials.py include/ensc/Numerics

writes the headers include/ensc/Numerics/*Coefficients.h anew (clang-format
gives them their final shape); docs/Numerics.md says how each table is used.
Polynomials come from weighted least squares on Chebyshev nodes, in 300-bit
arithmetic, which is close to the minimax fit; coefficients are rounded one at a
time, lowest power first, and the rest is fitted again around what the rounding
left. Rational functions are fitted with a linearized error, reweighted until
its extrema level out.
"""

import os
import struct
import sys

from mpmath import mp, mpf

mp.prec = 300


# --- Rounding and printing --------------------------------------------------


def round_to(value, bits):
    """The nearest number with `bits` significant bits, ties to even."""
    if value == 0:
        return mpf(0)
    mantissa, exponent = mp.frexp(value)
    return mp.ldexp(mp.nint(mp.ldexp(mantissa, bits)), int(exponent) - bits)


def literal(value, bits):
    """A C++ hexadecimal literal of a float (24) or double (53)."""
    number = float(value)
    if bits == 24:
        assert struct.unpack("f", struct.pack("f", number))[0] == number
    mantissa, exponent = number.hex().split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{exponent}" + ("f" if bits == 24 else "")


# --- Fitting ----------------------------------------------------------------


def chebyshev_grid(low, high, count):
    middle, half = (low + high) / 2, (high - low) / 2
    return [
        middle - half * mp.cos(mp.pi * (2 * i + 1) / (2 * count))
        for i in range(count)
    ]


def evaluate(coefficients, powers, x):
    return sum(c * x**p for c, p in zip(coefficients, powers))


def least_squares(rows, targets):
    """Solves rows * c = targets in the least-squares sense."""
    count = len(rows[0])
    system = mp.matrix(count, count)
    right = mp.matrix(count, 1)
    for i in range(count):
        column = [row[i] for row in rows]
        right[i] = mp.fdot(column, targets)
        for j in range(i, count):
            system[i, j] = mp.fdot(column, (row[j] for row in rows))
            system[j, i] = system[i, j]
    return list(mp.lu_solve(system, right))


def fit(function, weight, low, high, count, bits, argument=None, fixed=()):
    """Rounded coefficients c_0.. of a polynomial in argument(x), and the
    largest weighted error. The first coefficients may be given (`fixed`)."""
    argument = argument or (lambda x: x)
    nodes = chebyshev_grid(mpf(low), mpf(high), 8 * count)
    xs = [argument(x) for x in nodes]
    weights = [abs(weight(x)) for x in nodes]
    rest = [function(x) for x in nodes]
    done = []
    for power in range(count):
        if power < len(fixed):
            value = mpf(fixed[power])
        else:
            rows = [
                [w * x**k for k in range(power, count)]
                for x, w in zip(xs, weights)
            ]
            right = [r * w for r, w in zip(rest, weights)]
            value = least_squares(rows, right)[0]
        done.append(round_to(value, bits))
        rest = [r - done[-1] * x**power for r, x in zip(rest, xs)]
    return done, max(abs(r) * w for r, w in zip(rest, weights))


def fit_rational(function, weight, low, high, top, bottom, argument=None):
    """Coefficients of P (degree top) and of Q (degree bottom, Q_0 = 1) with
    P/Q near function, rounded to double, and the largest weighted error."""
    argument = argument or (lambda x: x)
    nodes = chebyshev_grid(mpf(low), mpf(high), 12 * (top + bottom))
    xs = [argument(x) for x in nodes]
    targets = [function(x) for x in nodes]
    base = [abs(weight(x)) for x in nodes]
    emphasis = [mpf(1)] * len(nodes)
    divisor = [mpf(1)] * len(nodes)
    best = None
    for _ in range(25):
        scales = [
            b * mp.sqrt(e) / d for b, e, d in zip(base, emphasis, divisor)
        ]
        rows = [
            [s * x**k for k in range(top + 1)]
            + [-s * t * x**k for k in range(1, bottom + 1)]
            for x, t, s in zip(xs, targets, scales)
        ]
        solution = least_squares(rows, [t * s for t, s in zip(targets, scales)])
        p = [round_to(solution[k], 53) for k in range(top + 1)]
        q = [mpf(1)] + [
            round_to(solution[top + k], 53) for k in range(1, bottom + 1)
        ]
        divisor = [evaluate(q, range(bottom + 1), x) for x in xs]
        errors = [
            abs(evaluate(p, range(top + 1), x) / d - t) * b
            for x, d, t, b in zip(xs, divisor, targets, base)
        ]
        worst = max(errors)
        if best is None or worst < best[2]:
            best = (p, q, worst)
        emphasis = [e * (r / worst + mpf("0.02")) for e, r in
                    zip(emphasis, errors)]
    return best


# --- Headers ----------------------------------------------------------------

RULE = "//===" + "-" * 70 + "===//"


class Header:
    """Collects the members of one struct template and writes its header."""

    def __init__(self, name, what, note):
        self.name, self.what, self.note = name, what, note
        self.members = {"float": [], "double": []}

    def constant(self, kind, name, value, doc, bits=None):
        bits = bits or (24 if kind == "float" else 53)
        full = 24 if kind == "float" else 53
        text = literal(round_to(value, bits), full)
        self.members[kind] += comment(doc)
        self.members[kind] += [f"  static constexpr {kind} {name} = {text};"]
        return round_to(value, bits)

    def table(self, kind, name, values, doc):
        bits = 24 if kind == "float" else 53
        self.members[kind] += comment(doc)
        self.members[kind] += [f"  static constexpr {kind} {name}[] = {{"]
        self.members[kind] += [f"      {literal(v, bits)}," for v in values]
        self.members[kind] += ["  };"]

    def write(self, folder):
        file = f"{self.name}.h"
        guard = f"ENSC_NUMERICS_{self.name.upper()}_H"
        title = f"//===- {file} - {self.what} "
        tail = "*- C++ -*-===//"
        lines = [title + "-" * (80 - len(title) - len(tail)) + tail]
        lines += ["//"]
        lines += ["// Part of ensc, under the Apache License v2.0 with LLVM "
                  "Exceptions."]
        lines += ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"]
        lines += ["//", RULE, "//"]
        lines += ["// Written by tools/fit-polynomials.py: do not edit."]
        lines += [f"// {line}" for line in self.note]
        lines += ["//", RULE, ""]
        lines += [f"#ifndef {guard}", f"#define {guard}", ""]
        lines += ["namespace ensc::numerics {", ""]
        lines += [f"/// {self.what}; see docs/Numerics.md."]
        lines += [f"template <typename T> struct {self.name};", ""]
        for kind, members in self.members.items():
            if members:
                lines += [f"template <> struct {self.name}<{kind}> {{"]
                lines += members + ["};", ""]
        lines += ["} // namespace ensc::numerics", ""]
        lines += [f"#endif // {guard}", ""]
        with open(os.path.join(folder, file), "w") as out:
            out.write("\n".join(lines))
        print("wrote", file)


def comment(text):
    lines, line = [], "  ///"
    for word in text.split():
        if len(line) + 1 + len(word) > 80:
            lines.append(line)
            line = "  ///"
        line += " " + word
    return lines + [line]


def error_text(error):
    return f"2^{float(mp.log(error, 2)):.1f}"


KINDS = (("float", 24), ("double", 53))


def exp_header():
    header = Header("ExpCoefficients", "Tables of exp and expm1",
                    ["ln 2 is split so that n * ln2High is exact."])
    high_bits = {"float": 15, "double": 41}
    counts = {"float": 6, "double": 11}
    limits = {"float": (-104, 89, -25), "double": (-746, 710, -40)}
    for kind, bits in KINDS:
        least, most, minus_one = limits[kind]
        header.constant(kind, "least", mpf(least),
                        "At and below it exp rounds to 0.")
        header.constant(kind, "most", mpf(most),
                        "At and above it exp and expm1 overflow.")
        header.constant(kind, "leastExpm1", mpf(minus_one),
                        "At and below it expm1 rounds to -1.")
        header.constant(kind, "tiny", mpf(2) ** (-1 - bits),
                        "Below it in magnitude, expm1(x) rounds to x.")
        header.constant(kind, "log2E", 1 / mp.log(2), "1 / ln 2, rounded.")
        high = header.constant(kind, "ln2High", mp.log(2),
                               f"ln 2 to {high_bits[kind]} bits.",
                               high_bits[kind])
        header.constant(kind, "ln2Low", mp.log(2) - high,
                        "ln 2 - ln2High, rounded.")
        values, error = fit(lambda r: (mp.expm1(r) - r) / r**2,
                            lambda r: r**2 / mp.expm1(r),
                            "-0.3467", "0.3467", counts[kind], bits)
        header.table(kind, "tail", values,
                     "(exp(r) - 1 - r) / r^2 by powers of r, lowest first; |r| "
                     f"<= 0.3467; relative error of exp(r) - 1 <= "
                     f"{error_text(error)}.")
    return header


def log_header():
    header = Header("LogCoefficients", "Tables of log and log1p",
                    ["ln 2 is split so that e * ln2High is exact."])
    high_bits = {"float": 15, "double": 41}
    counts = {"float": 9, "double": 20}
    for kind, bits in KINDS:
        header.constant(kind, "lowest", mpf(2) / 3,
                        "The mantissa m lies in [lowest, 2 * lowest).")
        high = header.constant(kind, "ln2High", mp.log(2),
                               f"ln 2 to {high_bits[kind]} bits.",
                               high_bits[kind])
        header.constant(kind, "ln2Low", mp.log(2) - high,
                        "ln 2 - ln2High, rounded.")
        values, error = fit(lambda f: (mp.log1p(f) - f) / f**2,
                            lambda f: f**2 / mp.log1p(f),
                            mpf(-1) / 3, mpf(1) / 3, counts[kind], bits,
                            fixed=["-0.5"])
        header.table(kind, "tail", values,
                     "(log(1 + f) - f) / f^2 by powers of f, lowest first; |f| "
                     f"<= 1/3; relative error of log(1 + f) <= "
                     f"{error_text(error)}.")
    return header


def tanh_header():
    header = Header("TanhCoefficients", "Range of tanh",
                    ["Its polynomial is that of exp."])
    limits = {"float": 10, "double": 20}
    for kind, _ in KINDS:
        header.constant(kind, "most", mpf(limits[kind]),
                        "At and above it tanh rounds to 1.")
    return header


def trig_header():
    header = Header("TrigCoefficients", "Tables of sin and cos",
                    ["pi / 2 is the sum of three parts."])
    counts = {"float": (4, 3), "double": (7, 7)}
    limits = {"float": 22, "double": 50}
    for kind, bits in KINDS:
        header.constant(kind, "most", mpf(2) ** limits[kind],
                        "Above it in magnitude the argument counts as 0.")
        header.constant(kind, "twoOverPi", 2 / mp.pi, "2 / pi, rounded.")
        left = mp.pi / 2
        for name in ("piHalfHigh", "piHalfMiddle", "piHalfLow"):
            left -= header.constant(kind, name, left,
                                    "What is left of pi / 2, rounded.")
        values, error = fit(lambda r: (mp.sin(r) - r) / r**3,
                            lambda r: r**3 / mp.sin(r),
                            "0.0001", "0.789", counts[kind][0], bits,
                            argument=lambda r: r * r)
        header.table(kind, "sinTail", values,
                     "(sin(r) - r) / r^3 by powers of r^2, lowest first; |r| "
                     f"<= 0.789; relative error of sin(r) <= "
                     f"{error_text(error)}.")
        values, error = fit(lambda r: (mp.cos(r) - 1 + r**2 / 2) / r**4,
                            lambda r: r**4 / mp.cos(r),
                            "0.0001", "0.789", counts[kind][1], bits,
                            argument=lambda r: r * r)
        header.table(kind, "cosTail", values,
                     "(cos(r) - 1 + r^2 / 2) / r^4 by powers of r^2, lowest "
                     "first; |r| <= 0.789; relative error of cos(r) <= "
                     f"{error_text(error)}.")
    return header


def erf_header():
    header = Header("ErfCoefficients", "Tables of erf",
                    ["Below 1 a polynomial in a^2, above it 1 - exp(-g)."])
    counts = {"float": (7, 8), "double": (13, 20)}
    ends = {"float": "4", "double": "6"}
    for kind, bits in KINDS:
        values, error = fit(lambda a: mp.erf(a) / a - 1,
                            lambda a: a / mp.erf(a),
                            "0.0001", "1", counts[kind][0], bits,
                            argument=lambda a: a * a)
        header.table(kind, "inner", values,
                     "erf(a) / a - 1 by powers of a^2, lowest first; |a| <= 1; "
                     f"relative error of erf(a) <= {error_text(error)}.")
        header.constant(kind, "outerCentre", mpf("1.5"),
                        "The outer polynomial is one in u = a - outerCentre.")
        header.constant(kind, "outerEnd", mpf(ends[kind]),
                        "From here on erf(a) rounds to 1.")
        values, error = fit(lambda a: -mp.log(mp.erfc(a)),
                            lambda a: mp.erfc(a) / mp.erf(a),
                            "1", ends[kind], counts[kind][1], bits,
                            argument=lambda a: a - mpf("1.5"))
        header.table(kind, "outer", values,
                     "g = -log(1 - erf(a)) by powers of u, lowest first; 1 <= "
                     f"a <= {ends[kind]}; relative error of 1 - exp(-g) <= "
                     f"{error_text(error)}.")
    return header


def erf_inv_header():
    header = Header("ErfInvCoefficients", "Tables of erf_inv",
                    ["Only f64: the f32 function rounds the f64 one."])

    def complement(r):
        """z with erfc(z) = exp(-r^2)."""
        y = mp.exp(-r * r)
        z = r
        for _ in range(12):
            slope = 2 / mp.sqrt(mp.pi) * mp.exp(-z * z)
            step = (mp.erfc(z) - y) / slope
            z = z + step / (1 - z * step)
        return z

    split = mpf("0.84375")
    header.constant("double", "split", split,
                    "Up to it in magnitude the inner function counts.")
    header.constant("double", "splitSquare", split**2, "split * split, exact.")
    p, q, error = fit_rational(lambda x: mp.erfinv(x) / x - 1,
                               lambda x: x / mp.erfinv(x),
                               "0.0001", split, 8, 8,
                               argument=lambda x: split**2 - x * x)
    header.table("double", "innerTop", p,
                 "erf_inv(x) / x - 1 = innerTop(t) / innerBottom(t), t = "
                 "splitSquare - x^2, lowest power first; |x| <= split; "
                 f"relative error of erf_inv(x) <= {error_text(error)}.")
    header.table("double", "innerBottom", q, "The denominator of innerTop.")
    p, q, error = fit_rational(lambda r: complement(r) - r,
                               lambda r: 1 / complement(r),
                               "1.3624", "6.07", 8, 8)
    header.table("double", "outerTop", p,
                 "erf_inv(x) - r = outerTop(r) / outerBottom(r), r = "
                 "sqrt(-log(1 - x)), lowest power first; 1.3624 <= r <= 6.07; "
                 f"relative error of erf_inv(x) <= {error_text(error)}.")
    header.table("double", "outerBottom", q, "The denominator of outerTop.")
    return header


def pow_header():
    header = Header("PowCoefficients", "Tables of the f64 pow",
                    ["log(m) = 2 s + (2/3) s^3 + s^5 T(s^2), s = (m - 1) / "
                     "(m + 1)."])
    header.constant("double", "lowest", mp.sqrt(mpf("0.5")),
                    "The mantissa m lies in [lowest, 2 * lowest).")
    high = header.constant("double", "ln2High", mp.log(2), "ln 2 to 41 bits.",
                           41)
    header.constant("double", "ln2Low", mp.log(2) - high,
                    "ln 2 - ln2High, rounded.")
    third = mpf(2) / 3
    high = header.constant("double", "twoThirdsHigh", third, "2/3, rounded.")
    header.constant("double", "twoThirdsLow", third - high,
                    "2/3 - twoThirdsHigh, rounded.")
    values, error = fit(
        lambda s: (2 * mp.atanh(s) - 2 * s - 2 * s**3 / 3) / s**5,
        lambda s: s**5 / (2 * mp.atanh(s)), "0.001", "0.1717", 10, 53,
        argument=lambda s: s * s)
    header.table("double", "tail", values,
                 "T by powers of s^2, lowest first; |s| <= 0.1717; relative "
                 f"error of log(m) <= {error_text(error)}.")
    return header


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, wanted = sys.argv[1], sys.argv[2:]
    makers = {"exp": exp_header, "log": log_header, "tanh": tanh_header,
              "trig": trig_header, "erf": erf_header,
              "erf_inv": erf_inv_header, "pow": pow_header}
    for name, maker in makers.items():
        if not wanted or name in wanted:
            maker().write(folder)


if __name__ == "__main__":
    main()
