"""A policy that reads the table as a player does: the same weights look at every seat, city and plant.

One small network reads each row of entities.py. What it found about a city scores the action that builds there, and what it
found about a place of the market the one that nominates there; all of it together goes into a trunk.

Behind the observation an advisor's answer may stand, 1 at its action: the logits then begin at that answer, and what is
learnt is where to leave it (residual policy learning, Silver et al. 2018).
"""

from itertools import pairwise
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from agents.learned.entities import Entities
from powergrid_env.constants import NUM_NOMINATE
from powergrid_env.layout import NUM_SLOTS

PLANT, PLACE, CITY = 12, 12, 8  # numbers found about each
SEAT = 32
CITY_HIDDEN, PLANT_HIDDEN = 16, 16
VALUE_HIDDEN = 64
TRUST = 5.0  # in the advisor's action, as a logit, before anything is learnt


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
        num_advice = found.num_actions if found.advice else 0
        super().__init__(observation_space, layers[-1] + num_places * PLACE + num_cities * CITY + num_advice)
        self.found, self.width = found, layers[-1]
        for name in ("general", "seats", "places", "cities", "plants"):
            index = torch.from_numpy(getattr(found, name).reshape(-1))
            self.register_buffer(f"{name}_at", index, persistent=False)

        def stack(*widths: int) -> nn.Sequential:
            """Linear layers, each with its nonlinearity."""
            return nn.Sequential(
                *(part for pair in pairwise(widths) for part in (nn.Linear(*pair), activation()))
            )

        self.plant = stack(found.plants.shape[1], PLANT_HIDDEN, PLANT)
        self.seat = stack(found.seats.shape[1] + PLANT, SEAT, SEAT)
        self.place = stack(found.places.shape[1] + PLANT, PLACE)
        self.city = stack(found.cities.shape[1], CITY_HIDDEN, CITY)
        self.other_plants = [
            row
            for row in range(len(found.plants))
            if not found.seat_plants <= row < found.seat_plants + num_seats * NUM_SLOTS
            and not found.place_plants <= row < found.place_plants + num_places
        ]
        width = len(found.general) + 3 * SEAT + num_places * PLACE + len(self.other_plants) * PLANT + 2 * CITY
        self.trunk = stack(width, *layers)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Observations `(N, D)`, or `(N, D + A)` with advice, to `(N, layers[-1] + 8 * PLACE + C * CITY [+ A])`."""
        count, found = len(observations), self.found
        plants = self.plant(self._rows(observations, "plants", len(found.plants)))
        first, num_seats = found.seat_plants, len(found.seats)
        owned = plants[:, first : first + num_seats * NUM_SLOTS].view(count, num_seats, NUM_SLOTS, PLANT)
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
        parts = [trunk, places, cities.flatten(1)]
        if found.advice:
            parts.append(observations[:, found.advice :])
        return torch.cat(parts, 1)

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
        self.trust = nn.Parameter(torch.tensor(TRUST)) if found.advice else None

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """`(N, F)` to `(N, A)`."""
        found, num_places = self.found, len(self.found.places)
        widths = [self.width, num_places * PLACE, len(found.cities) * CITY]
        trunk, places, cities, advice = torch.split(
            features, [*widths, features.shape[1] - sum(widths)], dim=1
        )
        about_places, about_cities = torch.split(self.question(trunk).unsqueeze(2), [PLACE, CITY], dim=1)
        nominate = torch.bmm(places.reshape(len(trunk), -1, PLACE), about_places).squeeze(2)
        build = torch.bmm(cities.reshape(len(trunk), -1, CITY), about_cities).squeeze(2)
        logits: torch.Tensor = (
            self.all(trunk)
            + _spread(nominate[:, :NUM_NOMINATE], found.nominate, found.num_actions)
            + _spread(build, found.build, found.num_actions)
        )
        if self.trust is not None:
            logits = logits + self.trust * advice
        return logits


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
        value: torch.Tensor = self.layers(features[:, : self.width])
        return value


class EntityPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy with an EntityExtractor and heads that know what it gives."""

    def _build(self, lr_schedule: Any) -> None:
        self._build_mlp_extractor()  # nothing between extractor and heads
        assert isinstance(self.features_extractor, EntityExtractor)
        found, width = self.features_extractor.found, self.features_extractor.width
        self.action_net = EntityActions(found, width)
        self.value_net: nn.Module = EntityValue(width, self.activation_fn)  # type: ignore[assignment]  # SB3 says Linear, and calls it only
        for module, gain in ((self.features_extractor, 2**0.5), (self.action_net, 0.01), (self.value_net, 1)):
            for part in module.modules():
                self.init_weights(part, gain)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)  # type: ignore[call-arg]  # as SB3 does; the base class takes no lr
