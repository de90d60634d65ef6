"use strict";
// The table: `frames[k]` is the scene after k decisions (scene.py), `show...` draws one. Data: replay.py.
const page = JSON.parse(document.getElementById("data").textContent);
const frames = [page.first];
for (const delta of page.deltas) frames.push(Object.assign({}, frames[frames.length - 1], delta));
const last = frames.length - 1;
const resources = ["coal", "oil", "garbage", "uranium"];
const step3Card = 51;
const supplyNote = "cities that the plants and the fuel at hand could supply now";
let at = 0; // decisions played in the frame that is shown

const byId = (id) => document.getElementById(id);
const seats = [...Array(page.players).keys()];
const seatName = (seat) => (page.names ? `p${seat} ${page.names[seat]}` : `p${seat}`);

/** An HTML element with attributes and children; null children are left out. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** An SVG element with attributes and text. */
function draw(name, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

/** A symbol of the page in a picture of its own, with words for who cannot see it. */
function icon(symbol, box, label, className = "") {
  const picture = draw("svg", { viewBox: box, role: "img", "aria-label": label, class: className });
  picture.append(draw("use", { href: `#${symbol}` }));
  return picture;
}
const ownerName = (owner) => (owner === "T" ? "the Trust" : `player ${owner}`);
const house = (owner) => icon(`house-${owner}`, "0 0 16 16", ownerName(owner), "house");
const cardName = (plant) => (plant === step3Card ? "Step 3 card" : `plant ${plant}`);
const card = (plant) => icon(`plant-${plant}`, "0 0 104 52", cardName(plant));
const citiesOf = (scene, seat) => scene.spaces.split(String(seat)).length - 1;
const networkOf = (scene, seat) => `${citiesOf(scene, seat)} cities, supplies ${scene.can_supply[seat]}`;
const phaseOf = (scene) => `${scene.round} ${scene.phase}`;

// ------------------------------------------------------------------------------------------- the table

function showHeadline(scene) {
  byId("when").textContent = `Round ${scene.round} · Step ${scene.step} · ${page.phases[scene.phase]}`;
  const winners = scene.winners.map(seatName).join(" and ");
  const over = winners ? `${winners} won` : "nobody won: the round limit was met";
  const line = scene.asks ? [house(scene.player), `${seatName(scene.player)} ${scene.asks}`] : [over];
  byId("asks").replaceChildren(...line);
}

function showMap(scene) {
  for (let place = 0; place < scene.spaces.length; place++) {
    const owner = scene.spaces[place];
    const use = byId(`house-${Math.floor(place / 3)}-${place % 3}`);
    if (owner === ".") use.removeAttribute("href");
    else use.setAttribute("href", `#house-${owner}`);
  }
  const flags = Object.entries(scene.markers).map(([city, seat]) => {
    const [x, y] = page.flags[city];
    return draw("use", { href: `#flag-${seat}`, transform: `translate(${x} ${y})` });
  });
  byId("markers").replaceChildren(...flags);
  const words = at > 0 ? page.decisions[at - 1][1] : "";
  const city = page.cities.indexOf(words.replace(/^(build|place|mark) /, ""));
  const focus = byId("focus");
  focus.setAttribute("visibility", city < 0 ? "hidden" : "visible");
  if (city >= 0) focus.setAttribute("transform", `translate(${page.points[city].join(" ")})`);
}

function showMarkets(scene) {
  const next = scene.back ? `, next a ${scene.back}` : "";
  byId("stack").textContent = `${scene.stack} cards in the stack${next}`;
  const cards = scene.market.map((plant, place) => {
    const forSale = place < scene.for_sale && plant !== step3Card;
    const discounted = plant === scene.discount;
    const note = forSale ? "for sale" : plant === step3Card ? "" : "future";
    const token = discounted ? make("span", { class: "token" }, "1") : null;
    const words = discounted ? `${note} from 1` : note;
    return make("div", { class: forSale ? "card" : "card future" }, card(plant), token, words);
  });
  byId("cards").replaceChildren(...cards);
  resources.forEach((name, kind) => {
    for (let token = 1, use; (use = byId(`token-${kind}-${token}`)); token++)
      use.setAttribute("visibility", token <= scene.track[kind] ? "visible" : "hidden");
    byId(`left-${kind}`).textContent = scene.track[kind];
    const stopped = name === "uranium" && scene.stopped;
    byId(`coming-${kind}`).textContent = stopped ? "none" : `+${scene.refill[kind]}`;
  });
  if (!page.storagePrice) return;
  byId("storage").textContent = `${scene.storage} coal in the storage, at ${page.storagePrice} each`;
}

function showLot(scene) {
  const lot = scene.lot;
  const ranking = seats.filter(() => scene.ranks.length).sort((a, b) => scene.ranks[a] - scene.ranks[b]);
  byId("lot-title").firstChild.textContent = ranking.length ? "Result " : "Auction ";
  if (ranking.length) {
    byId("lot-state").textContent = "cities supplied, then money";
    const rows = ranking.map((seat) => {
      const supplied = `supplies ${scene.can_supply[seat]}, ${scene.money[seat]} E`;
      return make("li", {}, `${scene.ranks[seat]}.`, house(seat), make("b", {}, seatName(seat)), supplied);
    });
    byId("lot-body").replaceChildren(make("ol", { class: "bids ranks" }, ...rows));
    return;
  }
  if (!lot) {
    byId("lot-state").textContent = "none running";
    byId("lot-body").replaceChildren();
    return;
  }
  const sold = lot.sold >= 0;
  const standing = lot.price ? `standing bid ${lot.price}` : `opens at ${lot.minimum} or more`;
  byId("lot-state").textContent = sold ? `sold to ${seatName(lot.sold)} for ${lot.price}` : standing;
  const best = lot.bids.map((bid) => bid[1]).lastIndexOf(lot.price);
  const bids = lot.bids.map(([seat, amount], place) => {
    const kind = amount === 0 ? "out" : place === best ? "last" : "";
    return make("li", { class: kind }, house(seat), amount ? String(amount) : "out");
  });
  const still = make("div", { class: "still" }, sold ? "bought by" : "still in", ...lot.bidding.map(house));
  const ladder = make("div", {}, make("ol", { class: "bids" }, ...bids), still);
  byId("lot-body").replaceChildren(card(lot.plant), ladder);
  byId("lot-body").scrollTop = byId("lot-body").scrollHeight;
}

function statusOf(scene, seat) {
  if (seat === scene.player) return "acts";
  if (scene.bought.includes(seat)) return "bought";
  if (scene.done.includes(seat)) return scene.phase === "auction" ? "passed" : "done";
  if (scene.lot && scene.lot.sold < 0 && !scene.lot.bidding.includes(seat)) return "out";
  return "";
}

function stock(plants, fuel) {
  const tokens = resources.map((name, kind) =>
    fuel[kind] ? make("span", {}, icon(`fuel-${name}`, "0 0 12 12", name), String(fuel[kind])) : null,
  );
  return make("div", { class: "plants" }, ...plants.map(card), make("div", { class: "fuel" }, ...tokens));
}

function showPlayers(scene) {
  const rows = scene.order.map((seat, place) => {
    const head = make(
      "div",
      {},
      make("small", {}, `${place + 1}.`),
      house(seat),
      make("span", { class: "name" }, seatName(seat)),
      make("span", { class: "status" }, statusOf(scene, seat)),
      make("span", { class: "money" }, `${scene.money[seat]} E`),
      make("small", { title: supplyNote }, networkOf(scene, seat)),
    );
    const acts = seat === scene.player ? "player acts" : "player";
    return make("div", { class: acts }, head, stock(scene.plants[seat], scene.fuel[seat]));
  });
  if (scene.trust) {
    const left = make("small", {}, `${scene.trust.houses} houses left`);
    const head = make("div", {}, house("T"), make("span", { class: "name" }, "the Trust"), left);
    rows.push(make("div", { class: "player trust" }, head, stock(scene.trust.plants, scene.trust.fuel)));
  }
  byId("players").replaceChildren(...rows);
}
