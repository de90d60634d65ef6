"""Records: a game as text that a person can read, type and check.

A record is a TOML header up to a line `---`, then one decision per line. The format stands in README.md
("Records"). `read` leads to the line that cannot be; `split` takes a file of many records apart.
"""

import json
import re
import tomllib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from powergrid_env.arguments import check_names
from powergrid_env.config import GameConfig
from powergrid_env.constants import STEP_3_CARD
from powergrid_env.game import Game
from powergrid_env.notation import STEP_3_WORD, IllegalAction, card_word
from powergrid_env.record_draws import UNKNOWN, cards_not_on_show, prepare_draws

FORMAT = 1
LINE = re.compile(r"R(?P<round>\d+) (?P<phase>[a-z_]+) p(?P<player>\d+) (?P<words>.+)")
CHECKED = re.compile(r"(?P<text>.*) ~(?P<check>[0-9a-f]{4})")
START = re.compile(r"format\s*=")
SPLITTERS = re.compile("[\x7f\x85\u2028\u2029]")
"""What TOML refuses or `splitlines` splits at, and JSON leaves as it is."""


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
    if names is not None:
        names = check_names("names", names, game.config.players)
    head = "\n".join(_header_lines(game, names))
    lines = [f"{head}\nheader_check = {json.dumps(_check('', head))}", "---"]
    check = ""
    for text in _body(game):
        check = _check(check, text)
        lines.append(f"{text} ~{check}")
    return "\n".join(lines) + "\n"


def _header_lines(game: Game, names: Sequence[str] | None) -> Iterator[str]:
    yield f"format = {FORMAT}"
    plain = GameConfig(players=game.config.players).to_dict()
    for name, value in game.config.to_dict().items():
        if name in ("edition", "board", "players") or value != plain[name]:
            yield f"{name} = {_toml(value)}"
    if names is not None:
        yield f"names = {_toml(names)}"
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
        return "{" + ", ".join(f"{_toml(str(key))} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    text = json.dumps(value, ensure_ascii=False)
    return SPLITTERS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def walk(game: Game) -> Iterator[tuple[Game, int]]:
    """A game from its start: before each decision the game as it stood, and the action played then.

    It is one and the same Game that moves on; who wants to keep it clones it. After the last pair it stands as
    `game` does.
    """
    replay = Game.from_states(game.board, game._start)
    for index, action in enumerate(game._actions):
        if game._draws is not None:
            prepare_draws(replay, action, game._draws.get(index, ()))
        yield replay, action
        replay.play(action)


def _body(game: Game) -> Iterator[str]:
    for index, (past, action) in enumerate(walk(game)):
        yield f"R{past.round_number} {past.phase} p{past.player} {past.words(action)}"
        for card in (game._draws or {}).get(index, ()):
            yield f"draw {card_word(card)}"
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
    if not isinstance(text, str):
        raise RecordError(f"line {first_line}: a {type(text).__name__}; allowed: the text of a record (str)")
    lines = text.splitlines()
    if "---" not in [line.strip() for line in lines]:
        raise RecordError(f"line {first_line}: no line '---' ends the header")
    head = [line.strip() for line in lines].index("---")
    game, names = _open(lines[:head], first_line)
    game.names = names
    decisions = list(_decision_lines(lines[head + 1 :], first_line + head + 1))
    is_ours = any(line.startswith("header_check") for line in lines[:head])
    if is_ours and decisions and decisions[-1].check is None and not text.endswith("\n"):
        last = decisions[-1]
        raise RecordError(f"line {last.number}: {last.text!r} seems cut: no checksum, and no end of the line")
    _play(game, decisions)
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
    start = header.get("position", {})
    if not isinstance(start, dict):
        raise RecordError(f"line {first_line}: position is {start!r}; allowed: a table [position]")
    given = header.get("header_check") or start.pop("header_check", None)  # it stands last, so in the table
    if given is not None and given != _check("", plain):
        raise RecordError(
            f"line {first_line}: the header does not fit its checksum {given!r}: something in it was changed"
        )
    settings = {name: header[name] for name in GameConfig.__dataclass_fields__ if name in header}
    known = {"format", "header_check", "seed", "position", "names", *settings}
    unknown = sorted(set(header) - known)
    if unknown:
        raise RecordError(
            f"line {first_line}: no header key {unknown[0]!r}; allowed: {', '.join(sorted(known))}"
        )
    names = None
    if ("seed" in header) == ("position" in header):
        raise RecordError(f"line {first_line}: the header needs either seed or [position]")
    try:
        config = GameConfig(**settings)
        if "names" in header:
            names = check_names("names", header["names"], config.players)
        if "seed" in header:
            return Game(config, seed=header["seed"]), names
        hidden_stack = start.get("stack") == UNKNOWN
        if hidden_stack:
            start["stack"] = cards_not_on_show(start, config)
        game = Game.from_position(start, **settings)
        game._draws = {} if hidden_stack else None
        return game, names
    except ValueError as error:
        raise RecordError(f"line {first_line}: {error}") from None


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
    if card == STEP_3_WORD:
        return STEP_3_CARD
    if not (card.isascii() and card.isdigit() and len(card) <= 4):
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
            prepare_draws(game, action, draws)
            game._draws[len(game._actions)] = tuple(draws)
        game.play(action)
    except ValueError as error:
        raise RecordError(f"line {line.number}: {error}") from None
