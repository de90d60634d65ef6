"use strict";
// The list of decisions, and stepping through them.
let timer = null;

/** Elektro that changed hands with a decision, such as `-17`, or `p3 -38` when it was another player's. */
function paidBy(decision) {
  const [before, after] = [frames[decision - 1].money, frames[decision].money];
  const actor = page.decisions[decision - 1][0];
  return seats
    .filter((seat) => before[seat] !== after[seat])
    .map((seat) => {
      const change = after[seat] - before[seat];
      return (seat === actor ? "" : `p${seat} `) + (change > 0 ? `+${change}` : `−${-change}`);
    })
    .join(", ");
}

const entries = [null];
function listDecisions() {
  const list = byId("list");
  let rows = null;
  for (let decision = 1; decision <= last; decision++) {
    const before = frames[decision - 1];
    if (decision === 1 || phaseOf(before) !== phaseOf(frames[decision - 2])) {
      rows = make("ol", {});
      list.append(make("h3", {}, `Round ${before.round} · ${page.phases[before.phase]}`), rows);
    }
    const [seat, words] = page.decisions[decision - 1];
    const paid = make("span", { class: "paid" }, paidBy(decision));
    const entry = make("button", { tabindex: "-1" }, house(seat), make("span", {}, `p${seat} ${words}`), paid);
    entry.addEventListener("click", () => go(decision));
    rows.append(make("li", {}, entry));
    entries.push(entry);
  }
}

function showDecision() {
  entries.forEach((entry, decision) => {
    if (!entry) return;
    entry.classList.toggle("ahead", decision > at);
    if (decision === at) entry.setAttribute("aria-current", "step");
    else entry.removeAttribute("aria-current");
  });
  const list = byId("list");
  const entry = entries[at];
  list.scrollTop = entry ? entry.offsetTop - list.offsetTop - list.clientHeight / 4 : 0;
}

// ----------------------------------------------------------------------------------------- stepping

/** Show the table after `decision` decisions. */
function go(decision) {
  at = Math.min(last, Math.max(0, decision));
  const scene = frames[at];
  showHeadline(scene);
  showMap(scene);
  showMarkets(scene);
  showLot(scene);
  showPlayers(scene);
  showDecision();
  showCursors();
  byId("slider").value = at;
  byId("position").textContent = `${at} / ${last}`;
  history.replaceState(null, "", `#${at}`);
  if (at === last) stop();
}

/** The next place, forwards or backwards, at which a new phase or round begins. */
function jump(direction, keyOf) {
  const begins = (k) => k === 0 || k === last || keyOf(frames[k]) !== keyOf(frames[k - 1]);
  let k = at + direction;
  while (k > 0 && k < last && !begins(k)) k += direction;
  go(k);
}

function stop() {
  clearInterval(timer);
  timer = null;
  byId("play").textContent = "Play";
  byId("play").setAttribute("aria-pressed", "false");
}

function start() {
  if (at === last) go(0);
  timer = setInterval(() => go(at + 1), Number(byId("speed").value));
  byId("play").textContent = "Pause";
  byId("play").setAttribute("aria-pressed", "true");
}

const roundOf = (scene) => scene.round;
const commands = {
  start: () => go(0),
  "round-back": () => jump(-1, roundOf),
  "phase-back": () => jump(-1, phaseOf),
  back: () => go(at - 1),
  play: () => (timer === null ? start() : stop()),
  next: () => go(at + 1),
  "phase-next": () => jump(1, phaseOf),
  "round-next": () => jump(1, roundOf),
  end: () => go(last),
};
const keys = {
  Home: "start",
  End: "end",
  PageUp: "round-back",
  PageDown: "round-next",
  ArrowLeft: "back",
  ArrowRight: "next",
  "Shift ArrowLeft": "phase-back",
  "Shift ArrowRight": "phase-next",
  " ": "play",
};

for (const [id, command] of Object.entries(commands)) byId(id).addEventListener("click", command);
byId("slider").max = last;
byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
byId("speed").addEventListener("change", () => {
  if (timer === null) return;
  stop();
  start();
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
  const command = keys[(event.shiftKey ? "Shift " : "") + event.key];
  if (!command || (event.key === " " && event.target.tagName === "BUTTON")) return;
  event.preventDefault();
  commands[command]();
});
window.addEventListener("hashchange", () => go(Number(location.hash.slice(1)) || 0));

listDecisions();
addChart("Money (Elektro) by round", (scene, seat) => scene.money[seat]);
addChart("Cities by round", citiesOf);
go(Number(location.hash.slice(1)) || 0);
