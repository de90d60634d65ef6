"""The eight numbers that shape `balanced` and its styles: places in the settings array, ranges and meanings."""

from agents.scripted.base import Parameter

RESERVE, GREED, KEEP, FUEL, HOARD, OVERBUILD, STALL, SPOIL = range(8)

PARAMETERS = (
    Parameter("reserve", 2, 0, 80, "Elektro kept after a plant beyond its fuel and the next city"),
    Parameter("greed", 0.37, 0.1, 3, "part of a plant's worth that is bid for it"),
    Parameter("keep", 27, 0, 40, "Elektro for every city above three of a plant that may stay to the end"),
    Parameter("fuel", 1.6, 0, 4, "weight of fuel against income in the worth of a plant"),
    Parameter("hoard", 0.65, 0, 2, "part of next round's expected price that is paid for fuel to be stored"),
    Parameter("overbuild", 0.5, 0, 8, "cities built beyond what the plants supply"),
    Parameter("stall", 0, 0, 3, "hundreds of Elektro one wants to have before one starts Step 2"),
    Parameter("spoil", 0, 0, 1, "part of the bidder's worth up to which a plant one does not want is raised"),
)
