"""Reviews of whole games, and the ``review/1`` document.

A review is calculated turn by turn, so its reader can show progress, and stop at any time. All figures are
rounded to 1/100 of a per cent. The rounded figures of a turn add up exactly.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rules.codec import Json, Vocabulary, events_from_json
from rules.dealing import deal, drawn_in_order
from rules.document import NotationError, RulesError
from rules.engine import fold
from rules.events import Winner
from rules.game_file import DealtHand, GameFile
from rules.language import N_, Sentence
from rules.orders import CHIPS, write_orders
from rules.review.chances import VERSION, Chances
from rules.review.credit import Cause, Figures, Played, TurnReview, public, review_turn
from rules.setup import Setup
from rules.verification import first_deal

REVIEW_FORMAT: Final = "review/1"
PLACES: Final = 4
"""The number of decimal places of all figures."""

ALONE: Final = N_("This game cannot be reviewed, because all its robots are on one side.")


class ReviewError(RulesError):
    """Raised if a game cannot be reviewed."""


def review_game(
    setup: Setup, turns: Iterable[Played], seats: Sequence[int] | None = None
) -> Iterator[TurnReview]:
    """Yield the review of each turn, for these robots or for all players.

    The cost of each review is the number of its ``positions``. Raises ReviewError if there is only one robot
    or squad.
    """
    for played in turns:
        check_rivals(played)
        yield review_turn(setup, played, seats)


def check_rivals(played: Played) -> None:
    """Raise ReviewError if all robots of a game are on one side."""
    sides = {robot.squad or robot.index for robot in played.state.players}
    if len(sides) < 2:
        raise ReviewError(Sentence(ALONE))


def played_turns(game: GameFile) -> Iterator[Played]:
    """Yield the turns of a game file. The file must be correct (`rules.verify`).

    Raises NotationError if a turn names an unknown robot.
    """
    dealt = first_deal(game)
    terms = Vocabulary(game.setup.starship, [robot.name for robot in dealt.state.robots])
    for turn in game.turns:
        try:
            dealt = drawn_in_order(game.setup, dealt, _drawing(turn.hands, terms), game.seed)
            hands = {
                terms.indexes[hand.robot]: tuple(CHIPS[number] for number in hand.chips)
                for hand in turn.hands
            }
            orders = {terms.indexes[given.robot]: given.orders for given in turn.orders}
            authors = {terms.indexes[given.robot]: given.by for given in turn.orders}
            events = events_from_json(terms, turn.events)
        except LookupError as error:
            raise NotationError(f"turn {turn.turn} cannot be read: {error} is unknown") from None
        yield Played(dealt.state, hands, orders, events, authors)
        state = fold(dealt.state, events)
        if not state.over:
            dealt = deal(game.setup, state, game.seed)


def _drawing(hands: Sequence[DealtHand], terms: Vocabulary) -> list[int]:
    """Return the robots that redrew hands or were switched on, in order."""
    drawn = [
        (aside.number, terms.indexes[hand.robot])
        for hand in hands
        for aside in hand.aside
        if aside.number is not None
    ]
    return [index for _, index in sorted(drawn)]


def result_of(setup: Setup, last: Played, winner: Winner) -> list[float]:
    """Return each player's result, 1 or 0, of a game that ended outside of the rules, such as by resignation.

    ``last`` is its last turn. Without a winner, the result is the chances to win after that turn.
    """
    seen = public(setup, fold(last.state, last.events))
    chances = Chances(setup, seen)
    return chances.of(seen) if winner is None else chances.result(winner)


# Documents


def review_to_json(
    setup: Setup, turns: Sequence[Json], result: Sequence[float] | None = None
) -> dict[str, Any]:
    """Return a ``review/1`` document from the documents of its turns (`turn_to_json`).

    ``result`` is the result of a game that ended outside of the rules (`result_of`).
    """
    return {
        "format": REVIEW_FORMAT,
        "version": VERSION,
        "ruleset": setup.ruleset.key,
        "ruleset_version": setup.ruleset.version,
        "turns": list(turns),
        "result": None if result is None else [round(share, PLACES) for share in result],
        "totals": totals_of(turns),
        "positions": sum(turn["positions"] for turn in turns),
    }


def totals_of(turns: Iterable[Json]) -> dict[str, dict[str, Any]]:
    """Return the sums of each robot's figures, its accuracy and its ``decisions``, by robot number from 1.

    The accuracy counts only the ``decisions`` of the robot's player (`_own_decisions`). It is None without
    one.
    """
    of_robots: dict[int, list[Json]] = {}
    for turn in turns:
        for figures in turn["figures"]:
            of_robots.setdefault(figures["robot"], []).append(figures)
    return {str(robot): _totals(of_robots[robot]) for robot in sorted(of_robots)}


SUMMED: Final = ("deal", "decision", "collision", "hindsight")


def _totals(found: Sequence[Json]) -> dict[str, Any]:
    own = _own_decisions(found)
    return {
        **{key: round(sum(figures[key] for figures in found), PLACES) for key in SUMMED},
        "decisions": len(own),
        "accuracy": round(1 + sum(own) / len(own), PLACES) if own else None,
    }


def _own_decisions(found: Sequence[Json]) -> list[float]:
    """Return the decisions of a robot's player. All others are those of sitters, the clock and computers.

    If no person ever ordered, its player is a computer.
    """
    for authors in (("player", None), ("computer",)):
        own = [
            figures["decision"]
            for figures in found
            if figures["best"] is not None and figures["by"] in authors
        ]
        if own:
            return own
    return []


def turn_to_json(review: TurnReview) -> dict[str, Any]:
    """Return the document of one turn. Robots are numbers from 1, because names can change."""
    before, after = (
        [round(chance, PLACES) for chance in chances] for chances in (review.before, review.after)
    )
    return {
        "turn": review.turn,
        "before": before,
        "after": after,
        "figures": [
            _figures_to_json(figures, after[figures.robot] - before[figures.robot])
            for figures in review.figures
        ],
        "positions": review.positions,
    }


def _figures_to_json(figures: Figures, change: float) -> dict[str, Any]:
    deal, decision = round(figures.deal, PLACES), round(figures.decision, PLACES)
    return {
        "robot": figures.robot + 1,
        "deal": deal,
        "decision": decision,
        "collision": round(change - deal - decision, PLACES),
        "hindsight": round(figures.hindsight, PLACES),
        "by": figures.by,
        "best": figures.best and write_orders(figures.best),
        "answer": figures.answer and write_orders(figures.answer),
        "causes": [_cause_to_json(cause) for cause in figures.causes],
    }


def _cause_to_json(cause: Cause) -> Mapping[str, Any]:
    return {
        "kind": cause.kind,
        "robot": cause.robot + 1,
        "phase": cause.phase,
        "effect": round(cause.effect, PLACES),
    }
