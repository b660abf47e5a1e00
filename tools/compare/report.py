"""The tables of docs/Performance.md, from what performance.py measured."""

import re

from problems import TARGETS

# For each of TARGETS: share of the peak, times as fast as JAX's vmap, times as fast
# as the best mode of a peer.
GOALS = [
    (0.80, 8.0, 5.0),
    (0.61, 7.5, 5.0),
    (0.69, 6.0, 4.7),
    (0.66, 8.0, 4.5),
    (0.49, 7.5, 6.0),
    (0.88, 3.4, 1.5),
    (0.70, 4.2, 1.8),
    (0.70, 4.0, 1.9),
]


def table(header, rows):
    lines = ["| " + " | ".join(cells) + " |" for cells in [header, *rows]]
    lines.insert(1, "|" + "---|" * len(header))
    return "\n".join(lines)


def percent(value):
    return f"{100 * value:.0f} %"


def times(value):
    return f"{value:.1f}x"


def title(row):
    optimizer = "SGD" if row["optimizer"] == "sgd" else "Adam"
    return f"{row['model']}, {row['batch']}, {optimizer}, {row['runs']}"


def origin(section):
    machine = section["machine"]
    return (
        f"{machine['date']}, ensc {machine['version']}, {machine['cpu']}, "
        f"{machine['cores']} cores"
    )


def render_speed(section):
    rows = []
    for row, avx2, goal in zip(section["rows"], section["avx2"], GOALS):
        rows.append(
            [
                title(row),
                row["schedule"],
                f"{row['us_per_run_step']:.3f}",
                f"{row['gflops']:.0f}",
                percent(row["fraction_of_peak"]),
                percent(avx2["fraction_of_peak"]),
                percent(goal[0]),
                f"{row['bytes_per_run']:,}",
                f"{row['compile_s']:.2f}",
            ]
        )
    header = ["model, batch, optimizer, runs", "schedule", "us per run-step",
              "GFLOP/s", "of peak", "with AVX2", "goal", "bytes per run",
              "compile, s"]
    first = section["rows"][0]
    return (
        f"{origin(section)}; code for {first['cpu']}, {first['lanes']} lanes, "
        f"{first['threads']} threads, peak {first['peak_gflops']:.0f} GFLOP/s.\n\n"
        + table(header, rows)
    )


def render_peers(section):
    names = []
    for row in section["rows"]:
        names += [name for name in row["modes"] if name not in names]
    versions = sorted(
        {mode["version"] for row in section["rows"] for mode in row["modes"].values()
         if "version" in mode and not mode["version"].startswith("ensc")}
    )
    absolute, ratios = [], []
    for row, goal in zip(section["rows"], GOALS):
        cells = []
        for name in names:
            mode = row["modes"].get(name, {})
            time = mode.get("us_per_run_step")
            cells.append(f"{time:.3g}" if time else "-")
        absolute.append([title(row), *cells])
        share = row["modes"]["ensc"]["fraction_of_peak"]
        vmap, best = row["times_jax_vmap"], row["times_best_peer"]
        ratios.append(
            [title(row), times(vmap), times(goal[1]), times(vmap / share),
             times(best), times(goal[2]), times(best / share), row["best_peer"]]
        )
    return (
        f"{origin(section)}; {', '.join(versions)}.\n\n"
        + table(
            ["model, batch, optimizer, runs", "x JAX vmap", "goal", "at the peak",
             "x best peer", "goal", "at the peak", "best peer"],
            ratios,
        )
        + "\n\nMicroseconds per run-step:\n\n"
        + table(["model, batch, optimizer, runs", *names], absolute)
    )


def render_properties(measured):
    """What is no single rate: claim, measured, goal."""
    rows = []
    speed = measured.get("speed")
    if speed:
        row = speed["rows"]
        odd = row[len(TARGETS)]["fraction_of_peak"] / row[1]["fraction_of_peak"]
        rows += [
            ["odd shapes: share of the peak of mlp-61-29-7, 13, Adam against "
             "mlp-64-32-10, 16, Adam", percent(odd), ">= 70 %"],
            ["4096 runs against 64: time per run, mlp-64-32-10, 32, Adam",
             f"{row[3]['us_per_run_step'] / row[2]['us_per_run_step']:.2f}x",
             "<= 1.05x"],
            ["after 5,000 steps: share of the peak, mlp-64-32-10, 16, Adam",
             percent(speed["late"]["fraction_of_peak"]), ">= 61 %"],
        ]
    properties = measured.get("properties")
    if properties:
        rows += [
            [f"{properties['scaling']['threads']} threads against 1",
             f"{properties['scaling']['speedup']:.2f}x", ">= 1.9x"],
            ["N runs against N calls of one run, N = 1 to 64: median time",
             f"{properties['counts']['median_ratio']:.2f}x", "<= 1.03x"],
            ["90 % of 1,024 runs stop after 10 % of their steps: time over "
             "proportional",
             f"{properties['stopping']['time_over_proportional']:.2f}x", "<= 1.10x"],
        ]
    train = measured.get("train")
    if train:
        rate = train["train"]["run_steps_per_second"]
        share = rate * train["bench"]["us_per_run_step"] * 1e-6
        rows.append(
            ["`ensc train` on digits, 1,024 runs, 30 epochs: share of the rate of "
             "ens-bench", percent(share), ">= 80 %"]
        )
    compilation = measured.get("compilation")
    if compilation:
        rows.append(["compilation of 8 layers",
                     f"{compilation['deep']['compile_s']:.2f} s", "<= 1 s"])
    schedules = measured.get("schedules")
    if schedules:
        rows.append(
            [f"the chosen schedule against the better one, worst of "
             f"{len(schedules['cases'])} programs",
             f"{schedules['worst_ratio']:.2f}x", "<= 1.15x"]
        )
    return table(["", "measured", "goal"], rows)


def fill_in(page, measured):
    """`page` with the text between <!-- NAME --> and <!-- /NAME --> made anew."""
    texts = {"properties": render_properties(measured)}
    if "speed" in measured:
        texts["speed"] = render_speed(measured["speed"])
    if "peers" in measured:
        texts["peers"] = render_peers(measured["peers"])
    for name, text in texts.items():
        pattern = rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)"
        page = re.sub(pattern, lambda match, text=text: match[1] + "\n" + text +
                      "\n\n" + match[2], page, flags=re.S)
    return page
