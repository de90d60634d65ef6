"""Records: a game as text that a person can read, type and check.

A record is a TOML header up to a line `---`, then one decision per line. The format stands in README.md
("Records"). `read` leads to the line that cannot be; `split` takes a file of many records apart.
"""

import json
import re
import tomllib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from powergrid_env.board import make_board
from powergrid_env.config import GameConfig
from powergrid_env.constants import STEP_3_CARD, PlantKind
from powergrid_env.game import Game
from powergrid_env.notation import IllegalAction

FORMAT = 1
LINE = re.compile(r"R(?P<round>\d+) (?P<phase>[a-z_]+) p(?P<player>\d+) (?P<words>.+)")
CHECKED = re.compile(r"(?P<text>.*) ~(?P<check>[0-9a-f]{4})")
START = re.compile(r"format\s*=")
UNKNOWN = "?"
MAX_SHUFFLES = 10_000


class RecordError(ValueError):
    """A record that cannot be; the message begins with its line."""


@dataclass(frozen=True)
class Line:
    """A line of a record: its number in the file, its text without comment and checksum, and its checksum."""

    number: int
    text: str
    check: str | None


# -------------------------------------------------------------------------------------------- write


def write(game: Game, names: Sequence[str] | None = None) -> str:
    """A game as a record.

    Args:
        game: the game, finished or not.
        names: of the players, by seat; written to the header.

    Raises:
        ValueError: not one name per seat.
    """
    players = game.config.players
    if names is not None and len(names) != players:
        raise ValueError(f"names is {list(names)!r}; allowed: {players} names, one per seat")
    head = "\n".join(_header_lines(game, names))
    lines = [f"{head}\nheader_check = {json.dumps(_check('', head))}", "---"]
    check = ""
    for text in _body(game):
        check = _check(check, text)
        lines.append(f"{text} ~{check}")
    return "\n".join(lines) + "\n"


def _header_lines(game: Game, names: Sequence[str] | None) -> Iterator[str]:
    yield f"format = {FORMAT}"
    plain = GameConfig(players=game.config.players)
    for item in fields(GameConfig):
        value = game.config.to_dict()[item.name]
        if item.name in ("edition", "board", "players") or value != plain.to_dict()[item.name]:
            yield f"{item.name} = {_toml(value)}"
    if names is not None:
        yield f"names = {_toml(list(names))}"
    if game.seed is not None:
        yield f"seed = {game.seed}"
        return
    start = Game.from_states(game.board, game._start).to_position()
    yield "[position]"
    for key, value in start.items():
        if key not in ("edition", "board", "players", "rulings", "config"):
            yield f"{key} = {_toml(UNKNOWN if key == 'stack' and game._draws is not None else value)}"


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def walk(game: Game) -> Iterator[tuple[Game, int]]:
    """A game from its start: before each decision the game as it stood, and the action played then.

    It is one and the same Game that moves on; who wants to keep it clones it. After the last pair it stands as
    `game` does.
    """
    replay = Game.from_states(game.board, game._start)
    for index, action in enumerate(game._actions):
        if game._draws is not None:
            _prepare_draws(replay, action, game._draws.get(index, ()), line=0)
        yield replay, action
        replay.play(action)


def _body(game: Game) -> Iterator[str]:
    for index, (past, action) in enumerate(walk(game)):
        yield f"R{past.round_number} {past.phase} p{past.player} {past.words(action)}"
        for card in (game._draws or {}).get(index, ()):
            yield f"draw {_card_name(card)}"
    yield _end_line(game)


def _end_line(game: Game) -> str:
    result = game.result()
    if result is None:
        return f"END open digest {game.digest()}"
    winners = " ".join(f"p{seat}" for seat in result.winners) or "none"
    supplied, money = (" ".join(map(str, result[key])) for key in ("supplied", "money"))
    return f"END winners {winners} supplied {supplied} money {money} digest {game.digest()}"


def _check(before: str, text: str) -> str:
    """Running checksum: four hex digits over the checksum before and the text."""
    return f"{zlib.crc32(f'{before}|{text}'.encode()) & 0xFFFF:04x}"


def _card_name(card: int) -> str:
    return "step3" if card == STEP_3_CARD else str(card)


# --------------------------------------------------------------------------------------------- read


def split(text: str) -> Iterator[tuple[int, str]]:
    """Records of a file: the number of the first line and the text of each."""
    lines = text.splitlines(keepends=True)
    starts = [number for number, line in enumerate(lines) if START.match(line)]
    if not starts:
        raise RecordError("line 1: no record; a record begins with a line 'format = 1'")
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield start + 1, "".join(lines[start:stop])


def read(text: str, first_line: int = 1) -> Game:
    """The game of a record, at its last decision, every line checked.

    Raises:
        RecordError: a ValueError that begins with the line that cannot be.
    """
    lines = text.splitlines()
    if "---" not in [line.strip() for line in lines]:
        raise RecordError(f"line {first_line}: no line '---' ends the header")
    cut = [line.strip() for line in lines].index("---")
    game, names = _open(lines[:cut], first_line)
    game.names = names
    _play(game, list(_decision_lines(lines[cut + 1 :], first_line + cut + 1)))
    return game


def _open(head: list[str], first_line: int) -> tuple[Game, list[str] | None]:
    """The game at its start, from the header."""
    try:
        header = tomllib.loads("\n".join(head))
    except tomllib.TOMLDecodeError as error:
        raise RecordError(f"line {first_line}: the header is not TOML ({error})") from None
    if header.get("format") != FORMAT:
        raise RecordError(
            f"line {first_line}: format is {header.get('format')!r}; this version reads {FORMAT}; "
            "use the version of powergrid-env that wrote it"
        )
    plain = "\n".join(line for line in head if not line.startswith("header_check"))
    given = header.get("header_check") or header.get("position", {}).pop("header_check", None)
    if given is not None and given != _check("", plain):
        raise RecordError(
            f"line {first_line}: the header does not fit its checksum {given!r}: something in it was changed"
        )
    settings = {item.name: header[item.name] for item in fields(GameConfig) if item.name in header}
    known = {"format", "header_check", "seed", "position", "names", *settings}
    unknown = sorted(set(header) - known)
    if unknown:
        raise RecordError(
            f"line {first_line}: no header key {unknown[0]!r}; allowed: {', '.join(sorted(known))}"
        )
    names = header.get("names")
    if names is not None and (not isinstance(names, list) or len(names) != settings.get("players", 4)):
        raise RecordError(f"line {first_line}: names is {names!r}; allowed: one name per seat")
    if ("seed" in header) == ("position" in header):
        raise RecordError(f"line {first_line}: the header needs either seed or [position]")
    try:
        if "seed" in header:
            return Game(GameConfig(**settings), seed=header["seed"]), names
        start = dict(header["position"])
        hidden_stack = start.get("stack") == UNKNOWN
        if hidden_stack:
            start["stack"] = _cards_not_on_show(start, GameConfig(**settings))
        game = Game.from_position(start, **settings)
        game._draws = {} if hidden_stack else None
        return game, names
    except (ValueError, TypeError) as error:
        raise RecordError(f"line {first_line}: {error}") from None


def _cards_not_on_show(start: Mapping[str, Any], config: GameConfig) -> list[int | str]:
    """Every card that a position does not show, the Step 3 card below: what a hidden stack may hold."""
    record = make_board(config).record
    shown = set(start.get("market", [])) | set(start.get("removed", []))
    for owner in [*start.get("seats", []), start.get("trust", {})]:
        shown |= set(owner.get("plants", []))
    deck = [
        number for number in range(len(record.plant_kind)) if record.plant_kind[number] != PlantKind.ABSENT
    ]
    return [*(number for number in deck if number not in shown), "step3"]


def _decision_lines(lines: list[str], first_line: int) -> Iterator[Line]:
    for number, raw in enumerate(lines, first_line):
        text = raw.split("#", 1)[0].strip()
        if text:
            found = CHECKED.fullmatch(text)
            yield Line(number, found["text"].strip() if found else text, found["check"] if found else None)


def _play(game: Game, lines: list[Line]) -> None:
    check = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        check = _verified(check, line)
        if line.text.startswith("END "):
            if line.text != _end_line(game) and line.check is not None:
                raise RecordError(
                    f"line {line.number}: the game ends with {_end_line(game)!r}, not {line.text!r}"
                )
            if at < len(lines):
                raise RecordError(f"line {lines[at].number}: a decision after END")
            return
        draws = []
        while at < len(lines) and lines[at].text.startswith("draw "):
            check = _verified(check, lines[at])
            draws.append(_drawn_card(lines[at]))
            at += 1
        _play_line(game, line, draws)


def _verified(check: str, line: Line) -> str:
    """Checksum after a line; a person's line carries none and starts the chain anew."""
    if line.check is None:
        return ""
    if line.check != _check(check, line.text):
        raise RecordError(
            f"line {line.number}: {line.text!r} does not fit its checksum: this line (or the order) was changed"
        )
    return line.check


def _drawn_card(line: Line) -> int:
    card = line.text.removeprefix("draw ").strip()
    if card == "step3":
        return STEP_3_CARD
    if not (card.isascii() and card.isdigit()):
        raise RecordError(f"line {line.number}: {line.text!r}; allowed: 'draw NUMBER' or 'draw step3'")
    return int(card)


def _play_line(game: Game, line: Line, draws: list[int]) -> None:
    found = LINE.fullmatch(line.text)
    if not found:
        raise RecordError(
            f"line {line.number}: {line.text!r}; allowed: 'R3 auction p2 nominate 20', 'draw 21', 'END ...'"
        )
    due = f"R{game.round_number} {game.phase} p{game.player}"
    if game.over:
        raise RecordError(f"line {line.number}: {line.text!r}, but the game is over")
    if f"R{found['round']} {found['phase']} p{found['player']}" != due:
        raise RecordError(f"line {line.number}: {line.text!r}, but {due} is to decide")
    try:
        action = game.parse(found["words"])
        if game._draws is None:
            if draws:
                raise IllegalAction('draw lines belong to records with stack = "?"')
        elif game.explain(action) is None:
            _prepare_draws(game, action, draws, line.number)
            game._draws[len(game._actions)] = tuple(draws)
        game.play(action)
    except IllegalAction as error:
        raise RecordError(f"line {line.number}: {error}") from None


# ------------------------------------------------------------------------------- stack = "?" (RI.2)


def _lay_on_top(game: Game, draws: Sequence[int]) -> None:
    """Lay the cards that a table saw next on top of the hidden stack.

    Before the Step 3 card comes up, what still lies above it was never in the stack: it goes to the cards
    removed at setup (RC.7).
    """
    state = game.state
    stack = [int(card) for card in state.stack[: state.stack_size]]
    missing = [card for card in draws if card not in stack]
    if missing:
        raise ValueError(f"card {_card_name(missing[0])} cannot come up: it is not in the stack")
    rest = [card for card in stack if card not in draws]
    if STEP_3_CARD in draws:
        unseen = stack[: stack.index(STEP_3_CARD)]
        gone = sorted(card for card in unseen if card not in draws)
        if len(gone) > len(state.removed):
            raise ValueError(
                f"the Step 3 card cannot come up: {len(gone)} cards of the stack have not been seen"
            )
        rest = [card for card in rest if card not in gone]
        state.removed[:] = 0
        state.removed[: len(gone)] = gone
        state.num_removed = len(gone)
    cards = [*draws, *rest]
    state.stack[:] = 0
    state.stack[: len(cards)] = cards
    state.stack_size = len(cards)


def _prepare_draws(game: Game, action: int, draws: Sequence[int], line: int) -> None:
    """Arrange the hidden stack so that `action` draws the cards told, no more and no less.

    Raises:
        RecordError: it cannot draw these; the game is untouched.
    """
    trial = game.clone()
    try:
        if draws:
            _lay_on_top(trial, draws)
    except ValueError as error:
        raise RecordError(f"line {line}: {error}") from None
    arranged = trial._states.copy()
    below = {int(card) for card in arranged.stack[0, len(draws) : arranged.stack_size[0]]}
    # The Step 3 card shuffles (R6.20): find a generator with which the cards come that the table saw.
    for word in range(MAX_SHUFFLES if STEP_3_CARD in draws else 1):
        arranged.rng[0] = word
        trial._states[:] = arranged
        trial.play(action)
        left = {int(card) for card in trial.state.stack[: trial.state.stack_size]}
        if below <= left and not left & set(draws):
            game._states[:] = arranged
            return
    told = " ".join(map(_card_name, draws)) or "none"
    raise RecordError(
        f"line {line}: the cards drawn here are not those told ({told}); write one line 'draw NUMBER' per card"
    )
