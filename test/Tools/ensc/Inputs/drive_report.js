// Uses a page as a reader would, and leaves what it saw in the document.
"use strict";
async function drive() {
  const seen = {};
  const all = selector => [...document.querySelectorAll(selector)];
  const click = node => node.dispatchEvent(
    new MouseEvent("click", {bubbles: true, view: window}));
  const tip = document.getElementById("tip");
  const pointer = (node, type, x, y) => node.dispatchEvent(
    new PointerEvent(type, {bubbles: true, clientX: x, clientY: y}));
  const mouse = (node, type, x, y) => node.dispatchEvent(
    new MouseEvent(type, {bubbles: true, clientX: x, clientY: y, view: window}));
  const rows = () => all("#table tbody tr").map(row => Number(row.dataset.run));
  const head = name => all("#table th button").find(
    button => button.textContent.replace(/ [↑↓]$/, "") === name);
  const type = text => {
    const query = document.getElementById("query");
    query.value = text;
    query.dispatchEvent(new Event("input"));
  };

  // Selecting runs in the table, a line and a point.
  click(all("#table tbody tr")[2]);
  click(all("#parallel path.line").find(line => line.__data__ === 5));
  click(all("#scatter circle").find(point => point.__data__ === 3));
  seen.picked = all("#selection .chip").map(chip => chip.textContent);
  seen.pickedCurves = all(".curve.picked").length;
  seen.pickedLines = all(".line.picked").length;
  click(all("#selection .chip")[0]);
  seen.pickedLater = all("#selection .chip").length;
  all("#table tbody tr")[0].dispatchEvent(
    new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
  seen.pickedByKey = all("#selection .chip").map(chip => chip.textContent).pop();
  click(all("#selection button").pop());
  seen.pickedLast = document.getElementById("selection").hidden;

  // Sorting and filtering.
  click(head("lr"));
  seen.up = rows().slice(0, 3);
  click(head("lr"));
  seen.down = rows().slice(0, 3);
  type("lr<0.001 status=completed");
  seen.filtered = rows();
  seen.out = all(".line.out").length;
  type("diverged");
  seen.found = rows();
  type("val_accuracy>=0.93");
  seen.compared = rows();
  type("");
  click(all("#statuses .chip").find(chip => chip.textContent.includes("stopped")));
  seen.chip = rows();
  click(all("#statuses .chip").find(chip => chip.textContent.includes("stopped")));

  // A range of the first axis: its upper half.
  const overlay = document.querySelector(".brush .overlay");
  const box = overlay.getBoundingClientRect();
  const x = box.left + box.width / 2, y = box.top;
  mouse(overlay, "mousedown", x, y + 1);
  mouse(window, "mousemove", x, y + box.height / 2);
  mouse(window, "mouseup", x, y + box.height / 2);
  seen.brushed = rows().sort((a, b) => a - b);
  // D3 swallows the click that ends a drag.
  await new Promise(resolve => setTimeout(resolve, 50));
  click(document.getElementById("unbrush"));
  seen.unbrushed = rows().length;

  // The pointer over charts.
  const chart = document.querySelector("#curves svg");
  const place = chart.getBoundingClientRect();
  pointer(chart, "pointermove", place.left + place.width / 2, place.top + 100);
  seen.chartTip = tip.textContent;
  pointer(chart, "pointerleave", 0, 0);
  seen.noTip = tip.hidden;
  const point = all("#scatter circle").find(node => node.__data__ === 7);
  pointer(point, "pointerenter", 300, 300);
  seen.pointTip = tip.textContent;
  seen.hoveredCurves = all(".curve.hover").filter(c => c.getAttribute("d")).length;
  pointer(point, "pointerleave", 0, 0);

  // Axes, the number of best runs, and the scheme.
  const before = document.querySelector(".median").getAttribute("d");
  click(document.querySelector("figcaption button"));
  seen.logged = document.querySelector(".median").getAttribute("d") !== before;
  const count = document.getElementById("best-count");
  count.value = "1";
  count.dispatchEvent(new Event("change"));
  seen.best = all(".curve.best").length;
  const scheme = document.getElementById("theme");
  click(scheme);
  click(scheme);
  seen.theme = document.documentElement.dataset.theme;
  seen.complaints = all("svg [d*=NaN], svg [cx=NaN], svg [cy=NaN]").length;
  document.body.dataset.seen = JSON.stringify(seen);
}
drive();
