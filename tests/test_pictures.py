"""Pictures: the table as SVG, as pixels, and a whole game as a page; the page also in a real browser, if there is one."""

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import numpy as np
import pytest

import agents
from powergrid_env import pictures
from powergrid_env.batch import GameBatch
from powergrid_env.board import make_board
from powergrid_env.config import GameConfig
from powergrid_env.constants import NOBODY
from powergrid_env.game import Game
from powergrid_env.pictures import geometry, raster
from powergrid_env.pictures.frames import played
from powergrid_env.pictures.lots import scene_with_bids
from powergrid_env.pictures.scene import scene
from powergrid_env.pictures.sheet import MARGIN, TALL_MAP, WIDTH
from powergrid_env.record import walk

SVG = "{http://www.w3.org/2000/svg}"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MAPS = [(edition, board) for edition in ("recharged", "2004") for board in ("germany", "usa")]
WIDTHS = {"germany": TALL_MAP, "usa": WIDTH - 2 * MARGIN}


def played_game(stop=None, seed=7, **config):
    game = Game(seed=seed, **config)
    bot = agents.make("balanced")
    bot.reset(1)
    while not game.over and (stop is None or len(game._actions) < stop):
        batch = GameBatch.from_games([game], autoreset=False)
        game.play(int(bot.act(batch, np.array([0]))[0]))
    return game


@pytest.fixture(scope="module")
def usa_game():
    return played_game(players=6, board="usa")


@pytest.fixture(scope="module")
def trust_game():
    return played_game(players=2, seed=3)


@pytest.fixture(scope="module")
def cut_short():
    """Games that stand somewhere in the middle, of all kinds."""
    return [
        played_game(players=3, edition="2004", stop=130),
        played_game(players=4, board="usa", start_cities=True, stop=3),
        played_game(players=4, deck="new", stop=90),
        played_game(players=2, start_cities=True, board="usa", stop=60),
        played_game(players=2, trust=False, skip_forced=True, stop=40),
        Game(players=5, seed=1),
    ]


def page_data(html):
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)
    return json.loads(found[1])


# ------------------------------------------------------------------------------------------------ map


@pytest.mark.parametrize(("edition", "name"), MAPS)
def test_nothing_on_a_map_overlaps(edition, name):
    board = make_board(GameConfig(edition=edition, board=name))
    shape = geometry.geometry(board, WIDTHS[name])
    half = [
        max(geometry.ROW, geometry.text_width(city, geometry.NAME_SIZE, bold=True)) / 2
        for city in board.cities
    ]
    blocks = [
        (x - half[city], y - geometry.ABOVE, x + half[city], y + geometry.BELOW)
        for city, (x, y) in enumerate(shape.cities)
    ]
    for left, top, right, bottom in blocks:
        assert min(left, top) >= 0
        assert right <= shape.width
        assert bottom <= shape.height
    for one, other in combinations(blocks, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    costs = [link.label for link in shape.links]
    for (x, y), (left, top, right, bottom) in ((cost, block) for cost in costs for block in blocks):
        reach = geometry.COST_RADIUS - 3  # a circle may cut a corner of the box around a name
        assert x + reach <= left or x - reach >= right or y + reach <= top or y - reach >= bottom
    for (ax, ay), (bx, by) in combinations(costs, 2):
        assert np.hypot(ax - bx, ay - by) >= 2 * geometry.COST_RADIUS - 2


@pytest.mark.parametrize(("edition", "name"), MAPS)
def test_cities_stay_near_their_place_and_on_the_ground_of_their_region(edition, name):
    board = make_board(GameConfig(edition=edition, board=name))
    shape = geometry.geometry(board, WIDTHS[name])
    moved = np.array(shape.cities) - board.points * (shape.width, shape.height)
    assert np.hypot(*moved.T).max() < 60
    for city, cell in enumerate(shape.cells):  # a point is inside a convex polygon that runs round it one way
        x, y = shape.cities[city]
        turns = [
            (bx - ax) * (y - ay) - (by - ay) * (x - ax) for (ax, ay), (bx, by) in pairwise([*cell, cell[0]])
        ]
        assert min(turns) > -1


def test_a_board_of_ones_own_can_be_drawn(tmp_path):
    rows = [f"Town {k},region {k // 2},{0.5 if k < 2 else k / 8},0.5" for k in range(8)]
    (tmp_path / "cities.csv").write_text("city,region,x,y\n" + "\n".join(rows) + "\n", encoding="utf-8")
    edges = [f"Town {k},Town {k + 1},{k}" for k in range(7)]
    (tmp_path / "edges.csv").write_text("city_a,city_b,cost\n" + "\n".join(edges) + "\n", encoding="utf-8")
    svg = pictures.board_svg(Game(players=3, board=str(tmp_path), seed=1))
    places = set(re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>Town', svg))
    assert len(places) == 8  # the two that cities.csv puts at one spot have gone apart


# ------------------------------------------------------------------------------------------------ SVG


def drawn_houses(root):
    return [use.get("href") for use in root.iter(f"{SVG}use") if use.get("class") == "house"]


def test_svg_shows_every_city_house_plant_and_token(usa_game, trust_game, cut_short):
    for game in [usa_game, trust_game, *cut_short]:
        root = ET.fromstring(pictures.board_svg(game))
        texts = {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}
        assert set(game.board.cities) <= texts
        assert set(game.board.regions) <= texts
        spaces = scene(game)["spaces"]
        assert sorted(drawn_houses(root)) == sorted(f"#house-{owner}" for owner in spaces if owner != ".")
        defined = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
        used = [use.get("href") for use in root.iter(f"{SVG}use")]
        assert set(used) <= defined
        cards = set(game.state.market[: game.state.market_size].tolist())
        cards |= {int(plant) for row in game.state.plants for plant in row if plant}
        assert {f"#plant-{card}" for card in cards} <= set(used)
        for resource, name in enumerate(("coal", "oil", "garbage", "uranium")):
            assert used.count(f"#fuel-{name}") >= game.state.track[resource]
        seats = range(game.config.players)
        assert {f"{int(game.state.money[seat])} E" for seat in seats} <= texts


def test_svg_tells_markers_the_discount_and_who_won(usa_game, cut_short):
    marked = ET.fromstring(pictures.board_svg(cut_short[1]))
    assert sum(str(use.get("href")).startswith("#flag") for use in marked.iter(f"{SVG}use")) == 3
    assert "for sale from 1" in pictures.board_svg(Game(players=5, seed=1))
    winner = usa_game.result().winners[0]
    assert f">p{winner} won<" in pictures.board_svg(usa_game)


def test_names_of_players_are_shown_and_escaped(trust_game):
    game = trust_game.clone()
    game.names = ["</script><b>Ann", "R&D"]
    svg = pictures.board_svg(game)
    ET.fromstring(svg)
    assert "R&amp;D" in svg
    assert "<b>" not in svg
    html = pictures.replay_html(game)
    assert "<b>Ann" not in html
    assert page_data(html)["names"] == game.names


# ----------------------------------------------------------------------------------------------- lots


def test_a_picture_shows_the_bids_of_the_running_auction_in_their_order(usa_game):
    bids, longest = [], 0
    for past, action in walk(usa_game):
        if past.decision == "choose":
            bids = []
        elif past.decision == "bid":
            if len(bids) > longest:
                assert scene_with_bids(past)["lot"]["bids"] == bids
                begun_here = Game.from_states(past.board, past._states)  # knows only what the state tells
                assert scene_with_bids(begun_here)["lot"]["bids"] == [bid for bid in bids if bid[1]][-1:]
                longest = len(bids)
            bids.append([past.player, int(past.words(action).split()[-1]) if action else 0])
    assert longest > 10


def test_frames_follow_each_lot_until_it_is_sold(usa_game, trust_game, cut_short):
    for game in [usa_game, trust_game, *cut_short]:
        first, decisions = played(game)
        before = first
        for decision in decisions:
            lot = decision.after["lot"]
            if lot is not None and lot["sold"] == NOBODY:
                offers = [amount for _, amount in lot["bids"] if amount]
                assert offers == sorted(offers)
                assert lot["price"] == max(offers, default=0)
            elif lot is not None and (before["lot"] is None or before["lot"]["sold"] == NOBODY):
                paid = before["money"][lot["sold"]] - decision.after["money"][lot["sold"]]
                assert paid == lot["price"]
                assert lot["plant"] in decision.after["plants"][lot["sold"]]
            before = decision.after


# ------------------------------------------------------------------------------------------------ page


def test_page_holds_every_decision_and_plays_to_the_last_scene(usa_game, trust_game, cut_short):
    for game in [usa_game, trust_game, *cut_short]:
        html = pictures.replay_html(game)
        assert len(html) < 2_000_000
        addresses = set(re.findall(r"https?://[^\s\"<)]+", html))
        assert addresses == {
            "http://www.w3.org/2000/svg"
        }  # a name that is never fetched; it needs nothing else
        assert not re.search(r"\b(src=|url\(|@import)", html)
        data = page_data(html)
        lines = [line.split(" ~")[0] for line in game.record().split("---\n")[1].splitlines()[:-1]]
        assert [line.split(" ", 2)[2] for line in lines] == [
            f"p{seat} {words}" for seat, words in data["decisions"]
        ]
        now = dict(data["first"])
        for delta in data["deltas"]:
            now.update(delta)
        expected = json.loads(json.dumps(scene(game)))
        assert {**now, "lot": None} == {**expected, "lot": None}


def test_page_can_be_made_from_a_record(trust_game):
    assert pictures.replay_html(trust_game.record()) == pictures.replay_html(trust_game)


def test_a_damaged_record_is_refused_with_its_line(trust_game):
    lines = trust_game.record().splitlines()
    lines[8] = lines[8].replace("p", "q", 1)
    with pytest.raises(ValueError, match="line 9"):
        pictures.replay_html("\n".join(lines))


# ---------------------------------------------------------------------------------------------- pixels


def test_pixels(usa_game, trust_game):
    pixels = pictures.rgb_array(usa_game)
    assert pixels.dtype == np.uint8
    assert pixels.shape == (*pixels.shape[:1], 1100, 3)
    assert tuple(pixels[0, 0]) == (255, 255, 255)
    assert len(np.unique(pixels[::5, ::5].reshape(-1, 3), axis=0)) > 100
    assert pictures.rgb_array(trust_game, width=500).shape[1] == 500
    earlier = Game(usa_game.config, seed=usa_game.seed)
    assert not np.array_equal(pictures.rgb_array(earlier), pixels)


@pytest.mark.parametrize("width", [0, 99, 10_001, 500.0, True, "500"])
def test_a_bad_width_is_refused(width):
    with pytest.raises(ValueError, match=re.escape(f"width is {width!r}; allowed")):
        pictures.rgb_array(Game(seed=1), width=width)


def test_a_missing_library_names_the_extra(monkeypatch):
    raster._tools.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r"resvg_py.*powergrid-env\[pictures\]"):
        pictures.rgb_array(Game(seed=1))
    raster._tools.cache_clear()


# --------------------------------------------------------------------------------------------- browser

DRIVER = """
<script>
const press = (key, shiftKey = false) =>
  document.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
const seen = { start: at };
const note = (name) => { seen[name] = at; };
press("ArrowRight"); note("right");
press("ArrowLeft"); press("ArrowLeft"); note("left");
press("PageDown"); note("round"); seen.roundNumber = frames[at].round;
press("ArrowRight", true); note("phase");
press("PageUp"); note("back");
press("End"); note("end"); seen.headline = document.getElementById("asks").textContent;
press("Home"); note("home");
document.getElementById("next").click(); note("button");
document.getElementById("slider").value = 50;
document.getElementById("slider").dispatchEvent(new Event("input")); note("slider");
seen.hash = location.hash;
entries[70].click(); note("click");
seen.current = document.querySelector("#list [aria-current]").innerText;
seen.tooWide = [];
seen.wrongHouses = [];
for (let k = 0; k <= last; k += 37) {
  go(k);
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) seen.tooWide.push(k);
  const shown = [...document.querySelectorAll("#map use[id^=house]")].map((use) => use.getAttribute("href"));
  const spaces = [...frames[k].spaces].map((owner) => (owner === "." ? null : `#house-${owner}`));
  if (shown.some((href, place) => href !== spaces[place])) seen.wrongHouses.push(k);
}
const names = [...document.querySelectorAll("#map text")].filter((text) => page.cities.includes(text.textContent));
const boxes = names.map((text) => text.getBBox());
seen.names = names.length;
seen.touching = [];
boxes.forEach((one, a) => boxes.slice(a + 1).forEach((other, b) => {
  const apart = one.x + one.width <= other.x || other.x + other.width <= one.x
    || one.y + one.height <= other.y + 2 || other.y + other.height <= one.y + 2;
  if (!apart) seen.touching.push([names[a].textContent, names[a + 1 + b].textContent]);
}));
seen.unlabelled = [...document.querySelectorAll("button, input, select")].filter(
  (control) => !(control.innerText.trim() || control.getAttribute("aria-label") || control.closest("label"))
).length;
document.title = "ready";
document.body.innerHTML = `<pre id="seen">${JSON.stringify(seen)}</pre>`;
</script>
</body>
"""


def run_chromium(page, folder, width, *options):
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr",
        f"--user-data-dir={folder / 'profile'}", f"--window-size={width},900", "--virtual-time-budget=5000", *options, page,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert complaints == []
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [1280, 800])
@pytest.mark.parametrize("which", ["usa_game", "trust_game"])
def test_the_page_in_a_browser(which, width, request, tmp_path):
    game = request.getfixturevalue(which)
    page = tmp_path / "game.html"
    page.write_text(pictures.replay_html(game).replace("</body>", DRIVER), encoding="utf-8")
    text = run_chromium(f"{page.as_uri()}#20", tmp_path, width, "--dump-dom")
    seen = json.loads(re.search(r'<pre id="seen">(.*?)</pre>', text, re.S)[1].replace("&gt;", ">"))
    last = len(game._actions)
    assert (seen["start"], seen["right"], seen["left"], seen["end"], seen["home"]) == (20, 21, 19, last, 0)
    assert (seen["button"], seen["slider"], seen["click"], seen["hash"]) == (1, 50, 70, "#50")
    assert seen["roundNumber"] == 2
    assert seen["back"] == seen["round"] < seen["phase"]
    assert "won" in seen["headline"]
    assert page_data(page.read_text(encoding="utf-8"))["decisions"][69][1] in seen["current"]
    assert seen["names"] == len(game.board.cities)
    assert seen["tooWide"] == seen["wrongHouses"] == seen["touching"] == []
    assert seen["unlabelled"] == 0


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_a_fault_of_a_page_would_be_seen(tmp_path):
    page = tmp_path / "fault.html"
    page.write_text("<script>nothing.there();</script>", encoding="utf-8")
    with pytest.raises(AssertionError, match="CONSOLE"):
        run_chromium(page.as_uri(), tmp_path, 800, "--dump-dom")
