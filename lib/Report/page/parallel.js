// Parallel coordinates: an axis per hyper-parameter that varies, then the last
// values of the metrics; a line per run, coloured by the monitored metric.

const seedLike = new Set(["seed", "order_seed"]);
const hyperFields = fields.filter(f => f.hyper && !seedLike.has(f.name));
const axisFields = hyperFields.slice(0, 9).concat(
  fields.filter(f => f.metric !== undefined && f.name.startsWith("final ") &&
    f !== monitorField).slice(0, 2), [monitorField]);
const parallelHeight = 320;
// The words of the first axis stand in front of it.
const parallelMargin = {top: 30, right: 60, bottom: 34,
  left: axisFields[0].text ? 84 : 50};

/// The share of runs that a run is better than: 1 for the best one.
const share = new Array(runCount).fill(null);
ranks[D.monitor].forEach((row, rank, all) => {
  share[row] = all.length > 1 ? 1 - rank / (all.length - 1) : 1;
});
const lineColour = row => share[row] === null ? "var(--dim)"
  : `color-mix(in oklab, var(--good) ${Math.round(share[row] * 100)}%, var(--poor))`;

function axisScale(field, range) {
  if (field.text) {
    const words = [...new Set(field.values)].sort();
    return d3.scalePoint().domain(words).range(range).padding(0.5);
  }
  let [low, high] = d3.extent(field.values.filter(isNumber));
  if (low === undefined) [low, high] = [0, 1];
  if (low === high) [low, high] = field.log ? [low / 2, low * 2] : [low - 1, low + 1];
  const log = field.log || (field.metric !== undefined && !field.max &&
    low > 0 && high / low > 1000);
  return (log ? d3.scaleLog() : d3.scaleLinear()).domain([low, high]).range(range);
}

/// Where a run crosses an axis; what is no number crosses below it.
function crossing(axis, row) {
  const value = axis.field.values[row];
  if (axis.field.text) return axis.scale(value);
  return isNumber(value) ? axis.scale(value) : parallelHeight - 12;
}

const plot = {axes: [], brushes: new Map()};

function drawParallel() {
  if (hyperFields.length === 0) {
    document.getElementById("parallel-section").hidden = true;
    return;
  }
  const host = document.getElementById("parallel"), margin = parallelMargin;
  const width = Math.max(host.clientWidth, axisFields.length * 104);
  const range = [parallelHeight - margin.bottom, margin.top];
  const x = d3.scalePoint().domain(d3.range(axisFields.length))
    .range([margin.left, width - margin.right]);
  plot.axes = axisFields.map((field, i) => ({
    field, x: x(i), scale: axisScale(field, range)}));
  d3.select(host).selectAll("svg").remove();
  const svg = d3.select(host).append("svg").attr("width", width)
    .attr("height", parallelHeight).attr("role", "img")
    .attr("aria-label", "parallel coordinates of hyper-parameters and metrics");
  svg.classed("dense", runCount > 300);
  const shape = d3.line();
  // The best runs are drawn last, above the others.
  const order = d3.range(runCount).sort((a, b) => share[a] - share[b]);
  plot.lines = svg.append("g").selectAll("path").data(order).join("path")
    .attr("d", row => shape(plot.axes.map(axis => [axis.x, crossing(axis, row)])))
    .on("pointerenter", row => { hover(row); runTip(d3.event, row); })
    .on("pointerleave", () => { hover(-1); hideTip(); })
    .on("click", row => pick(row));
  drawParallelAxes(svg);
  styleLines();
}

function drawParallelAxes(svg) {
  const group = svg.selectAll("g.axis").data(plot.axes).join("g")
    .attr("class", "axis").attr("transform", axis => `translate(${axis.x},0)`);
  group.each(function (axis, i) {
    const last = i === plot.axes.length - 1;
    const side = last ? d3.axisRight(axis.scale) : d3.axisLeft(axis.scale);
    if (!axis.field.text) numberTicks(side, 5);
    // Words that begin alike often end differently.
    else side.tickFormat(word => word.length > 10 ? word.slice(0, 5) + "…" + word.slice(-4) : word);
    d3.select(this).call(side);
    if (axis.field.text)
      d3.select(this).selectAll(".tick").append("title").text(word => word);
    d3.select(this).append("text").attr("class", "name")
      .attr("y", i % 2 && plot.axes.length > 6 ? 24 : 12)
      .attr("text-anchor", i === 0 ? "start" : last ? "end" : "middle")
      .attr("x", i === 0 ? -parallelMargin.left + 4 : last ? parallelMargin.right - 4 : 0)
      .text(axis.field.name.length > 18 ? axis.field.name.slice(0, 17) + "…" : axis.field.name)
      .append("title").text(axis.field.name);
    const brush = d3.brushY()
      .extent([[-12, parallelMargin.top], [12, parallelHeight - parallelMargin.bottom]])
      .on("brush end", () => brushed(axis, d3.event.selection));
    const host = d3.select(this).append("g").attr("class", "brush").call(brush);
    const kept = plot.brushes.get(axis.field.name);
    if (kept) host.call(brush.move, kept);
  });
}

function brushed(axis, span) {
  const name = axis.field.name;
  if (span) {
    plot.brushes.set(name, span);
    choice.ranges.set(name, row => {
      const at = crossing(axis, row);
      return span[0] <= at && at <= span[1];
    });
  } else {
    plot.brushes.delete(name);
    choice.ranges.delete(name);
  }
  document.getElementById("unbrush").hidden = choice.ranges.size === 0;
  changed.call("filter");
}

function styleLines() {
  if (!plot.lines) return;
  plot.lines.attr("class", row => "line" + (passing[row] ? "" : " out") +
      (choice.colours.has(row) ? " picked" : "") +
      (row === choice.hovered ? " hover" : ""))
    .style("stroke", row => choice.colours.has(row) ? pickColour(row)
      : passing[row] && row !== choice.hovered ? lineColour(row) : null);
}

document.getElementById("unbrush").addEventListener("click", () => {
  plot.brushes.clear();
  choice.ranges.clear();
  document.getElementById("unbrush").hidden = true;
  drawParallel();
  changed.call("filter");
});
for (const event of ["pick", "hover", "filter"])
  changed.on(event + ".parallel", styleLines);
changed.on("draw.parallel", drawParallel);
