// Heading, status counts, selection, plan, colour scheme; then the first
// drawing.

document.getElementById("title").textContent = D.title;
document.getElementById("subtitle").textContent = D.subtitle;
document.title = D.title + " – ensc";

function drawTiles() {
  const tiles = document.getElementById("tiles");
  const tile = (value, label) => {
    const box = element(tiles, "div");
    element(box, "b", value);
    element(box, "span", label);
  };
  const best = ranks[D.monitor][0];
  tile(showCount(D.runs), D.runs === 1 ? "run" : "runs");
  if (best !== undefined)
    tile(show(monitorField.values[best]), `${monitorField.name}, run ${D.run[best]}`);
  const monitored = D.bands.map(bands => bands[D.monitor]).filter(b => b.median.length);
  if (monitored.length === 1) {
    const band = monitored[0], end = band.median.length - 1;
    tile(show(band.median[end]), `median ${D.metrics[D.monitor].name} at step ${band.steps[end]}`);
  }
  tile(showCount(D.doneSteps),
    D.doneSteps < D.plannedSteps ? `of ${showCount(D.plannedSteps)} run-steps` : "run-steps");
  tile(D.state, "state");
}

function drawStatuses() {
  const host = document.getElementById("statuses");
  host.replaceChildren();
  D.statuses.forEach((status, i) => {
    if (!D.counts[i]) return;
    const button = element(host, "button", undefined, "chip");
    button.type = "button";
    button.setAttribute("aria-pressed", choice.statuses.has(i));
    element(button, "i").style.background = `var(--${status})`;
    button.append(`${D.counts[i]} ${status}`);
    button.addEventListener("click", () => {
      if (!choice.statuses.delete(i)) choice.statuses.add(i);
      drawStatuses();
      changed.call("filter");
    });
  });
}

function drawSelection() {
  const host = document.getElementById("selection");
  host.replaceChildren();
  host.hidden = choice.picked.length === 0;
  element(host, "span", "selected", "hint");
  for (const row of choice.picked.slice(0, 24)) {
    const chip = element(host, "button", undefined, "chip small");
    chip.type = "button";
    element(chip, "i").style.background = pickColour(row);
    chip.append(`run ${D.run[row]} ×`);
    chip.addEventListener("click", () => pick(row));
  }
  const clear = element(host, "button", "clear", "small");
  clear.type = "button";
  clear.addEventListener("click", () => {
    choice.picked = [];
    choice.colours.clear();
    changed.call("pick");
  });
}
changed.on("pick.selection", drawSelection);

function drawFacts() {
  const host = document.getElementById("facts");
  for (const [name, text] of D.facts) {
    element(host, "dt", name);
    element(host, "dd", text);
  }
  document.getElementById("licence").textContent =
    document.getElementById("d3-licence").textContent;
}

/// Follows the system until the reader chooses; where nothing can be stored
/// the choice lasts as long as the page.
const schemes = ["auto", "light", "dark"];
const dark = matchMedia("(prefers-color-scheme: dark)");
let scheme = "auto";
try { scheme = localStorage.getItem("ensc-scheme") || "auto"; } catch (error) { /* As said. */ }
if (!schemes.includes(scheme)) scheme = "auto";
function applyScheme() {
  const theme = scheme === "auto" ? (dark.matches ? "dark" : "light") : scheme;
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme").textContent = "theme: " + scheme;
}
document.getElementById("theme").addEventListener("click", () => {
  scheme = schemes[(schemes.indexOf(scheme) + 1) % schemes.length];
  try { localStorage.setItem("ensc-scheme", scheme); } catch (error) { /* As said. */ }
  applyScheme();
});
dark.addEventListener("change", applyScheme);
applyScheme();

drawTiles();
drawStatuses();
drawFacts();
drawTable();
let drawnWidth = 0;
new ResizeObserver(() => {
  if (document.body.clientWidth === drawnWidth) return;
  drawnWidth = document.body.clientWidth;
  changed.call("draw");
}).observe(document.body);
drawnWidth = document.body.clientWidth;
changed.call("draw");
document.body.dataset.ready = "true";
document.body.dataset.overflow = document.documentElement.scrollWidth > innerWidth;
