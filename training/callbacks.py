"""What goes on beside learning: the bar, the curves, the checkpoints, and stopping in good order."""

import signal
import sys
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback

WINDOW = 500  # games that a running win share looks back on


class ProgressBar(BaseCallback):
    """Shows the learner's decisions and its running win share: a bar in a terminal, ten lines elsewhere.

    Args:
        total: decisions in all.
        note: text behind the bar, asked after each rollout.
    """

    def __init__(self, total: int, note: Callable[[], str]) -> None:
        super().__init__()
        self.total = total
        self.note = note
        self.console = Console(stderr=True)
        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
        )
        quiet = not self.console.is_terminal
        self.bar = Progress(
            TextColumn("training"), *columns, console=self.console, transient=True, disable=quiet
        )
        self.task = self.bar.add_task("training", total=total, note="")

    def _on_training_start(self) -> None:
        self.tenths = 10 * self.num_timesteps // self.total
        self.bar.start()

    def _on_step(self) -> bool:
        self.bar.update(self.task, completed=self.num_timesteps)
        return True

    def _on_rollout_end(self) -> None:
        note = self.note()
        self.bar.update(self.task, note=note)
        tenths = 10 * self.num_timesteps // self.total
        if not self.console.is_terminal and tenths > self.tenths:
            print(f"{self.num_timesteps:,} of {self.total:,} decisions, {note}", file=sys.stderr)
        self.tenths = tenths

    def _on_training_end(self) -> None:
        self.bar.stop()


class CriticFirst(BaseCallback):
    """Lets the value alone learn at the start: advantages by a value that knows nothing would spoil a policy that knows something.

    Args:
        decisions: until then, the last layer of the policy stays as it is.
    """

    def __init__(self, decisions: int) -> None:
        super().__init__()
        self.decisions = decisions

    def _on_rollout_start(self) -> None:
        for weights in self.model.policy.action_net.parameters():
            weights.requires_grad = self.num_timesteps >= self.decisions

    def _on_step(self) -> bool:
        return True


class GameCurves(BaseCallback):
    """Counts the games that end while training, and logs them by opponent.

    Args:
        count_member: told the name of each opponent and the learner's win share.

    Attributes:
        shares: running win shares of the learner: in all games (""), and by bot that sat in the game.
    """

    def __init__(self, count_member: Callable[[str, float], None]) -> None:
        super().__init__()
        self.count_member = count_member
        self.shares: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=WINDOW))
        self.rounds: deque[int] = deque(maxlen=WINDOW)
        self.games = 0
        self.illegal_actions = 0

    def _on_step(self) -> bool:
        for lane in np.flatnonzero(self.locals["dones"]):
            self.count(self.locals["infos"][lane])
        return True

    def count(self, info: dict[str, Any]) -> None:
        """Count one game by the info of its last step."""
        result, seat = info["result"], info["learner_seat"]
        share = 1 / len(result["winners"]) if seat in result["winners"] else 0.0
        self.games += 1
        self.illegal_actions += info["illegal_actions"]
        self.rounds.append(result["rounds"])
        self.shares[""].append(share)
        for name in set(info["opponents"]):
            self.shares[name.split("@")[0]].append(share)  # snapshots of the learner together
            self.count_member(name, share)

    def note(self) -> str:
        """The running win share in words."""
        return f"win share {np.mean(self.shares['']):.2f}" if self.games else "no game is over yet"

    def _on_rollout_end(self) -> None:
        if not self.games:
            return
        self.logger.record("games/played", self.games)
        self.logger.record("games/illegal_actions", self.illegal_actions)
        self.logger.record("games/rounds", float(np.mean(self.rounds)))
        for name, shares in self.shares.items():
            label = f"win_share/with_{name}" if name else "win_share/all"
            self.logger.record(label, float(np.mean(shares)))

    def state(self) -> dict[str, Any]:
        """The counters as plain data."""
        shares = {name: list(values) for name, values in self.shares.items()}
        return {
            "shares": shares,
            "rounds": list(self.rounds),
            "games": self.games,
            "illegal": self.illegal_actions,
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Take back what `state` gave."""
        for name, values in state["shares"].items():
            self.shares[name].extend(values)
        self.rounds.extend(state["rounds"])
        self.games = state["games"]
        self.illegal_actions = state["illegal"]


class Checkpoints(BaseCallback):
    """Calls `save` between two rollouts, every so many decisions, at the end, and when the run is asked to stop.

    Args:
        every: decisions between two checkpoints.
        save: what writes one.
        stop: tells whether the run is asked to stop; it then ends once the running update is done and saved.
    """

    def __init__(self, every: int, save: Callable[[], None], stop: "StopSignal") -> None:
        super().__init__()
        self.every = every
        self.save = save
        self.stop = stop
        self._goes_on = True

    def _on_training_start(self) -> None:
        self.last = self.num_timesteps

    def _on_rollout_start(self) -> None:
        self._goes_on = not self.stop.is_set
        if self.stop.is_set or self.num_timesteps - self.last >= self.every:
            self.last = self.num_timesteps
            self.save()

    def _on_step(self) -> bool:
        return self._goes_on

    def _on_training_end(self) -> None:
        if self._goes_on:
            self.save()
            self.logger.dump(self.num_timesteps)


class StopSignal:
    """Within `with`, the first Ctrl-C sets `is_set` and says so; the second one interrupts."""

    def __init__(self) -> None:
        self.is_set = False

    def __enter__(self) -> Self:
        self._catches = threading.current_thread() is threading.main_thread()
        if self._catches:
            self._before = signal.signal(signal.SIGINT, self._stop)
        return self

    def __exit__(self, *error: object) -> None:
        if self._catches:
            signal.signal(signal.SIGINT, self._before)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.is_set = True
        print("stopping after this update; Ctrl-C again stops at once", file=sys.stderr)
        signal.signal(signal.SIGINT, signal.default_int_handler)
