"""TrainSettings: everything that shapes a training run, declared once; it is the command line and run.toml."""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.game_config import make_config

if TYPE_CHECKING:
    from powergrid_env import GameConfig

RUN_FILE = "run.toml"


def setting(default: Any, meaning: str) -> Any:
    """A field with its default and the line of help that explains it."""
    return field(default=default, metadata={"help": meaning})


@dataclass(frozen=True)
class TrainSettings:
    """Settings of a run; checked when made.

    Raises:
        ValueError: names the field, what was given and what is allowed.
    """

    # the game
    players: int = setting(3, "Seats, 2 to 6; the learner has one, drawn anew each game.")
    edition: str = setting("recharged", "recharged or 2004.")
    board: str = setting("germany", "germany, usa, or a folder with cities.csv and edges.csv.")
    regions: str = setting("", 'Regions of the zone, as "red blue cyan"; drawn by the seed if left out.')
    rulings: str = setting("", 'Rulings other than those in force, as "fuel=pool tie_break=money".')
    money: str = setting("public", "public or hidden: what the learner sees of the others' money.")
    skip_forced: bool = setting(True, "Play decisions with a single answer without asking the learner.")
    # the field
    opponents: str = setting(
        "random face_value",
        "Bots; every other seat of every game draws one of them. `self` is the learner's past.",
    )
    # the reward
    reward: str = setting("win", "win, rank or margin: what the end of a game pays.")
    shaping: float = setting(
        0.0, "Weight of the potential (supplied cities of those that end the game); 0 is none."
    )
    # the network
    kind: str = setting(
        "flat", "flat: one layer reads everything; entities: shared weights read each seat, city and plant."
    )
    network: str = setting(
        "128 128", "Hidden layers; of flat, policy and value share the first one, of entities all."
    )
    activation: str = setting("tanh", "tanh or relu.")
    advisor: str = setting(
        "", "Bot whose answer the network sees and starts from, for the kind entities; none if left out."
    )
    warm_start: str = setting(
        "", "Model to begin with, as of `powergrid imitate`; its network has to be the same."
    )
    # learning
    steps: int = setting(
        1_000_000, "Decisions of the learner in all, rounded up to whole rollouts of all lanes."
    )
    lanes: int = setting(256, "Games played at once, one forward pass for all.")
    rollout: int = setting(64, "Decisions per lane between two updates.")
    batch: int = setting(2048, "Decisions per gradient step.")
    epochs: int = setting(4, "Passes over what a rollout brought.")
    learning_rate: float = setting(
        1e-3, "Step of Adam at the start; it falls in a line to a tenth at the end."
    )
    clip: float = setting(0.2, "How far one update may move the policy.")
    entropy: float = setting(0.01, "Weight of the entropy bonus.")
    gae_lambda: float = setting(0.95, "How far advantages look ahead: 0 one decision, 1 the whole game.")
    critic_first: int = setting(0, "Decisions at the start in which the value alone learns.")
    gamma: float = setting(1.0, "Discount per decision; 1, as a game is won or lost as a whole.")
    # the run
    seed: int = setting(1, "Where all chance comes from.")
    threads: int = setting(1, "Threads for the games and for the network.")
    games: int = setting(1000, "Games per field of the table at the end; 0 leaves it out.")
    checkpoint: int = setting(250_000, "Decisions between two checkpoints.")
    examine: int = setting(
        20, "Games against each bot of the field at a checkpoint, for the curves; 0 plays none."
    )
    out: str = setting("", "Folder of the run; runs/<name of the settings> if left out.")

    def __post_init__(self) -> None:
        for name in ("steps", "lanes", "rollout", "batch", "epochs", "threads", "checkpoint"):
            self._check(name, lambda value: value >= 1, "a whole number from 1")
        for name in ("games", "examine", "shaping", "entropy", "critic_first"):
            self._check(name, lambda value: value >= 0, "0 or more")
        self._check("seed", lambda value: 0 <= value < 2**32, "0 to 2**32 - 1")
        for name in ("gamma", "gae_lambda"):
            self._check(name, lambda value: 0 <= value <= 1, "0 to 1")
        for name in ("learning_rate", "clip"):
            self._check(name, lambda value: 0 < value <= 1, "above 0, at most 1")
        self._check("network", lambda text: bool(_layers(text)), 'sizes of layers from 1, as "256 256"')
        self._check("kind", lambda name: name in ("flat", "entities"), "flat, entities")
        self._check(
            "advisor", lambda name: not name or self.kind == "entities", "one with the kind entities alone"
        )
        self._check("activation", lambda name: name in ("tanh", "relu"), "tanh, relu")
        self._check("opponents", lambda text: bool(text.split()), "names of bots, separated by blanks")

    def _check(self, name: str, is_allowed: Callable[[Any], bool], allowed: str) -> None:
        value = getattr(self, name)
        if not is_allowed(value):
            raise ValueError(f"{name} is {value!r}; allowed: {allowed}")

    @property
    def layers(self) -> list[int]:
        """Sizes of the hidden layers."""
        return _layers(self.network)

    @property
    def opponent_names(self) -> list[str]:
        """Names of the bots in the field."""
        return self.opponents.split()

    @property
    def folder(self) -> Path:
        """Folder of the run."""
        if self.out:
            return Path(self.out)
        return Path("runs") / f"{self.edition}-{Path(self.board).name}-{self.players}p-seed{self.seed}"

    def config(self) -> "GameConfig":
        """The game that is played."""
        return make_config(
            self.players,
            self.edition,
            self.board,
            self.regions,
            self.rulings,
            money=self.money,
            reward=self.reward,
            skip_forced=self.skip_forced,
        )


def _layers(text: str) -> list[int]:
    sizes = text.replace(",", " ").split()
    return [int(size) for size in sizes] if all(size.isdigit() and int(size) for size in sizes) else []


def write_run(folder: Path, settings: TrainSettings, **tables: Mapping[str, Any]) -> None:
    """Write run.toml: `[settings]`, then one table for each keyword. The file is replaced in one move."""
    from powergrid_env._files import replacing  # not at the top: --help is quick without numba

    lines = []
    for name, table in {"settings": asdict(settings), **tables}.items():
        lines.append(f"[{name}]")
        lines += [f"{key} = {_toml(value)}" for key, value in table.items()]
        lines.append("")
    with replacing(folder / RUN_FILE) as draft:
        draft.write_text("\n".join(lines), "utf-8")


def read_run(folder: Path) -> tuple[TrainSettings, dict[str, Any]]:
    """The settings of a run and the whole of its run.toml.

    Raises:
        ValueError: no run.toml there, or one that cannot be read; names the file.
    """
    path = folder / RUN_FILE
    if not path.is_file():
        raise ValueError(f"{folder} is no run; a run is a folder with {RUN_FILE}")
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
        known = {item.name for item in fields(TrainSettings)}
        unknown = sorted(set(tables["settings"]) - known)
        if unknown:
            raise ValueError(f"no setting {unknown[0]!r}; known: {', '.join(sorted(known))}")
        return TrainSettings(**tables["settings"]), tables
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


def _toml(value: object) -> str:
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return json.dumps(value, ensure_ascii=False)
