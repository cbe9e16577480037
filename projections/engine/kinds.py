"""Kinds of defects that several games find, or that are found before a game is asked.

What one game alone can find it names itself, in `Game.kinds`; what a check finds by itself stands beside it.
"""

from typing import Final

from projections.engine.findings import Kind

# ── Cards and decisions ───────────────────────────────────────────────────────────────────────────────

READER: Final = "A shoe reader that missed or doubled a card, where no second reader is connected."

CARD_ORDER_WRONG: Final = Kind(
    "card_order_wrong",
    severity="critical",
    asks="Did the cards go to the hands in the order of the text?",
    false_positives="A shoe reader that missed a card, where no second reader is connected.",
    name="cards out of order",
)
CARD_MISSING: Final = Kind(
    "card_missing",
    severity="critical",
    asks="Did each hand get every card that it was due?",
    false_positives=READER,
    due_card=True,
)
CARD_EXTRA: Final = Kind(
    "card_extra",
    severity="critical",
    asks="Was no card dealt that must not be?",
    false_positives="A card reported on a hand that was discarded as drawn in error.",
)
DECISION_NOT_ALLOWED: Final = Kind(
    "decision_not_allowed",
    severity="critical",
    asks="Was nothing decided on a hand that the text does not allow, or not then?",
    false_positives="A decision keyed for the wrong hand, or a moment before or after it was made.",
)
HAND_DREW_WRONGLY: Final = Kind(
    "hand_drew_wrongly",
    severity="critical",
    asks="Did no hand get a card that it must not have?",
    false_positives="A discarded card reported on a hand; a decision keyed for the wrong hand.",
)

# ── What else a round's own checks find too ───────────────────────────────────────────────────────────

CARD_NOT_IN_DECK: Final = Kind(
    "card_not_in_deck",
    severity="critical",
    asks="Was no card seen more often than the decks of the shoe hold it?",
    false_positives="A misread card, where no second reader is connected; cards loaded that no one reported.",
    name="card not in these decks",
)
VOID_NOT_CALLED: Final = Kind(
    "void_not_called",
    severity="critical",
    asks="Was a round that could not be completed called void and its wagers returned?",
    false_positives="What made the round void was read wrongly; a call of void that was not keyed.",
    name="hand not voided",
)
ANNOUNCED_WRONG: Final = Kind(
    "announced_wrong",
    severity="critical",
    asks="Did the dealer call the result that the cards gave?",
    false_positives="A result keyed wrongly at the terminal after a right call: listen to the table.",
    name="wrong result called",
)

# ── Wagers, and the coupons under them ────────────────────────────────────────────────────────────────

_COUPON: Final = "A coupon of another value, or of another person on the same spot."

WAGER_NOT_PERMITTED: Final = Kind(
    "wager_not_permitted",
    severity="critical",
    asks="Does the text in force that day know the wager, and may one be made in this round?",
    false_positives=(
        "A spot of the layout that is named wrongly in the chip reader's set-up; a side wager that another "
        "text approves, where the house file does not name it as offered."
    ),
)
WAGER_NOT_OFFERED: Final = Kind(
    "wager_not_offered",
    severity="critical",
    asks="Is the wager among those that the house's Rules Submission offers at the table?",
    false_positives="A Rules Submission that took effect and was not yet in the house file.",
)
WAGER_OF_ANOTHER_TEXT: Final = Kind(
    "wager_of_another_text",
    severity="note",
    asks="Is the wager one that the text on file settles, and not another text that approves it?",
    false_positives="None: it says that the wager's money is not judged.",
    weight="note",
)
LATE_WAGER: Final = Kind(
    "late_wager",
    severity="critical",
    asks='Was no wager made or changed after "no more bets", or after its own time in the game?',
    false_positives="A stack straightened by hand that the reader took for a change; a late key press.",
)
COUPON_OVER_CHIPS: Final = Kind(
    "coupon_over_chips",
    severity="by_amount",
    asks="Are the chips worth at least the coupon?",
    false_positives=_COUPON,
    paper="coupon",
)
SECOND_COUPON: Final = Kind(
    "second_coupon",
    severity="by_amount",
    asks="Did each patron use one coupon a round?",
    false_positives=_COUPON,
    paper="coupon",
)
COUPON_NOT_PERMITTED: Final = Kind(
    "coupon_not_permitted",
    severity="by_amount",
    asks="Does the text in force admit a coupon on this wager?",
    false_positives=_COUPON,
    paper="coupon",
)
NOT_IN_FORCE: Final = Kind(
    "not_in_force",
    severity="data",
    asks="Was the chapter in force on the round's gaming date?",
    false_positives="A wrong clock, or a house whose start of the text is not in its file.",
    weight="undetermined",
)
