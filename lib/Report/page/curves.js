// Learning curves: per metric the band of each program, the best runs and the
// selected ones.

const curveHeight = 230;
const logged = D.metrics.map((metric, m) => startsLogged(m));

/// Positive values over more than two decades read better in the logarithm.
function startsLogged(metric) {
  const values = D.bands.flatMap(band => band[metric].median)
    .concat(ranks[metric].slice(0, 5).map(row => D.best[metric][row]));
  return values.length > 0 && d3.min(values) > 0 &&
    d3.max(values) / d3.min(values) > 100;
}

/// What is drawn of a metric: rows with their classes.
function drawnRows(metric) {
  const rows = new Map();
  for (const row of ranks[metric].slice(0, choice.best)) rows.set(row, "best");
  for (const row of choice.picked) rows.set(row, "picked");
  return [...rows].map(([row, kind]) => ({row, kind, points: curve(row, metric)}));
}

function extent(metric, lines, log) {
  const values = [];
  for (const bands of D.bands) {
    const band = bands[metric];
    values.push(...band.low, ...band.high);
  }
  for (const line of lines) for (const point of line.points) values.push(point[1]);
  const [low, high] = d3.extent(values.filter(v => !log || v > 0));
  if (low === undefined) return log ? [0.1, 1] : [0, 1];
  if (low === high) return log ? [low / 2, high * 2] : [low - 1, high + 1];
  return [low, high];
}

const lastStep = d3.max(D.bands, bands => d3.max(bands, b => d3.max(b.steps)));
const firstStep = d3.min(D.bands, bands => d3.min(bands, b => d3.min(b.steps)));

function makeFigure(metric) {
  const info = D.metrics[metric];
  const figure = element(document.getElementById("curves"), "figure");
  const caption = element(figure, "figcaption");
  element(caption, "h3", info.name + (metric === D.monitor ? " (monitored)" : ""));
  const button = element(caption, "button", "log y");
  button.type = "button";
  button.setAttribute("aria-pressed", logged[metric]);
  const svg = d3.select(figure).append("svg").attr("role", "img")
    .attr("aria-label", `learning curves of ${info.name}`)
    .attr("height", curveHeight).classed("several", D.programs.length > 1);
  const view = {metric, figure, svg};
  button.addEventListener("click", () => {
    logged[metric] = !logged[metric];
    button.setAttribute("aria-pressed", logged[metric]);
    drawFigure(view);
  });
  svg.on("pointermove", () => followPointer(view, d3.event))
    .on("pointerleave", () => { hideTip(); view.cross.attr("opacity", 0); });
  return view;
}

/// Clamped, so that the logarithm of what is not positive leaves no gap.
function lineOf(x, y, log) {
  const floor = y.domain()[0];
  return d3.line().x(p => x(p[0])).y(p => y(log ? Math.max(p[1], floor) : p[1]));
}

function drawAxes(svg, x, y, width, height, margin, log) {
  const across = Math.max(2, Math.min(7, Math.floor(width / 90)));
  const ticks = numberTicks(d3.axisLeft(y), log ? 4 : 5);
  svg.append("g").attr("class", "grid")
    .attr("transform", `translate(${margin.left},0)`)
    .call((log ? d3.axisLeft(y).ticks(4, "") : d3.axisLeft(y).ticks(5))
      .tickSize(margin.left + margin.right - width).tickFormat(""));
  svg.append("g").attr("transform", `translate(${margin.left},0)`)
    .call(ticks.tickSizeOuter(0)).select(".domain").remove();
  svg.append("g").attr("transform", `translate(0,${height - margin.bottom})`)
    .call(d3.axisBottom(x).ticks(across, "~s").tickSizeOuter(0));
  svg.append("text").attr("x", width - margin.right).attr("y", height - 2)
    .attr("text-anchor", "end").text("step");
}

function drawFigure(view) {
  const {metric, svg, figure} = view, log = logged[metric];
  const width = Math.max(figure.clientWidth, 200), height = curveHeight;
  const margin = {top: 8, right: 10, bottom: 34, left: 48};
  const lines = drawnRows(metric);
  const x = d3.scaleLinear().domain([Math.min(firstStep || 0, lastStep || 1), lastStep || 1])
    .range([margin.left, width - margin.right]);
  const y = (log ? d3.scaleLog() : d3.scaleLinear()).domain(extent(metric, lines, log))
    .range([height - margin.bottom, margin.top]).nice();
  svg.attr("width", width).attr("viewBox", `0 0 ${width} ${height}`)
    .selectAll("*").remove();
  drawAxes(svg, x, y, width, height, margin, log);
  D.bands.forEach((bands, program) => drawBand(svg, bands[metric], x, y, log, program));
  const path = lineOf(x, y, log);
  for (const line of lines)
    svg.append("path").attr("class", "curve " + line.kind)
      .attr("d", path(line.points))
      .style("stroke", line.kind === "picked" ? pickColour(line.row) : null);
  view.hovered = svg.append("path").attr("class", "curve hover");
  view.cross = svg.append("line").attr("class", "cross").attr("opacity", 0)
    .attr("y1", margin.top).attr("y2", height - margin.bottom);
  Object.assign(view, {x, y, lines, path});
  drawHovered(view);
}

/// The run under the pointer, within the scale that the others have.
function drawHovered(view) {
  const row = choice.hovered;
  view.hovered.attr("d", row < 0 ? null : view.path(curve(row, view.metric)));
}

function drawBand(svg, band, x, y, log, program) {
  const points = band.steps.map((step, i) => [step, band.low[i], band.high[i]]);
  const floor = y.domain()[0];
  const clamp = value => y(log ? Math.max(value, floor) : value);
  svg.append("path").attr("class", "band").style("fill", programColour(program))
    .attr("d", d3.area().x(p => x(p[0])).y0(p => clamp(p[1])).y1(p => clamp(p[2]))(points));
  svg.append("path").attr("class", "median").style("stroke", programColour(program))
    .attr("d", lineOf(x, y, log)(band.steps.map((step, i) => [step, band.median[i]])));
}

/// The position of the value nearest to `step` in an ascending list.
function nearest(steps, step) {
  const at = d3.bisectLeft(steps, step);
  if (at === 0) return 0;
  if (at === steps.length) return at - 1;
  return step - steps[at - 1] < steps[at] - step ? at - 1 : at;
}

function followPointer(view, event) {
  const box = view.svg.node().getBoundingClientRect();
  const step = view.x.invert(event.clientX - box.left);
  const height = event.clientY - box.top;
  const pairs = [];
  let at = null;
  D.bands.forEach((bands, program) => {
    const band = bands[view.metric];
    if (!band.steps.length) return;
    const i = nearest(band.steps, step);
    if (at === null) at = band.steps[i];
    const name = D.programs.length > 1 ? D.programs[program] + " median" : "median";
    pairs.push([name, show(band.median[i])],
      ["quartiles", `${show(band.low[i])} – ${show(band.high[i])}`],
      ["runs", show(band.counts[i])]);
  });
  if (at === null) return;
  let closest = null, distance = 24;
  for (const line of view.lines) {
    if (!line.points.length) continue;
    const point = line.points[nearest(line.points.map(p => p[0]), step)];
    const gap = Math.abs(view.y(point[1]) - height);
    if (gap < distance) { distance = gap; closest = [line.row, point[1]]; }
  }
  if (closest) pairs.push([`run ${D.run[closest[0]]}`, show(closest[1])]);
  view.cross.attr("x1", view.x(at)).attr("x2", view.x(at)).attr("opacity", 1);
  showTip(event, `step ${at}`, pairs);
}

const figures = D.metrics.map((_, m) => makeFigure(m));
const drawCurves = () => figures.forEach(drawFigure);
changed.on("pick.curves", drawCurves);
changed.on("hover.curves", () => figures.forEach(drawHovered));
changed.on("draw.curves", drawCurves);

const bestCount = document.getElementById("best-count");
bestCount.addEventListener("change", () => {
  choice.best = Number(bestCount.value);
  drawCurves();
});

/// What the lines mean.
function drawKey() {
  const key = document.getElementById("curve-key");
  const entry = (text, colour, wide) => {
    const span = element(key, "span");
    element(span, "i", "", wide ? "wide" : "").style.background = colour;
    span.append(text);
  };
  D.programs.forEach((name, program) => {
    if (program > 5) return;
    const prefix = D.programs.length > 1 ? name + ": " : "";
    entry(prefix + "median", programColour(program));
    entry("quartiles", programColour(program), true);
  });
  entry("best runs", "var(--soft)");
}
drawKey();
