"""Files of finished games (``game/1``) that anyone can verify, and their chain of heads.

A head is a hash. The first head is a hash of the start of a game. The head after a turn is a hash of the
previous head and that turn, so it depends on everything before it. A player who notes down a head during the
game can later compare it with the game's file. The salt of a turn is secret until the seed is published.
Without the salt, no player can test which orders fit a head.

This module reads game files and calculates heads. `rules.verification` checks what the files claim.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from rules.chance import Chance, Seed
from rules.codec import STATE_FORMAT, Json, rename_in_event
from rules.document import Document, NotationError, canonical, check_format, check_keys, is_int
from rules.notation import read_starship
from rules.orders import Orders, read_orders
from rules.position import Position, read_position
from rules.rulesets import ruleset
from rules.setup import Setup
from rules.suitability import make_setup

SALT_BITS: Final = 128

START_KEYS: Final = (
    "commitment",
    "created_at",
    "started_at",
    "ruleset",
    "version",
    "options",
    "house_rules",
    "starship",
    "seats",
)
"""The keys of a game file whose values are hashed into the first head."""

POSITION: Final = "position"
"""The key for the position at which a game began. Files of usual games, and their first heads, lack it."""

SEAT_KEYS: Final = ("seat", "squad", "model", "computer")
"""The keys of each seat whose values are hashed into the first head.

Names are not among them, because players can change them.
"""


def salt_of(seed: Seed, turn: int) -> str:
    """Return the secret salt of a turn, drawn from the game's seed (G-2.4): 32 hexadecimal digits.

    >>> salt_of("a seed", 1)
    'aa78df0ed817aea91c03d1764542d1e9'
    """
    return f"{Chance(seed, turn).stream('salt').below(1 << SALT_BITS):0{SALT_BITS // 4}x}"


def first_head(start: Mapping[str, Any]) -> str:
    """Return the head before the first turn: a hash of the values of `START_KEYS` and `SEAT_KEYS`.

    If the game began at a position, the hash covers this too.
    """
    bound = {key: start[key] for key in (*START_KEYS, *(key for key in (POSITION,) if key in start))}
    bound["seats"] = [{key: seat[key] for key in SEAT_KEYS} for seat in start["seats"]]
    return _hash(canonical(bound))


def next_head(
    before: str,
    *,
    turn: int,
    salt: str,
    orders: Iterable[Json],
    events: Iterable[Json],
    seats: Mapping[str, str],
) -> str:
    """Return the head after a turn: a hash of the head ``before`` and the turn.

    ``seats`` maps the names of robots to their names in heads (`seat_names`). Raises NotationError for
    malformed orders or events.
    """
    try:
        bound = {
            "turn": turn,
            "salt": salt,
            "orders": [
                {
                    "robot": seats.get(given["robot"], given["robot"]),
                    "by": given["by"],
                    "orders": given["orders"],
                }
                for given in orders
            ],
            "events": [rename_in_event(event, seats) for event in events],
        }
    except (LookupError, TypeError, ValueError, AttributeError):
        detail = f"the head of turn {turn} cannot be calculated: its orders or its events are not complete"
        raise NotationError(detail) from None
    return _hash(f"{before}\n{canonical(bound)}")


def seat_names(players: Sequence[str], scanners: Sequence[str]) -> dict[str, str]:
    """Return the names of robots in heads, which stay the same if players are renamed.

    A player's robot has its seat number, and a scanner has its number after an “s”.

    >>> seat_names(["Alice", "Bob"], ["Scanner 1"])
    {'Alice': '1', 'Bob': '2', 'Scanner 1': 's1'}
    """
    return {name: str(seat) for seat, name in enumerate(players, 1)} | {
        name: f"s{number}" for number, name in enumerate(scanners, 1)
    }


def seat_names_in(state: Json) -> dict[str, str]:
    """Return the result of `seat_names` for the robots of a ``state/1`` document."""
    robots = [robot for robot in state["robots"] if not robot.get("crystal")]
    return seat_names(
        [robot["name"] for robot in robots if not robot.get("scanner")],
        [robot["name"] for robot in robots if robot.get("scanner")],
    )


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


GAME_FORMAT: Final = "game/1"
MAX_FILE_SIZE: Final = 64 * 1024 * 1024
"""The maximum size of a document for ``python -m rules``, in bytes. The longest games need a few million."""

DEADLINE: Final = "deadline"
CHANCE: Final = "chance"
CONCEDED: Final = "conceded"
AUTHORS: Final = ("player", DEADLINE, "standing", "stand-in", "computer", CHANCE)
"""The possible authors of a robot's orders.

“player” is the player. If the player misses the deadline, the author is chance (“deadline”), the standing
orders or a stand-in computer. For a computer player, the author is the computer, or chance in its place.
"""

RESIGNED: Final = "resigned"
ENDINGS: Final = ("voted", CONCEDED, "staff", "deserted", RESIGNED)
"""The ways to end a game outside of the rules: by vote, by staff, without players, or by resignation."""

TYPE_NAMES: Final = {"dict": "an object", "list": "a list", "str": "a text"}
MAX_SEED_LENGTH: Final = 200
KEYS: Final = frozenset(
    {
        "format",
        "about",
        "ruleset",
        "version",
        "options",
        "house_rules",
        "starship",
        "seats",
        "seed",
        "commitment",
        "turns",
        "end",
        "winner",
        "digest",
    }
)
ENDING: Final = "ending"
"""The key for how a game ended outside of the rules. Files of games that ended by the rules lack it."""

FIRST_HEAD: Final = "first_head"
"""The key for the first head (a hash of the game's start). Files of games without heads lack it."""


@dataclass(frozen=True, slots=True)
class Player:
    """The player of a robot. The squad and the model are None if the ruleset has none."""

    name: str
    squad: str | None
    model: str | None


@dataclass(frozen=True, slots=True)
class PutAside:
    """A hand that a robot put aside, or redrew.

    ``number`` counts all redraws and switch-ons of the turn, from 1. It is None for a hand put aside while
    dealing (AM-1.4). ``chips`` is None in old files, which do not list them.
    """

    number: int | None
    chips: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class DealtHand:
    """A robot's hand for programming a turn, and the hands that it put aside before, in order."""

    robot: str
    chips: tuple[int, ...]
    aside: tuple[PutAside, ...]


@dataclass(frozen=True, slots=True)
class GivenOrders:
    """A robot's orders for a turn. ``by`` is their author, one of `AUTHORS`."""

    robot: str
    by: str
    orders: Orders


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn in a game file.

    ``written`` has the orders exactly as in the file, because the ``head`` is a hash of them in this form.
    ``salt`` and ``head`` are None in files that are older than heads.
    """

    turn: int
    hands: tuple[DealtHand, ...]
    orders: tuple[GivenOrders, ...]
    written: Sequence[Json]
    events: Sequence[Json]
    salt: str | None
    head: str | None


@dataclass(frozen=True, slots=True)
class GameFile:
    """The contents of a well-formed game file. They are not verified yet.

    ``ending`` is one of `ENDINGS`, or None if the game ended by the rules. ``digest`` is the digest that the
    file states, and ``true_digest`` the digest calculated from its contents. ``start`` is the document of
    which the first head is a hash, and ``first_head`` the head that the file states. If the game began before
    heads existed, ``heads_from`` is its first turn with a public head. ``position`` is None if the game has a
    usual start.
    """

    setup: Setup
    players: tuple[Player, ...]
    seed: str
    commitment: str
    turns: tuple[PlayedTurn, ...]
    end: Json
    winner: str | None
    ending: str | None
    digest: str
    true_digest: str
    start: Json
    first_head: str | None
    heads_from: int | None
    position: Position | None = None

    @property
    def has_heads(self) -> bool:
        """Whether the game file contains any heads, which older files do not."""
        return self.first_head is not None or any(turn.head is not None for turn in self.turns)


def digest_of(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a document without its digest, in hexadecimal digits.

    >>> digest_of({"b": 1, "a": "ü", "digest": "…"}) == digest_of({"a": "ü", "b": 1})
    True
    """
    rest = {key: value for key, value in document.items() if key != "digest"}
    return sha256(canonical(rest).encode()).hexdigest()


def with_digest(document: Json) -> Json:
    """Return a ``game/1`` document with its digest added."""
    return {**document, "digest": digest_of(document)}


def read_game_file(document: object) -> GameFile:
    """Read a ``game/1`` document.

    Raises UnknownVersion if this release does not have the file's ruleset version. Raises other kinds
    of RulesError (NotationError, UnknownRuleset, SetupError) if the document is malformed, or if no game can
    have this ruleset, these options, this starship and these seats.
    """
    document = check_format(document, GAME_FORMAT)
    check_keys(document, KEYS | {ENDING, FIRST_HEAD, POSITION}, "a game")
    if missing := sorted(KEYS - set(document)):
        raise NotationError(*(f"the key “{key}” is missing" for key in missing))
    about = _of_type(document["about"], dict, "“about”")
    players = tuple(_read_seats(document["seats"]))
    seed = _text(document["seed"], "“seed”")
    if not 0 < len(seed) <= MAX_SEED_LENGTH:
        raise NotationError(f"“seed” must be a text of 1 to {MAX_SEED_LENGTH} characters")
    end = _of_type(document["end"], dict, "“end”")
    check_format(end, STATE_FORMAT)
    winner = document["winner"]
    setup = _read_setup(document, len(players))
    return GameFile(
        setup=setup,
        players=players,
        seed=seed,
        commitment=_text(document["commitment"], "“commitment”"),
        turns=tuple(_read_turn(turn) for turn in _list(document["turns"], "“turns”")),
        end=end,
        winner=None if winner is None else _text(winner, "“winner”"),
        ending=_read_ending(document),
        digest=_text(document["digest"], "“digest”"),
        true_digest=digest_of(document),
        start={**document, "created_at": about.get("created_at"), "started_at": about.get("started_at")},
        first_head=_text(document[FIRST_HEAD], f"“{FIRST_HEAD}”") if FIRST_HEAD in document else None,
        heads_from=_read_heads_from(about),
        position=read_position(document[POSITION], setup) if POSITION in document else None,
    )


def _read_heads_from(about: Document) -> int | None:
    turn = about.get("heads_from")
    if not (turn is None or is_int(turn)):
        raise NotationError("“heads_from” must be the number of a turn")
    return turn


def _read_setup(document: Document, seats: int) -> Setup:
    version = document["version"]
    if not is_int(version):
        raise NotationError("“version” must be a whole number")
    edition = ruleset(_text(document["ruleset"], "“ruleset”"), version)
    options = _of_type(document["options"], dict, "“options”")
    house_rules = _of_type(document["house_rules"], dict, "“house_rules”")
    ship = read_starship(document["starship"], known=True)
    return make_setup(edition, options, ship, seats, house_rules)


def _read_ending(document: Document) -> str | None:
    if ENDING not in document:
        return None
    ending = _text(document[ENDING], "“ending”")
    if ending not in ENDINGS:
        raise NotationError(f"“ending” must be one of {', '.join(ENDINGS)}")
    return ending


def _read_seats(value: object) -> list[Player]:
    players = []
    for number, item in enumerate(_list(value, "“seats”"), 1):
        where = f"seat {number}"
        seat = _object(item, {"seat", "name", "squad", "model", "computer"}, where)
        if seat["seat"] != number or not is_int(seat["seat"]):
            raise NotationError(f"the seats must be numbered from 1 without a gap, and {where} is not")
        name = _text(seat["name"], f"“name” of {where}")
        if not name:
            raise NotationError(f"“name” of {where} is empty")
        squad, model, _ = (
            None if seat[key] is None else _text(seat[key], f"“{key}” of {where}")
            for key in ("squad", "model", "computer")
        )
        players.append(Player(name, squad, model))
    return players


def _read_turn(value: object) -> PlayedTurn:
    turn = _object(value, {"turn", "hands", "orders", "events"}, "a turn", more={"salt", "head"})
    number = turn["turn"]
    if not is_int(number):
        raise NotationError("the number of a turn must be a whole number")
    where = f"turn {number}"
    events = _list(turn["events"], f"“events” of {where}")
    salt, head = (
        _text(turn[key], f"“{key}” of {where}") if key in turn else None for key in ("salt", "head")
    )
    return PlayedTurn(
        turn=number,
        hands=tuple(_read_hand(hand, where) for hand in _list(turn["hands"], f"“hands” of {where}")),
        orders=tuple(_read_given(given, where) for given in _list(turn["orders"], f"“orders” of {where}")),
        written=turn["orders"],
        events=[_of_type(event, dict, f"each of the events of {where}") for event in events],
        salt=salt,
        head=head,
    )


def _read_hand(value: object, where: str) -> DealtHand:
    hand = _object(value, {"robot", "chips", "redealt"}, f"{where}: a hand", more={"aside"})
    robot = _text(hand["robot"], f"{where}: “robot” of a hand")
    chips = _read_chips(hand["chips"], f"{where}: “chips” of {robot}")
    redealt = hand["redealt"]
    if not (redealt is None or is_int(redealt)):
        raise NotationError(f"{where}: “redealt” of {robot} must be a whole number or null")
    if "aside" not in hand:
        return DealtHand(robot, chips, () if redealt is None else (PutAside(redealt, None),))
    what = f"{where}: “aside” of {robot}"
    aside = tuple(_read_aside(item, what) for item in _list(hand["aside"], what))
    if (aside[-1].number if aside else None) != redealt:
        raise NotationError(f"{where}: “redealt” of {robot} must be the last number of its “aside”")
    numbered = [item.number is not None for item in aside]
    if numbered != sorted(numbered):
        raise NotationError(f"{what}: hands with a number come after those without")
    return DealtHand(robot, chips, aside)


def _read_aside(value: object, what: str) -> PutAside:
    item = _object(value, {"number", "chips"}, f"each of {what}")
    if not (item["number"] is None or is_int(item["number"])):
        raise NotationError(f"{what}: “number” must be a whole number or null")
    return PutAside(item["number"], _read_chips(item["chips"], what))


def _read_chips(value: object, what: str) -> tuple[int, ...]:
    chips = _list(value, what)
    if not all(is_int(chip) for chip in chips):
        raise NotationError(f"{what} must be the numbers of chips")
    return tuple(chips)


def _read_given(value: object, where: str) -> GivenOrders:
    given = _object(value, {"robot", "by", "orders"}, f"{where}: orders")
    robot = _text(given["robot"], f"{where}: “robot” of orders")
    by = _text(given["by"], f"{where}: “by” of {robot}")
    if by not in AUTHORS:
        raise NotationError(f"{where}: “by” of {robot} must be one of {', '.join(AUTHORS)}")
    try:
        return GivenOrders(robot, by, read_orders(given["orders"]))
    except NotationError as error:
        raise NotationError(*(f"{where}, {robot}: {problem}" for problem in error.problems)) from None


# Values of a type


def _object(
    value: object, keys: set[str], what: str, more: frozenset[str] | set[str] = frozenset()
) -> Document:
    """Return a JSON object that must have all ``keys``, may have those in ``more``, and has no others."""
    found: Document = _of_type(value, dict, what)
    check_keys(found, keys | more, what)
    if missing := sorted(keys - set(found)):
        raise NotationError(*(f"{what} has no “{key}”" for key in missing))
    return found


def _list(value: object, what: str) -> list[Any]:
    found: list[Any] = _of_type(value, list, what)
    return found


def _text(value: object, what: str) -> str:
    found: str = _of_type(value, str, what)
    return found


def _of_type(value: object, kind: type, what: str) -> Any:
    if not isinstance(value, kind):
        raise NotationError(f"{what} must be {TYPE_NAMES[kind.__name__]}")
    return value
