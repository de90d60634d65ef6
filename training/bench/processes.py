"""What the machine itself gives to two threads: the batch loop in processes of their own, which share nothing."""

import multiprocessing
from multiprocessing.connection import Connection

from training.bench.batches import decisions, random_batch
from training.bench.protocol import Protocol, rate


def speeds(protocol: Protocol, processes: int) -> tuple[list[float], list[float]]:
    """Decisions per second of one process, and of `processes` at once, all together; they take turns.

    Each plays a batch with one thread. The cores of a machine share memory, caches and often more, so that even these
    are not `processes` times as quick.
    """
    context = multiprocessing.get_context("spawn")
    lines = [context.Pipe() for _ in range(processes)]
    workers = [context.Process(target=_work, args=(far, protocol.seconds), daemon=True) for _, far in lines]
    ours = [near for near, _ in lines]
    for worker in workers:
        worker.start()
    try:
        _ask(ours)
        turns = [(_ask(ours[:1]), _ask(ours)) for _ in range(protocol.repeats)]
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()
    return [one for one, _ in turns], [together for _, together in turns]


def _ask(lines: list[Connection]) -> float:
    """Let some measure at once; the sum of what they answer."""
    for line in lines:
        line.send(None)
    return sum(line.recv() for line in lines)


def _work(line: Connection, seconds: float) -> None:
    """Measure whenever asked."""
    piece = decisions(random_batch())
    piece()
    while True:
        line.recv()
        line.send(rate(piece, seconds))
