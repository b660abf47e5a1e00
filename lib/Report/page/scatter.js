// A point per run: a metric against a hyper-parameter.

const scatterX = document.getElementById("scatter-x");
const scatterY = document.getElementById("scatter-y");
const scatterLog = document.getElementById("scatter-log");
const scatterHeight = 300;
const cloud = {};

for (const field of hyperFields.concat(
  fields.filter(f => f.name === "run" || f.name === "steps" || f.metric !== undefined)))
  element(scatterX, "option", field.name).value = fields.indexOf(field);
for (const field of fields.filter(f => f.metric !== undefined))
  element(scatterY, "option", field.name).value = fields.indexOf(field);
scatterX.value = fields.indexOf(hyperFields.find(f => !f.text) || hyperFields[0] ||
  fieldNamed("run"));
scatterY.value = fields.indexOf(monitorField);

function drawScatter() {
  const host = document.getElementById("scatter");
  const width = Math.max(host.clientWidth, 200), height = scatterHeight;
  const margin = {top: 10, right: 16, bottom: 36, left: 52};
  const horizontal = fields[scatterX.value], vertical = fields[scatterY.value];
  const x = axisScale(horizontal, [margin.left, width - margin.right]);
  const positive = vertical.values.filter(isNumber).every(v => v > 0);
  scatterLog.disabled = !positive;
  const log = positive && scatterLog.getAttribute("aria-pressed") === "true";
  const y = axisScale(Object.assign({}, vertical, {log}),
    [height - margin.bottom, margin.top]);
  for (const scale of [x, y]) if (scale.nice) scale.nice();
  d3.select(host).selectAll("svg").remove();
  const svg = d3.select(host).append("svg").attr("width", width)
    .attr("height", height).attr("role", "img")
    .attr("aria-label", `${vertical.name} against ${horizontal.name}`);
  const across = d3.axisBottom(x);
  if (!horizontal.text)
    numberTicks(across, Math.max(2, Math.floor(width / 110)));
  svg.append("g").attr("class", "grid").attr("transform", `translate(${margin.left},0)`)
    .call(d3.axisLeft(y).ticks(5).tickSize(margin.left + margin.right - width).tickFormat(""));
  svg.append("g").attr("transform", `translate(${margin.left},0)`)
    .call(numberTicks(d3.axisLeft(y), 5)).select(".domain").remove();
  svg.append("g").attr("transform", `translate(0,${height - margin.bottom})`).call(across);
  svg.append("text").attr("x", width - margin.right).attr("y", height - 2)
    .attr("text-anchor", "end").text(horizontal.name);
  const rows = d3.range(runCount).filter(row => isNumber(vertical.values[row]) &&
    (horizontal.text || isNumber(horizontal.values[row])));
  // Points of one word spread over its place, always in the same way.
  const step = horizontal.text ? Math.min(x.step(), 120) : 0;
  const jitter = row => step * (((row * 0.618034) % 1) - 0.5) * 0.5;
  cloud.points = svg.append("g").selectAll("circle").data(rows).join("circle")
    .attr("cx", row => x(horizontal.values[row]) + jitter(row))
    .attr("cy", row => y(vertical.values[row]))
    .attr("r", runCount > 300 ? 3.2 : 4.5)
    .on("pointerenter", row => { hover(row); runTip(d3.event, row); })
    .on("pointerleave", () => { hover(-1); hideTip(); })
    .on("click", row => pick(row));
  stylePoints();
}

function stylePoints() {
  if (!cloud.points) return;
  cloud.points.attr("class", row => "dot" + (passing[row] ? "" : " out") +
      (choice.colours.has(row) ? " picked" : "") +
      (row === choice.hovered ? " hover" : ""))
    .style("fill", row => statusColour(row))
    .style("stroke", row => choice.colours.has(row) ? pickColour(row) : null);
}

scatterX.addEventListener("change", drawScatter);
scatterY.addEventListener("change", drawScatter);
scatterLog.addEventListener("click", () => {
  const pressed = scatterLog.getAttribute("aria-pressed") === "true";
  scatterLog.setAttribute("aria-pressed", !pressed);
  drawScatter();
});
for (const event of ["pick", "hover", "filter"])
  changed.on(event + ".scatter", stylePoints);
changed.on("draw.scatter", drawScatter);
