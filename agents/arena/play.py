"""A tournament: blocks in chunks, a chunk per batch of games, chunks over processes, each kept as soon as it is done."""

import hashlib
import json
import multiprocessing
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from agents import registry
from agents.arena.referee import Referee
from agents.arena.results import check_path, read_results, rows_of, write_results
from agents.arena.schedule import Block, blocks
from agents.base import Agent
from agents.progress import bar
from powergrid_env._files import replacing
from powergrid_env.batch import GameBatch
from powergrid_env.config import GameConfig

GAMES_PER_CHUNK = 240


@dataclass(frozen=True)
class Plan:
    """All that a chunk's results follow from.

    Attributes:
        agents: names, or agents themselves.
        config: what is played.
        seed: seed of decks and agents.
        seconds_per_move: time limit, None for none.
    """

    agents: tuple[str | Agent, ...]
    config: GameConfig
    seed: int
    seconds_per_move: float | None

    @property
    def names(self) -> list[str]:
        """Names of the agents with their parameters."""
        return [agent if isinstance(agent, str) else agent.name for agent in self.agents]


@dataclass(frozen=True)
class Chunk:
    """Blocks that are played in one batch, and the number of their first game."""

    number: int
    blocks: tuple[Block, ...]
    first_game: int

    @property
    def num_games(self) -> int:
        """Games of all its blocks."""
        return sum(len(block.seats) for block in self.blocks)


def tournament(
    agents: Sequence[str | Agent],
    config: GameConfig | None = None,
    games: int = 1000,
    seed: int = 0,
    out: str | Path | None = None,
    seconds_per_move: float | None = None,
    processes: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Play a tournament and return its table of results (`results.COLUMNS`).

    The same arguments give the same table, whatever `processes`, as long as no agent depends on time. With `out` the
    finished chunks are kept in a folder beside the file, and a tournament that was killed goes on from there.

    Args:
        agents: names as for `agents.make`, or agent objects (these for one process only).
        config: what is played.
        games: at least so many; rounded up to whole blocks.
        seed: seed of decks and agents.
        out: file for the table, .csv or .parquet.
        seconds_per_move: an agent that takes longer for a move forfeits the game.
        processes: how many share the work.
        progress: show a bar.

    Raises:
        ValueError: an unknown agent or a wrong argument, before anything is played.
    """
    config = config or GameConfig()
    if not agents:
        raise ValueError("agents is empty; allowed: at least one agent")
    for name, value in (("games", games), ("processes", processes)):
        if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 1:
            raise ValueError(f"{name} is {value!r}; allowed: a whole number from 1")
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"seed is {seed!r}; allowed: a whole number from 0")
    if seconds_per_move is not None and not seconds_per_move > 0:
        raise ValueError(f"seconds_per_move is {seconds_per_move!r}; allowed: above 0, or None")
    if processes > 1 and not all(isinstance(agent, str) for agent in agents):
        raise ValueError("processes is above 1; allowed: with agents given by name")
    plan = Plan(tuple(agents), config, int(seed), seconds_per_move)
    for agent in agents:
        if isinstance(agent, str):
            registry.make(agent)
    chunks = list(_chunks(blocks(plan.names, config.players, int(games), int(seed))))
    store = _Store(plan, chunks, Path(out) if out else None)
    todo = [chunk for chunk in chunks if not store.has(chunk)]
    done = sum(chunk.num_games for chunk in chunks) - sum(chunk.num_games for chunk in todo)
    with bar("games", done + sum(chunk.num_games for chunk in todo), done, shown=progress) as advance:
        for chunk, table in _play_all(plan, todo, processes):
            store.keep(chunk, table)
            advance(chunk.num_games)
    return store.finish()


def play_chunk(plan: Plan, chunk: Chunk) -> pd.DataFrame:
    """Play one chunk; its agents are reset with seeds of this chunk, so chunks may be played in any order."""
    agents = [registry.make(agent) if isinstance(agent, str) else agent for agent in plan.agents]
    for entrant, agent in enumerate(agents):
        agent.reset(int(np.random.SeedSequence([plan.seed, chunk.number, entrant]).generate_state(1)[0]))
    played: list[tuple[Block, int, tuple[int, ...]]] = []
    for block in chunk.blocks:
        for seats in block.seats:
            played.append((block, chunk.first_game + len(played), seats))
    game_seeds = np.array([block.game_seed for block, _, _ in played], np.int64)
    batch = GameBatch(plan.config, num_games=len(played), seed=game_seeds, autoreset=False)
    referee = Referee(batch, np.array([seats for _, _, seats in played]), agents, plan.seconds_per_move)
    referee.play()
    return rows_of(batch, played, plan.names, referee.forfeits, plan.seed)


def _chunks(schedule: list[Block]) -> Iterator[Chunk]:
    number, first_game, taken = 0, 0, list[Block]()
    for block in schedule:
        taken.append(block)
        size = sum(len(one.seats) for one in taken)
        if size >= GAMES_PER_CHUNK or block is schedule[-1]:
            yield Chunk(number, tuple(taken), first_game)
            number, first_game, taken = number + 1, first_game + size, []


def _play_all(plan: Plan, chunks: list[Chunk], processes: int) -> Iterator[tuple[Chunk, pd.DataFrame]]:
    if processes == 1 or len(chunks) < 2:
        for chunk in chunks:
            yield chunk, play_chunk(plan, chunk)
        return
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(chunks)), mp_context=fresh) as pool:
        running = {pool.submit(play_chunk, plan, chunk): chunk for chunk in chunks}
        for future in as_completed(running):
            yield running[future], future.result()


class _Store:
    """Finished chunks, in memory or as files in a folder `<out>.parts` with the plan they belong to."""

    def __init__(self, plan: Plan, chunks: list[Chunk], out: Path | None) -> None:
        self.chunks = chunks
        self.out = out
        self.tables: dict[int, pd.DataFrame] = {}
        if out is None:
            return
        check_path("out", out)
        self.folder = out.with_name(out.name + ".parts")
        note = self.folder / "plan.json"
        text = json.dumps(
            {"agents": plan.names, "seed": plan.seed, "seconds_per_move": plan.seconds_per_move}
            | {"config": plan.config.to_dict(), "schedule": _digest(chunks)},
            indent=1,
        )
        if note.is_file() and note.read_text(encoding="utf-8") != text:
            raise ValueError(
                f"{self.folder} holds parts of another tournament; remove it, or choose another file"
            )
        with replacing(note) as draft:
            draft.write_text(text, encoding="utf-8")
        for chunk in chunks:
            if self._path(chunk).is_file():
                self.tables[chunk.number] = read_results(self._path(chunk))

    def has(self, chunk: Chunk) -> bool:
        return chunk.number in self.tables

    def keep(self, chunk: Chunk, table: pd.DataFrame) -> None:
        self.tables[chunk.number] = table
        if self.out is not None:
            write_results(table, self._path(chunk))

    def finish(self) -> pd.DataFrame:
        """All chunks in order, written to `out`; the folder goes."""
        table = pd.concat([self.tables[chunk.number] for chunk in self.chunks], ignore_index=True)
        if self.out is not None:
            write_results(table, self.out)
            shutil.rmtree(self.folder)
        return table

    def _path(self, chunk: Chunk) -> Path:
        return self.folder / f"part_{chunk.number:05d}.parquet"


def _digest(chunks: list[Chunk]) -> str:
    return hashlib.sha256(repr(chunks).encode()).hexdigest()[:16]
