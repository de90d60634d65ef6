"""A policy that reads the table as a player does: the same weights look at every seat, city and plant.

The observation names its pieces by axes (layout.py). All numbers about one city make a row, and one small network reads
each row; so it is with seats, with places of the plant market, and with plants wherever they lie. What it found about a
city then scores the action that builds there, and what it found about a place the one that nominates there.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from powergrid_env.actions import ActionTable
from powergrid_env.board import Board
from powergrid_env.constants import NUM_NOMINATE
from powergrid_env.layout import layout

Indices = npt.NDArray[np.int64]

PLANT, PLACE, CITY = 12, 12, 12  # numbers found about each
SEAT = 32
CITY_HIDDEN, PLANT_HIDDEN = 24, 16
VALUE_HIDDEN = 64


class Entities(NamedTuple):
    """Where an observation `(D,)` speaks of what, as indices into it, and which actions belong to it.

    Attributes:
        general: `(G,)` the numbers that belong to none of the others.
        seats: `(6, S)` a row per seat, the observer first.
        places: `(8, M)` a row per place of the plant market, without the plant there.
        cities: `(C, K)` a row per city.
        plants: `(R, 9)` a row per plant: those of the seats, of the places, and others.
        seat_plants, place_plants: first row of theirs among `plants`.
        nominate, build: first action of the places for sale and of the cities.
        num_actions: `A`.
    """

    general: Indices
    seats: Indices
    places: Indices
    cities: Indices
    plants: Indices
    seat_plants: int
    place_plants: int
    nominate: int
    build: int
    num_actions: int


def entities(board: Board) -> Entities:
    """The entities of a board's observation and action table."""
    rows: dict[str, list[Indices]] = {"": [], "seat": [], "place": [], "city": [], "feature": []}
    plant_rows: dict[str, int] = {}
    for piece in layout(board):
        where = np.arange(piece.slice.start, piece.slice.stop).reshape(piece.shape)
        if "city" in piece.axes:
            rows["city"].append(where.reshape(-1, piece.shape[-1]).T)
        elif "feature" in piece.axes:
            plant_rows[piece.name] = sum(map(len, rows["feature"]))
            rows["feature"].append(where.reshape(-1, piece.shape[-1]))
        elif piece.axes and piece.axes[0] in ("seat", "place"):
            rows[piece.axes[0]].append(where.reshape(piece.shape[0], -1))
        else:
            rows[""].append(where.reshape(-1))
    table = ActionTable(board)
    return Entities(
        general=np.concatenate(rows[""]),
        seats=np.concatenate(rows["seat"], axis=1),
        places=np.concatenate(rows["place"], axis=1),
        cities=np.concatenate(rows["city"], axis=1),
        plants=np.concatenate(rows["feature"]),
        seat_plants=plant_rows["plants"],
        place_plants=plant_rows["market"],
        nominate=table.encode("nominate"),
        build=table.encode("city"),
        num_actions=table.count,
    )


class EntityExtractor(BaseFeaturesExtractor):
    """From an observation to one vector: what the trunk makes of everything, then each place's and each city's own numbers.

    Args:
        observation_space: `(D,)`.
        found: where the observation speaks of what.
        layers: widths of the trunk.
        activation: class of the nonlinearity.
    """

    def __init__(
        self, observation_space: spaces.Box, found: Entities, layers: list[int], activation: type[nn.Module]
    ) -> None:
        num_seats, num_places, num_cities = len(found.seats), len(found.places), len(found.cities)
        super().__init__(observation_space, layers[-1] + num_places * PLACE + num_cities * CITY)
        self.found = found
        for name in ("general", "seats", "places", "cities", "plants"):
            index = torch.from_numpy(getattr(found, name).reshape(-1))
            self.register_buffer(f"{name}_at", index, persistent=False)

        def stack(*widths: int) -> nn.Sequential:
            """Linear layers, each with its nonlinearity."""
            pairs = pairwise(widths)
            return nn.Sequential(*(part for pair in pairs for part in (nn.Linear(*pair), activation())))

        self.plant = stack(found.plants.shape[1], PLANT_HIDDEN, PLANT)
        self.seat = stack(found.seats.shape[1] + PLANT, SEAT, SEAT)
        self.place = stack(found.places.shape[1] + PLANT, PLACE)
        self.city = stack(found.cities.shape[1], CITY_HIDDEN, CITY)
        self.slots = (found.place_plants - found.seat_plants) // num_seats  # new_plant's row is left over
        self.other_plants = [
            row
            for row in range(len(found.plants))
            if not found.seat_plants <= row < found.seat_plants + num_seats * self.slots
            and not found.place_plants <= row < found.place_plants + num_places
        ]
        width = len(found.general) + 3 * SEAT + num_places * PLACE + len(self.other_plants) * PLANT + 2 * CITY
        self.trunk = stack(width, *layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """`(N, D)` to `(N, layers[-1] + 8 * PLACE + C * CITY)`."""
        count, found = len(observations), self.found
        plants = self.plant(self._rows(observations, "plants", len(found.plants)))
        first, num_seats = found.seat_plants, len(found.seats)
        owned = plants[:, first : first + num_seats * self.slots].view(count, num_seats, self.slots, PLANT)
        seats = self.seat(torch.cat([self._rows(observations, "seats", num_seats), owned.sum(2)], 2))
        on_display = plants[:, found.place_plants : found.place_plants + len(found.places)]
        places = self.place(
            torch.cat([self._rows(observations, "places", len(found.places)), on_display], 2)
        ).flatten(1)
        cities = self.city(self._rows(observations, "cities", len(found.cities)))
        trunk = self.trunk(
            torch.cat(
                [
                    observations.index_select(1, self.get_buffer("general_at")),
                    seats[:, 0],
                    seats[:, 1:].sum(1),
                    seats[:, 1:].amax(1),
                    places,
                    plants[:, self.other_plants].flatten(1),
                    cities.mean(1),
                    cities.amax(1),
                ],
                1,
            )
        )
        return torch.cat([trunk, places, cities.flatten(1)], 1)

    def _rows(self, observations: torch.Tensor, name: str, rows: int) -> torch.Tensor:
        """`(N, rows, ...)` the numbers of one kind of entity."""
        found = observations.index_select(1, self.get_buffer(f"{name}_at"))
        return found.view(len(observations), rows, -1)


class EntityActions(nn.Module):
    """Logits `(N, A)` of what EntityExtractor gives: all from the trunk, and for places and cities their own score."""

    def __init__(self, found: Entities, width: int) -> None:
        super().__init__()
        self.found = found
        self.width = width
        self.all = nn.Linear(width, found.num_actions)
        self.question = nn.Linear(width, PLACE + CITY)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """`(N, F)` to `(N, A)`."""
        found, num_places = self.found, len(self.found.places)
        trunk, places, cities = features.split(
            [self.width, num_places * PLACE, len(found.cities) * CITY], dim=1
        )
        about_places, about_cities = self.question(trunk).unsqueeze(2).split([PLACE, CITY], dim=1)
        nominate = torch.bmm(places.reshape(len(trunk), -1, PLACE), about_places).squeeze(2)
        build = torch.bmm(cities.reshape(len(trunk), -1, CITY), about_cities).squeeze(2)
        return (
            self.all(trunk)
            + _spread(nominate[:, :NUM_NOMINATE], found.nominate, found.num_actions)
            + _spread(build, found.build, found.num_actions)
        )


def _spread(scores: torch.Tensor, first: int, num_actions: int) -> torch.Tensor:
    """Scores `(N, k)` of the actions from `first` on as `(N, A)`, 0 for all others."""
    return nn.functional.pad(scores, (first, num_actions - first - scores.shape[1]))


class EntityValue(nn.Module):
    """Value `(N, 1)` of what EntityExtractor gives, from the trunk."""

    def __init__(self, width: int, activation: type[nn.Module]) -> None:
        super().__init__()
        self.width = width
        self.layers = nn.Sequential(nn.Linear(width, VALUE_HIDDEN), activation(), nn.Linear(VALUE_HIDDEN, 1))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """`(N, F)` to `(N, 1)`."""
        return self.layers(features[:, : self.width])  # type: ignore[no-any-return]


class EntityPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy with an EntityExtractor and heads that know what it gives."""

    def _build(self, lr_schedule: Any) -> None:
        self._build_mlp_extractor()  # nothing between extractor and heads
        assert isinstance(self.features_extractor, EntityExtractor)
        found, width = self.features_extractor.found, self.features_extractor.trunk[-2].out_features
        self.action_net = EntityActions(found, int(width))
        self.value_net = EntityValue(int(width), self.activation_fn)
        for module, gain in ((self.features_extractor, 2**0.5), (self.action_net, 0.01), (self.value_net, 1)):
            for part in module.modules():
                self.init_weights(part, gain)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)
