"""Capacities, sentinels and the names of everything that has a name on the table."""

from enum import IntEnum

# Capacities: constants of the compiled program, so that one program serves every board.
MAX_PLAYERS = 6
MAX_PLANTS = 5  # four, and the new one before the scrap (R2.30)
MAX_CITIES = 64
MAX_ZONES = 24  # contiguous choices of regions
MAX_REGIONS = 8
MAX_MARKET = 8
MAX_STACK = 44
MAX_REMOVED = 8
MAX_RAISES = 101
NUM_RESOURCES = 4
NUM_SPACES = 3  # house spaces of a city, 10, 15 and 20 Elektro (RC.6)
TEN, FIFTEEN, TWENTY = range(NUM_SPACES)  # the spaces by their price
NUM_PLANT_NUMBERS = 52
MAX_TOKENS = 24
MAX_INCOME_CITIES = 20

STEP_3_CARD = 51  # above every plant number: "counts as the highest" (R2.23, R6.21)
NOBODY = -1  # no seat; a free house space
TRUST = 6  # owner of a Trust house; never a seat
TRUST_PLANT_LIMIT = 3  # RT.1
NO_PLANT = 0
NO_PATH = 30000  # connection cost where no route stays inside the zone (R4.7)
HYBRID_ROOM = 4  # last column of `fuel_capacity`: room shared by coal and oil (R3.3)

NO_RUN = -1  # `pending_run` while no hybrid waits for its mix

# Rows of the action table; the blocks behind `raises` and cities move, see actions.py.
PASS = 0
FIRST_NOMINATE = 1
NUM_NOMINATE = 6
FIRST_BID = FIRST_NOMINATE + NUM_NOMINATE
NUM_SCRAP = 4
NUM_GIVE_UP = 2
MAX_BUY = 6
NUM_BUY = NUM_RESOURCES * MAX_BUY
NUM_RUN = 16
NUM_BURN = 10


class Phase(IntEnum):
    """Parts of a game in the order in which they come; phase 1 of the rulebook has no decisions."""

    TRUST_SETUP = 0
    START_CITIES = 1
    AUCTION = 2
    RESOURCES = 3
    BUILDING = 4
    BUREAUCRACY = 5
    OVER = 6


class Decision(IntEnum):
    """What the player to act is asked."""

    PLACE = 0  # a Trust start house (RT.4)
    MARK = 1  # a start city (RS.1)
    CHOOSE = 2  # nominate or pass (R2.2)
    BID = 3
    SCRAP = 4
    GIVE_UP = 5
    BUY = 6
    BUILD = 7
    RUN = 8
    BURN = 9
    NONE = 10


class Resource(IntEnum):
    """The four kinds of tokens; columns of every fuel array."""

    COAL = 0
    OIL = 1
    GARBAGE = 2
    URANIUM = 3


class PlantKind(IntEnum):
    """What a plant burns. Fusion (50) is an ecological plant for all rules."""

    COAL = 0
    OIL = 1
    GARBAGE = 2
    URANIUM = 3
    HYBRID = 4
    ECO = 5
    ABSENT = 6  # no such card in this deck


class Step(IntEnum):
    """The three Steps of the game (section 9 of RULES.md)."""

    ONE = 1
    TWO = 2
    THREE = 3


class Step3Card(IntEnum):
    """Where the Step 3 card is (R6.20-R6.24)."""

    IN_STACK = 0
    IN_MARKET = 1  # drawn in phase 2, lies as the highest plant (R6.21)
    DRAWN = 2  # has left the game, its Step starts with the next phase or round
    IN_FORCE = 3


class EndReason(IntEnum):
    """Why a game is over."""

    RUNNING = 0
    CITIES = 1  # R7.1
    MAX_ROUNDS = 2  # the safety cap, no rule (R7.4)


class Reward(IntEnum):
    """How the end of a game is paid (rewards.py)."""

    WIN = 0
    RANK = 1
    MARGIN = 2
