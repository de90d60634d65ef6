"""`powergrid export`: a model in its smallest form, weights and description, to keep or to give away."""

from pathlib import Path
from typing import Annotated

import typer


def export(
    model: Annotated[Path, typer.Argument(help="model.zip, or a run's folder.")],
    out: Annotated[Path, typer.Option(help="Model file to write.")],
) -> None:
    """Leave out what only training needs: the optimiser, and what stable-baselines3 pickles."""
    from agents.learned import models
    from agents.learned.policy import MODEL_FILE

    file = model / MODEL_FILE if model.is_dir() else model
    models.export(file, out)
    print(f"{out}: {out.stat().st_size / 1e6:.2f} MB, from {file} with {file.stat().st_size / 1e6:.2f} MB")
