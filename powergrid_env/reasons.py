"""What `verify` answers: 0 when an action is legal, else the code of the rule that forbids it.

A code stands for a rule of RULES.md; notation.py puts it into words with the numbers of the state.
"""

from enum import IntEnum


class Reason(IntEnum):
    """Codes of `verify`. The name is the rule; a suffix tells apart two ways to offend the same rule."""

    LEGAL = 0
    NOT_ASKED = 1  # R0.10: an answer to another decision than the one due
    R7_1_OVER = 2
    R4_7_ZONE = 3
    RT_4_EMPTY = 4
    RT_4_NEXT = 5
    RS_1 = 6
    R2_4 = 7
    R2_14 = 8
    R2_6_MONEY = 9
    R2_6_OPEN = 10
    R2_9 = 11
    R2_11 = 12
    R2_30 = 13
    R2_30_MUST = 14
    R2_32 = 15
    R3_2 = 16
    R3_4 = 17
    R3_7 = 18
    R3_8 = 19
    R4_2 = 20
    R4_4 = 21
    R4_5 = 22
    R4_8 = 23
    R4_10 = 24
    RS_2 = 25
    RS_3 = 26
    R5_1 = 27
    R5_2 = 28
    R5_4 = 29
    R5_1_MUST = 30
    RT_4_MUST = 31
    RS_1_MUST = 32
    R5_3_MUST = 33
    R2_32_MUST = 34
