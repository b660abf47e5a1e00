"""Opens a page in Chromium: browse_report.py PAGE RUNS WIDTH [--dark].

Fails where the page complains, draws too little, is wider than the window or
runs text of the experiment. Leaves PAGE-WIDTH.png beside the page.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def browse(page, width, dark):
    """What the page became, and what Chromium's console said."""
    picture = page.with_name(f"{page.stem}-{width}.png")
    with tempfile.TemporaryDirectory() as profile:
        command = [
            shutil.which("chromium"),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--no-first-run",
            "--disable-background-networking",
            f"--user-data-dir={profile}",
            "--enable-logging=stderr",
            f"--window-size={width},2400",
            "--virtual-time-budget=2000",
            f"--screenshot={picture}",
            "--dump-dom",
        ]
        if dark:
            command.append("--blink-settings=preferredColorScheme=0")
        result = subprocess.run(
            command + [page.resolve().as_uri()],
            capture_output=True,
            text=True,
            timeout=50,
            check=True,
        )
    assert picture.stat().st_size > 20_000, "the screenshot is empty"
    console = re.findall(r".*CONSOLE.*", result.stderr)
    return result.stdout, console


def main():
    page, runs, width = sys.argv[1:4]
    dark = "--dark" in sys.argv
    document, console = browse(pathlib.Path(page), int(width), dark)
    assert not console, console
    assert 'data-ready="true"' in document, "the script did not end"
    assert f'data-theme="{"dark" if dark else "light"}"' in document
    assert 'data-overflow="true"' not in document, "wider than the window"
    body = document[document.index("<main") : document.index("</main>")]

    def count(pattern):
        return len(re.findall(pattern, body))

    metrics, runs = 3, int(runs)
    assert count(r'class="median"[^>]* d="M') >= metrics
    assert count(r'class="band"[^>]* d="M') >= metrics
    assert count(r'class="curve best"[^>]* d="M') == 5 * metrics
    assert count(r'class="line"') == runs, count(r'class="line"')
    assert count(r'<circle[^>]* class="dot"') > runs // 2
    assert count(r"<tr data-run=") == min(runs, 50)
    assert count(r"NaN") == 0
    assert count(r"<img") == 0 and count(r"<b>&lt;") == 0


if __name__ == "__main__":
    main()
