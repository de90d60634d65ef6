"use strict";
// The curves: a line per seat over the decisions; a click goes there.
const chart = { width: 420, height: 170, left: 34, right: 392, top: 26, bottom: 146 };
const dashes = ["", "7 3", "2 3", "9 3 2 3", "4 2", "1 4"];
const cursors = [];
const across = (decision) => chart.left + ((chart.right - chart.left) * decision) / Math.max(1, last);

/** A curve per seat over the decisions; a click goes there. */
function addChart(title, valueOf) {
  const viewBox = `0 0 ${chart.width} ${chart.height}`;
  const picture = draw("svg", { viewBox, role: "img", "aria-label": title });
  const values = seats.map((seat) => frames.map((scene) => valueOf(scene, seat)));
  const most = values.flat().reduce((one, other) => Math.max(one, other), 1);
  const up = (value) => chart.bottom - ((chart.bottom - chart.top) * value) / most;
  picture.append(draw("text", { x: 2, y: 14, "font-size": 13, "font-weight": "bold" }, title));
  const tick = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => most / size <= 5) || 5000;
  for (let value = 0; value <= most; value += tick) {
    const y = up(value);
    picture.append(draw("line", { x1: chart.left, x2: chart.right, y1: y, y2: y, stroke: "#dddddd" }));
    const place = { x: chart.left - 5, y: y + 4, "text-anchor": "end", "font-size": 11, fill: "#5a5a5a" };
    picture.append(draw("text", place, String(value)));
  }
  let lastLabel = -99;
  frames.forEach((scene, decision) => {
    if (decision && scene.round === frames[decision - 1].round) return;
    const x = across(decision);
    picture.append(draw("line", { x1: x, x2: x, y1: chart.bottom, y2: chart.bottom + 5, stroke: "#5a5a5a" }));
    if (x - lastLabel < 18) return;
    lastLabel = x;
    const place = { x, y: chart.bottom + 17, "text-anchor": "middle", "font-size": 11, fill: "#5a5a5a" };
    picture.append(draw("text", place, scene.round));
  });
  const ends = seats.map((seat) => ({ seat, y: up(values[seat][last]) })).sort((a, b) => a.y - b.y);
  ends.forEach((end, place) => {
    if (place) end.y = Math.max(end.y, ends[place - 1].y + 15);
  });
  const surplus = Math.max(0, ends[ends.length - 1].y - chart.bottom - 6);
  for (const { seat, y } of ends) {
    const points = values[seat].map((value, k) => `${across(k).toFixed(1)},${up(value).toFixed(1)}`).join(" ");
    const line = { points, fill: "none", stroke: page.colours[seat], "stroke-width": 2.2 };
    picture.append(draw("polyline", { ...line, "stroke-dasharray": dashes[seat] }));
    const place = `translate(${chart.right + 8} ${y - surplus - 8}) scale(0.9)`;
    picture.append(draw("use", { href: `#house-${seat}`, transform: place }));
  }
  const cursor = draw("line", { y1: chart.top - 4, y2: chart.bottom, stroke: "#b30059", "stroke-width": 2 });
  picture.append(cursor);
  cursors.push(cursor);
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * chart.width;
    go(Math.round(((x - chart.left) / (chart.right - chart.left)) * last));
  });
  byId("curves").append(picture);
}

function showCursors() {
  for (const cursor of cursors) {
    cursor.setAttribute("x1", across(at));
    cursor.setAttribute("x2", across(at));
  }
}
