"""The action table: blocks in order, encode and decode, and ids that move only with a version."""

from itertools import pairwise

import pytest

from powergrid_env import GameConfig
from powergrid_env.actions import ActionTable, block_of
from powergrid_env.board import make_board
from powergrid_env.constants import Decision

BLOCK_OF = {
    Decision.PLACE: "city",
    Decision.MARK: "city",
    Decision.CHOOSE: "nominate",
    Decision.BID: "bid",
    Decision.SCRAP: "scrap",
    Decision.GIVE_UP: "give_up",
    Decision.BUY: "buy",
    Decision.BUILD: "city",
    Decision.RUN: "run",
    Decision.BURN: "burn",
}


def table(**fields):
    return ActionTable(make_board(GameConfig(**fields)))


def test_ids_are_fixed():
    """A new digest means new ids: raise actions.VERSION and the environment's version, then change it here."""
    assert table().digest() == "aaba164165bd48ff"
    assert table().count == 113


def test_digest_is_that_of_every_board_edition_and_player_count_but_not_of_other_raises():
    digests = {
        table(players=p, edition=e, board=b).digest()
        for p in (2, 6)
        for e in ("recharged", "2004")
        for b in ("germany", "usa")
    }
    assert digests == {table().digest()}
    assert table(raises="all").digest() != table().digest()
    assert table(raises="all").count == 113 - 8 + 101


def test_blocks_follow_one_another_and_encode_is_the_inverse_of_decode():
    for actions in (table(), table(raises=(0, 7)), table(raises="all", board="usa")):
        rows = list(actions.blocks.values())
        assert rows[0].start == 0
        assert rows[-1].stop == actions.count
        assert all(one.stop == other.start for one, other in pairwise(rows))
        for action in range(actions.count):
            assert actions.encode(*actions.decode(action)) == action
            assert actions.describe(action)


def test_compiled_blocks_are_those_of_the_table():
    for actions in (table(), table(raises=(0, 7), board="usa")):
        for decision, name in BLOCK_OF.items():
            rows = actions.blocks[name]
            assert block_of(actions.board.record, int(decision)) == (rows.start, rows.stop)


def test_rows_that_are_not_there_are_refused():
    actions = table()
    with pytest.raises(ValueError, match="action is 113; allowed: 0 to 112"):
        actions.decode(113)
    with pytest.raises(ValueError, match="bid row is 8; allowed: 0 to 7"):
        actions.encode("bid", 8)
    with pytest.raises(ValueError, match="block is 'sell'; allowed: pass, nominate"):
        actions.encode("sell")
