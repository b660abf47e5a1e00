// What the page shows, and what the reader has chosen. Text of the experiment
// reaches the document through textContent alone.
"use strict";

const D = JSON.parse(document.getElementById("data").textContent);
const runCount = D.run.length;
const choice = {
  picked: [],                              // Rows, in the order of selection.
  colours: new Map(),                      // Row -> number of its colour.
  hovered: -1,
  statuses: new Set(),                       // Shown ones; empty: all.
  ranges: new Map(),                       // Axis of the parallel plot -> test.
  query: [],                               // Tests of the table's filter.
  best: 5,
};
const changed = d3.dispatch("pick", "hover", "filter", "draw");

/// A number as people like it.
function show(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3)
    return value.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(4)));
}

/// A large count, such as 12.4 M.
function showCount(value) {
  return value < 10000 ? String(value)
    : d3.format(".3s")(value).replace("G", " G").replace(/([kMT])$/, " $1");
}

/// Some `count` ticks with numbers as show() writes them.
function numberTicks(axis, count) {
  // A logarithmic scale leaves out labels that would overlap.
  return axis.scale().base ? axis.ticks(count, show) : axis.ticks(count).tickFormat(show);
}

function element(parent, name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  if (parent) parent.append(made);
  return made;
}

/// The fields of a run by name: what the table, filters and axes offer.
const fields = [];
function addField(name, values, options) {
  fields.push(Object.assign({name, values, text: false, log: false}, options));
}
function addMetric(m) {
  const {name, max} = D.metrics[m];
  addField("final " + name, D.final[m], {metric: m, max});
  addField("best " + name, D.best[m], {metric: m, max});
}
addField("run", D.run, {});
addField("status", D.status.map(p => D.statuses[p]), {text: true});
addMetric(D.monitor);
if (D.programs.length > 1)
  addField("program", D.program.map(p => D.programs[p]), {text: true, hyper: true});
for (const column of D.columns)
  if (column.name !== "program" || D.programs.length < 2)
    addField(column.name, column.values,
      {text: column.text, log: column.log, hyper: column.varies, plan: true});
addField("steps", D.steps, {});
addField("reason", D.reason, {text: true});
D.metrics.forEach((_, m) => { if (m !== D.monitor) addMetric(m); });
const fieldNamed = name => fields.find(field => field.name === name);
const monitorField = fieldNamed("final " + D.metrics[D.monitor].name);
const isNumber = value => typeof value === "number";

/// Rows from best to worst by the last value of a metric; those without a number
/// and those that diverged are left out.
function ranking(metric) {
  const values = D.final[metric], sign = D.metrics[metric].max ? -1 : 1;
  const counts = row => isNumber(values[row]) && D.statuses[D.status[row]] !== "diverged";
  return d3.range(runCount).filter(counts)
    .sort((a, b) => sign * (values[a] - values[b]) || a - b);
}
const ranks = D.metrics.map((_, m) => ranking(m));

/// Steps and values of a run's curve, without the values that are missing.
function curve(row, metric) {
  const values = D.curve[row][metric];
  const steps = D.own[row] || D.grid[D.program[row]];
  const points = [];
  values.forEach((value, i) => {
    const step = i < values.length - 1 ? steps[i] : D.steps[row];
    if (value !== null) points.push([step, value]);
  });
  return points;
}

/// Whether a row passes all filters.
function passes(row) {
  if (choice.statuses.size && !choice.statuses.has(D.status[row])) return false;
  for (const test of choice.ranges.values()) if (!test(row)) return false;
  return choice.query.every(test => test(row));
}
let passing = new Array(runCount).fill(true);
changed.on("filter.first", () => {
  passing = passing.map((_, row) => passes(row));
});

function pick(row) {
  const at = choice.picked.indexOf(row);
  if (at >= 0) {
    choice.picked.splice(at, 1);
    choice.colours.delete(row);
  } else {
    const used = new Set(choice.colours.values());
    let colour = 0;
    while (used.has(colour) && colour < 7) ++colour;
    choice.picked.push(row);
    choice.colours.set(row, colour);
  }
  changed.call("pick");
}

function hover(row) {
  if (row === choice.hovered) return;
  choice.hovered = row;
  changed.call("hover");
}

const pickColour = row => `var(--pick${choice.colours.get(row)})`;
const statusColour = row => `var(--${D.statuses[D.status[row]]})`;
const programColour = program => `var(--program${Math.min(program, 5)})`;

/// A small panel beside the pointer: a heading and pairs of name and value.
const tip = document.getElementById("tip");
function showTip(event, heading, pairs) {
  tip.replaceChildren();
  element(tip, "b", heading);
  for (const [name, value] of pairs) {
    const line = element(tip, "div");
    element(line, "span", name);
    element(line, "span", value);
  }
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const x = Math.min(event.clientX + 14, innerWidth - box.width - 6);
  const y = event.clientY + 14 + box.height > innerHeight
    ? event.clientY - box.height - 10 : event.clientY + 14;
  tip.style.left = Math.max(x, 4) + "px";
  tip.style.top = Math.max(y, 4) + "px";
}
const hideTip = () => { tip.hidden = true; };

function runTip(event, row) {
  const pairs = [["status", D.statuses[D.status[row]] +
    (D.reason[row] ? ` (${D.reason[row]})` : "")]];
  for (const field of fields)
    if (field.hyper && pairs.length < 9)
      pairs.push([field.name, show(field.values[row])]);
  pairs.push([monitorField.name, show(monitorField.values[row])]);
  showTip(event, "run " + D.run[row], pairs);
}
