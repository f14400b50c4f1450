"""Verify the claims of a ``game/1`` file by playing the game again from its seed.

The seed must match the commitment. All hands, and all orders that chance chose, must follow from the seed.
All other orders must be valid, and all events must follow from the orders. Verification stops at the first
wrong turn, because later turns depend on it.

The orders that players chose do not follow from anything. A head that a player noted down during the game
proves them: it must be one of the heads that are calculated again from the file.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from operator import itemgetter
from typing import Any, Final

from rules import game_file
from rules.chance import commitment, computer_seed
from rules.codec import Json, Vocabulary, events_from_json, events_to_json, state_to_json
from rules.courses import with_random_checkpoints
from rules.dealing import Deal, Hand, can_redeal, deal, redeal, switch_on
from rules.document import NotationError, canonical, quoted
from rules.engine import Outcome, begin, fold, resolve_turn
from rules.orders import CHIPS, Orders
from rules.position import begin_at
from rules.programming import complete, needs_orders, problems
from rules.setup import Setup
from rules.state import State

MAX_QUOTE: Final = 160
"""The maximum number of characters of a value quoted in a message."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A false claim of a game file.

    ``turn`` and ``robot`` are None if the claim concerns no particular turn or robot.

    >>> str(Fault("the hand does not follow from the seed", 3, "Alice"))
    'turn 3, Alice: the hand does not follow from the seed'
    """

    text: str
    turn: int | None = None
    robot: str | None = None

    def __str__(self) -> str:
        places = [*([f"turn {self.turn}"] if self.turn is not None else []), *filter(None, [self.robot])]
        return f"{', '.join(places)}: {self.text}" if places else self.text


@dataclass(frozen=True, slots=True)
class Head:
    """A head of a game: a hash of its course up to ``turn``. For the hash of its start, ``turn`` is None."""

    turn: int | None
    hash: str


def verify(game: game_file.GameFile, promised: str | None = None, kept: str | None = None) -> list[Fault]:
    """Return the faults of a game file. If there are none, the game is proved.

    ``promised`` is the commitment and ``kept`` a head, if a player noted them down during the game. Raises
    RulesError if two robots have the same name, or if the squads or models do not suit the ruleset.
    """
    dealt = first_deal(game)
    return [*_seal(game, promised), *_board(game), *_chain(game, dealt, kept), *_play(game, dealt)]


def find_head(game: game_file.GameFile, kept: str) -> Head | None:
    """Return the head of this game that equals a head noted down by a player, or None if there is none."""
    return next((head for head in heads_of(game) if head.hash == _plain(kept)), None)


def heads_of(game: game_file.GameFile) -> list[Head]:
    """Return all heads of a game, calculated from the turns in its file.

    Raises NotationError for a turn with malformed orders or events.
    """
    return list(_heads(game, first_deal(game)))


def _seal(game: game_file.GameFile, promised: str | None) -> Iterator[Fault]:
    if game.digest != game.true_digest:
        yield Fault("the digest does not fit: the file was changed after it was written")
    if game.commitment != (hashed := commitment(game.seed)):
        yield Fault(f"the seed does not fit the commitment {game.commitment}: its hash is {hashed}")
    if promised is not None and _plain(promised) != game.commitment:
        yield Fault(f"the commitment is {game.commitment}, not {promised}")


def _plain(text: str) -> str:
    return text.strip().lower()


def _heads(game: game_file.GameFile, dealt: Deal) -> Iterator[Head]:
    robots = dealt.state.robots
    players = [robot.name for robot in dealt.state.players]
    seats = game_file.seat_names(players, [robot.name for robot in robots if robot.scanner])
    head = game_file.first_head(game.start)
    yield Head(None, head)
    for claimed in game.turns:
        salt = game_file.salt_of(game.seed, claimed.turn)
        head = game_file.next_head(
            head, turn=claimed.turn, salt=salt, orders=claimed.written, events=claimed.events, seats=seats
        )
        yield Head(claimed.turn, head)


def _chain(game: game_file.GameFile, dealt: Deal, kept: str | None) -> Iterator[Fault]:
    """Yield a fault for the first wrong head of the file.

    Also yield a fault if the head that a player noted down is not among the game's heads.
    """
    if kept is None and not game.has_heads:
        return
    found: list[Head] = []
    try:
        found.extend(_heads(game, dealt))
    except NotationError as error:
        yield Fault(str(error))
        return
    if game.has_heads:
        yield from islice(_misstated(game, found), 1)
    if kept is not None and _plain(kept) not in {head.hash for head in found}:
        yield Fault(
            f"none of its {len(found)} heads is {_plain(kept)}: the game had a different course when that"
            " head was shown, or turns are missing"
        )


def _misstated(game: game_file.GameFile, found: Sequence[Head]) -> Iterator[Fault]:
    """Yield a fault for each salt and head in the file that differs from the calculated one."""
    first, *after = found
    if game.first_head not in (None, first.hash):
        yield Fault(f"the first head is {first.hash}, not {game.first_head}: the start was different")
    for claimed, head in zip(game.turns, after, strict=True):
        salt = game_file.salt_of(game.seed, claimed.turn)
        if claimed.salt != salt:
            yield Fault(f"by the seed, the salt is {salt}, not {claimed.salt or 'missing'}", claimed.turn)
        if claimed.head != head.hash:
            yield Fault(
                f"by the turns played, the head is {head.hash}, not {claimed.head or 'missing'}", claimed.turn
            )


def _board(game: game_file.GameFile) -> Iterator[Fault]:
    """Yield a fault for each random checkpoint that does not follow from the seed (FA-1).

    A position has its checkpoints from an earlier game, so the seed says nothing about them.
    """
    setup = game.setup
    if game.position is not None:
        return
    if count := int(setup.options.get("random_checkpoints", 0)):
        ship = setup.starship
        start = setup.ruleset.start.cell(ship, 0, None)
        drawn = with_random_checkpoints(ship, count, start, game.seed)
        for number, cell in drawn.checkpoints.items():
            if (claimed := ship.checkpoints[number]) != cell:
                true, stated = list(ship.pos(cell)), list(ship.pos(claimed))
                yield Fault(
                    f"checkpoint {number} does not follow from the seed: it is at {true}, not {stated}"
                )


def _play(game: game_file.GameFile, dealt: Deal) -> Iterator[Fault]:
    terms = Vocabulary(game.setup.starship, [robot.name for robot in dealt.state.robots])
    outcome: Outcome | None = None
    for claimed in game.turns:
        if outcome is not None:
            if outcome.state.over:
                yield Fault("this turn follows the end of the game", claimed.turn)
                return
            dealt = deal(game.setup, outcome.state, game.seed)
        if claimed.turn != dealt.state.turn:
            yield Fault(f"turn {dealt.state.turn} is missing: turn {claimed.turn} is in its place")
            return
        replayed = _Replay(game, terms, dealt, claimed)
        faults = list(replayed.faults())
        yield from faults
        if faults or replayed.outcome is None:
            return
        outcome = replayed.outcome
    if outcome is None:
        yield Fault("no turn was played")
    elif game.ending is not None:
        yield from _breaking_off(game, terms, outcome.state)
    elif not outcome.state.over:
        yield Fault(f"the game is not over after turn {outcome.state.turn}: the turns after it are missing")
    else:
        yield from _ending(game, terms, outcome.state)


def first_deal(game: game_file.GameFile) -> Deal:
    """Return the beginning of a game, calculated from its file.

    Raises NotationError if two robots have the same name.
    """
    names = [player.name for player in game.players]
    squads = [player.squad for player in game.players if player.squad is not None]
    models = [player.model for player in game.players if player.model is not None]
    if game.position is None:
        dealt = begin(game.setup, names, game.seed, squads, models)
    else:
        dealt = begin_at(game.position, game.setup, names, game.seed, squads, models)
    every = [robot.name for robot in dealt.state.robots]
    if double := next((name for name in every if every.count(name) > 1), None):
        raise NotationError(f"two robots have the name {quoted(double)}")
    return dealt


class _Replay:
    """A turn that is played again to check its record.

    ``outcome`` is the result of the turn, or None if the turn was not played.
    """

    def __init__(
        self, game: game_file.GameFile, terms: Vocabulary, dealt: Deal, claimed: game_file.PlayedTurn
    ) -> None:
        self.setup: Setup = game.setup
        self.seed = game.seed
        self.terms = terms
        self.state: State = dealt.state
        self.claimed = claimed
        self.outcome: Outcome | None = None
        robots = self.state.robots
        self.deciding = [robot.index for robot in robots if needs_orders(self.setup, self.state, robot.index)]
        holding = {*self.deciding, *(robot.index for robot in robots if robot.scanner)}
        self.hands: dict[int, Hand] = {index: dealt.hands.get(index, ()) for index in sorted(holding)}
        self.asleep = {index for index in self.deciding if robots[index].was_down} - set(dealt.hands)
        """The indexes of robots that their players have not switched on yet (AM-5.2)."""
        self.aside = dealt.aside

    def faults(self) -> Iterator[Fault]:
        """Yield the faults in the record of the turn.

        Orders are checked only if the hands have no faults, and events only if the orders have none.
        """
        for part in (self._hands, self._orders, self._events):
            found = list(part())
            yield from found
            if found:
                return

    def _fault(self, text: str, robot: str | None = None) -> Fault:
        return Fault(text, self.claimed.turn, robot)

    def _by_robot(self, claimed: Sequence[Any], expected: Sequence[int], what: str) -> Iterator[Fault]:
        """Yield a fault for each robot with a missing, repeated or superfluous entry in ``claimed``."""
        names = [item.robot for item in claimed]
        wanted = [self.terms.names[index] for index in expected]
        for name in wanted:
            if (count := names.count(name)) != 1:
                yield self._fault(
                    f"the {what} are listed twice" if count else f"the {what} are missing", name
                )
        for name in dict.fromkeys(names):
            if name not in wanted:
                yield self._fault(f"the {what} are listed, but this robot has none in this turn", name)

    def _hands(self) -> Iterator[Fault]:
        yield from self._by_robot(self.claimed.hands, list(self.hands), "chips of its hand")
        for hand in self.claimed.hands:
            yield from self._put_aside(hand)
        redrawn = [
            (number, aside.chips, hand.robot)
            for hand in self.claimed.hands
            for aside in hand.aside
            if (number := aside.number) is not None
        ]
        times: Counter[int] = Counter()
        for count, (number, chips, robot) in enumerate(sorted(redrawn, key=itemgetter(0))):
            index = self.terms.indexes.get(robot)
            before = self.hands.get(index, ()) if index is not None else ()
            if index is None or not self._may_draw(index, before, times[index]):
                yield self._fault("this hand cannot be redrawn", robot)
                return
            if number != count + 1:
                yield self._fault(f"redrawn hand {count + 1} is missing", robot)
                return
            if chips not in (None, _numbers(before)):
                yield self._not_aside(_numbers(before), chips, robot)
                return
            if index in self.asleep:
                self.asleep.remove(index)
                self.state, self.hands[index] = switch_on(
                    self.setup, self.state, self.hands, index, self.seed, count
                )
            else:
                self.hands[index] = redeal(self.setup, self.state, self.hands, index, self.seed, count)
                times[index] += 1
        for hand in self.claimed.hands:
            if hand.robot not in self.terms.indexes:
                continue
            true = _numbers(self.hands.get(self.terms.indexes[hand.robot], ()))
            if hand.chips != true:
                text = f"it is {_listed(true)}, not {_listed(hand.chips)}"
                yield self._fault(f"the hand does not follow from the seed: {text}", hand.robot)

    def _may_draw(self, index: int, hand: Hand, times: int) -> bool:
        """Return whether a robot may redraw its hand, or draw one because it is switched on."""
        if index not in self.hands:
            return False
        return index in self.asleep or can_redeal(self.setup, self.state, index, hand, times)

    def _put_aside(self, hand: game_file.DealtHand) -> Iterator[Fault]:
        """Yield a fault if the hands put aside while dealing to a robot do not follow from the seed.

        If the file lists no such hands, as in old files, nothing is checked.
        """
        claimed = [aside.chips or () for aside in hand.aside if aside.number is None]
        index = self.terms.indexes.get(hand.robot)
        dealt = self.aside.get(index, []) if index is not None else []
        if claimed:
            for true, stated in zip_longest(map(_numbers, dealt), claimed, fillvalue=()):
                if stated != true:
                    yield self._not_aside(true, stated, hand.robot)
                    return

    def _not_aside(self, true: Sequence[int], stated: Sequence[int], robot: str) -> Fault:
        text = f"they are {_listed(true)}, not {_listed(stated)}"
        return self._fault(f"the chips put aside do not follow from the seed: {text}", robot)

    def _orders(self) -> Iterator[Fault]:
        yield from self._by_robot(self.claimed.orders, self.deciding, "orders")
        for given in self.claimed.orders:
            if given.robot in self.terms.indexes:
                yield from self._order(given, self.terms.indexes[given.robot])

    def _order(self, given: game_file.GivenOrders, index: int) -> Iterator[Fault]:
        if index not in self.deciding:
            return
        hand = self.hands[index]
        if index in self.asleep and not given.orders.stay_down:
            yield self._fault("the robot has a program, but was never switched on", given.robot)
        for problem in problems(self.setup, self.state, index, hand, given.orders):
            yield self._fault(f"the orders are against the rules: {problem.detail}", given.robot)
        if given.by in (game_file.DEADLINE, game_file.CHANCE):
            seed = (
                self.seed
                if given.by == game_file.DEADLINE
                else computer_seed(self.seed, self.state.turn, index + 1)
            )
            if given.orders != complete(self.setup, self.state, index, hand, None, seed):
                yield self._fault("the orders do not follow from the seed", given.robot)

    def _events(self) -> Iterator[Fault]:
        orders: dict[int, Orders] = {
            self.terms.indexes[claimed.robot]: claimed.orders for claimed in self.claimed.orders
        }
        outcome = resolve_turn(self.setup, self.state, self.hands, orders, self.seed)
        true, claimed = events_to_json(self.terms, outcome.events), self.claimed.events
        for number, (event, stated) in enumerate(zip(true, claimed, strict=False), 1):
            if canonical(event) != canonical(stated):
                text = f"it is {_short(event)}, not {_short(stated)}"
                yield self._fault(f"event {number} does not follow from the orders: {text}", _robot_of(event))
                return
        if len(true) > len(claimed):
            event = true[len(claimed)]
            yield self._fault(f"the log is incomplete: {_short(event)} is missing", _robot_of(event))
        elif len(claimed) > len(true):
            yield self._fault(f"the log continues after the turn with {_short(claimed[len(true)])}")
        elif fold(self.state, events_from_json(self.terms, claimed)) != outcome.state:
            yield self._fault("the log does not lead to the state after the turn")
        self.outcome = outcome


def _breaking_off(game: game_file.GameFile, terms: Vocabulary, state: State) -> Iterator[Fault]:
    """Yield the faults of a game that ended outside of the rules, such as by vote.

    It is a fault if the rules had already ended the game.
    """
    if state.over:
        yield Fault("the rules had already ended the game: it was not cancelled or conceded", state.turn)
    yield from _end_state(game, state)
    if game.ending == game_file.RESIGNED:
        if game.winner is not None and game.winner not in _contenders(terms, state):
            yield Fault(f"no player could resign in favour of {game.winner}", state.turn)
    elif game.ending != game_file.CONCEDED and game.winner is not None:
        yield Fault(f"the game was cancelled, but the file names {game.winner} as its winner", state.turn)
    if game.ending == game_file.CONCEDED and game.winner not in _contenders(terms, state):
        yield Fault(f"the game could not be conceded to {game.winner or 'no one'}", state.turn)


def _contenders(terms: Vocabulary, state: State) -> set[str | None]:
    """Return the robots and squads that can win by concession or resignation.

    If a robot has finished, only the first finisher can win. Otherwise every robot or squad that is not out
    can win.
    """
    first = [robot for robot in state.players if robot.place == 1]
    return {
        robot.squad or terms.names[robot.index]
        for robot in first or [robot for robot in state.players if not robot.out]
    }


def _ending(game: game_file.GameFile, terms: Vocabulary, state: State) -> Iterator[Fault]:
    yield from _end_state(game, state)
    if game.winner != (winner := terms.robot_or_word(state.winner)):
        yield Fault(f"the winner is {winner or 'no one'}, not {game.winner or 'no one'}", state.turn)


def _end_state(game: game_file.GameFile, state: State) -> Iterator[Fault]:
    true = state_to_json(game.setup.starship, state)
    if canonical(true) != canonical(game.end):
        robot, text = _difference(true, game.end)
        yield Fault(f"the end state does not follow from the log: {text}", state.turn, robot)


def _difference(true: Json, claimed: Json) -> tuple[str | None, str]:
    """Return the first difference between two end states: the robot (None for no robot), and a message."""
    robots = claimed.get("robots")
    for robot, stated in zip(true["robots"], robots if isinstance(robots, list) else (), strict=False):
        if canonical(robot) != canonical(stated):
            return robot["name"], _differing(robot, stated if isinstance(stated, dict) else {})
    return None, _differing(true, claimed)


def _differing(true: Json, claimed: Json) -> str:
    for key in sorted({*true, *claimed}):
        if canonical(true.get(key)) != canonical(claimed.get(key)) or (key in true) != (key in claimed):
            return f"“{key}” is {_short(true.get(key))}, not {_short(claimed.get(key))}"
    raise AssertionError("they do not differ")


def _robot_of(event: Json) -> str | None:
    robot = event.get("robot")
    return robot if isinstance(robot, str) else None


def _short(value: object) -> str:
    text = canonical(value)
    return text if len(text) <= MAX_QUOTE else f"{text[:MAX_QUOTE]}…"


def _numbers(hand: Hand) -> tuple[int, ...]:
    return tuple(chip.number for chip in hand)


def _listed(chips: Sequence[int]) -> str:
    return " ".join(str(CHIPS.get(number, number)) for number in chips) or "empty"
