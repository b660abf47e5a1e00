// The table of runs: sorted by a column, filtered, a page at a time.

const pageRows = 50;
const tableFields = fields.filter(field =>
  !(field.plan && !field.hyper) && !(field.name === "reason" && !D.reason.some(r => r)));
const sorting = {field: monitorField, down: monitorField.max, page: 0};

/// `name<1e-3`, `name=word`, or a word that some text must contain.
function parseQuery(text) {
  const tests = [];
  for (const part of text.trim().split(/\s+/).filter(p => p)) {
    const match = /^(.+?)(<=|>=|!=|<|>|=)(.+)$/.exec(part);
    const field = match && findField(match[1]);
    tests.push(field ? comparison(field, match[2], match[3]) : containing(part));
  }
  return tests;
}

/// A field by its name; a metric's name alone means its last value.
function findField(name) {
  const plain = name.replace(/_/g, " ").toLowerCase();
  const same = other => other.replace(/_/g, " ").toLowerCase() === plain;
  return fields.find(f => same(f.name)) || fields.find(f => same(f.name.replace(/^final /, "")));
}

function comparison(field, operation, text) {
  const number = Number(text), compare = {
    "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b,
    ">=": (a, b) => a >= b, "=": (a, b) => a === b, "!=": (a, b) => a !== b,
  }[operation];
  const equality = operation === "=" || operation === "!=";
  return row => {
    const value = field.values[row];
    if (isNumber(value) && !Number.isNaN(number)) return compare(value, number);
    return equality && compare(String(value).toLowerCase(), text.toLowerCase());
  };
}

function containing(word) {
  const lower = word.toLowerCase();
  const texts = fields.filter(field => field.text || field.name === "run");
  return row => texts.some(f => String(f.values[row]).toLowerCase().includes(lower));
}

/// Rows that pass, in the order of the table. What is no number comes last.
function tableRows() {
  const {field, down} = sorting, sign = down ? -1 : 1;
  const missing = value => !field.text && !isNumber(value);
  return d3.range(runCount).filter(row => passing[row]).sort((a, b) => {
    const x = field.values[a], y = field.values[b];
    if (missing(x) !== missing(y)) return missing(x) ? 1 : -1;
    return sign * d3.ascending(x, y) || a - b;
  });
}

const table = document.getElementById("table");
const isText = field => field.text;

function drawHead() {
  const line = element(null, "tr");
  for (const field of tableFields) {
    const head = element(line, "th", undefined, isText(field) ? "text" : "");
    const active = sorting.field === field;
    const arrow = active ? (sorting.down ? " ↓" : " ↑") : "";
    const button = element(head, "button", field.name + arrow);
    button.type = "button";
    if (active) head.setAttribute("aria-sort", sorting.down ? "descending" : "ascending");
    button.addEventListener("click", () => {
      sorting.down = active ? !sorting.down : Boolean(field.max);
      sorting.field = field;
      sorting.page = 0;
      drawTable();
    });
  }
  table.tHead.replaceChildren(line);
}

function drawRow(row) {
  const line = element(null, "tr");
  line.dataset.run = D.run[row];
  if (choice.colours.has(row)) line.className = "picked";
  for (const field of tableFields) {
    const value = field.values[row];
    const cell = element(line, "td", undefined, isText(field) ? "text" : "");
    if (field.name === "run" && choice.colours.has(row))
      element(cell, "i", "", "dot").style.background = pickColour(row);
    if (field.name === "status")
      element(cell, "i", "", "dot").style.background = statusColour(row);
    cell.append(field.text ? String(value) : show(value));
    if (isNumber(value) || field.text) cell.title = String(value);
    if (field === monitorField && ranks[D.monitor][0] === row) cell.classList.add("best");
  }
  line.tabIndex = 0;
  line.addEventListener("click", () => pick(row));
  line.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pick(row);
    document.querySelector(`#table tr[data-run="${D.run[row]}"]`).focus();
  });
  line.addEventListener("pointerenter", () => hover(row));
  line.addEventListener("pointerleave", () => hover(-1));
  return line;
}

function drawTable() {
  const rows = tableRows();
  const pages = Math.max(1, Math.ceil(rows.length / pageRows));
  sorting.page = Math.min(sorting.page, pages - 1);
  drawHead();
  const begin = sorting.page * pageRows;
  table.tBodies[0].replaceChildren(
    ...rows.slice(begin, begin + pageRows).map(drawRow));
  const left = D.runs > runCount ? ` (of ${D.runs}: the best ones and a sample of the others)` : "";
  document.getElementById("table-count").textContent =
    `${rows.length} of ${runCount} runs${left}`;
  const host = document.getElementById("pages");
  host.replaceChildren();
  if (pages === 1) return;
  const turn = (text, page) => {
    const button = element(host, "button", text);
    button.type = "button";
    button.disabled = page < 0 || page >= pages;
    button.addEventListener("click", () => { sorting.page = page; drawTable(); });
  };
  turn("previous", sorting.page - 1);
  element(host, "span", `page ${sorting.page + 1} of ${pages}`, "hint");
  turn("next", sorting.page + 1);
}

const query = document.getElementById("query");
query.addEventListener("input", () => {
  choice.query = parseQuery(query.value);
  sorting.page = 0;
  changed.call("filter");
});
changed.on("filter.table", drawTable);
changed.on("pick.table", drawTable);
