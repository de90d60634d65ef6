"""Colours and words of the pictures, fit for all colour vision: what is coloured also has a shape or a name.

Seats and fuels follow the palette of Okabe and Ito; regions are pale tints that houses stand out on.
"""

from powergrid_env.constants import Resource

SEATS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#f0e442", "#222222")
LINES = (*SEATS[:4], "#b3a200", SEATS[5])
"""The same for thin lines on white, where yellow would be lost."""
SEAT_INK = ("#ffffff", "#ffffff", "#ffffff", "#000000", "#000000", "#ffffff")
TRUST, TRUST_INK = "#9a9a9a", "#000000"
REGIONS = {
    "purple": "#e4d7f1",
    "cyan": "#cdeef3",
    "yellow": "#f8efb4",
    "red": "#f9d3cb",
    "brown": "#e3d3bd",
    "green": "#d5ecc6",
    "blue": "#cfdff7",
}
OTHER_REGIONS = ("#e4d7f1", "#cdeef3", "#f8efb4", "#f9d3cb", "#e3d3bd", "#d5ecc6", "#cfdff7", "#eadfe6")
"""Tints for regions of a custom board whose names are no colours, in turn."""
OUTSIDE = "#eeeeee"
FUELS = {
    Resource.COAL: "#6b4f3a",
    Resource.OIL: "#111111",
    Resource.GARBAGE: "#e0a100",
    Resource.URANIUM: "#c8102e",
}
ECO = "#2e8b3d"
ACCENT = "#b30059"
PHASES = {
    "trust_setup": "setup of the Trust",
    "start_cities": "start cities",
    "auction": "phase 2, auction",
    "resources": "phase 3, resources",
    "building": "phase 4, building",
    "bureaucracy": "phase 5, bureaucracy",
    "over": "game over",
}


def region_tint(name: str, index: int) -> str:
    """Tint of a region of the zone, by its name or else in turn."""
    return REGIONS.get(name, OTHER_REGIONS[index % len(OTHER_REGIONS)])
