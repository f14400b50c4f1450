"""Play many games through the HTTP API, even while parts of the site fail."""

import http.client
import json
import threading
import time
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

import rules
from accounts.models import User
from bench.faults.ledger import Attempt, Ledger
from games.people.tokens import make_token
from games.play import stored
from games.play.models import Game, Hand, Turn

ANSWER_SECONDS = 20.0
"""The maximum seconds that a player waits for an answer of the API."""

SOME = ("robo-runner", "robo-recon", "amigo-1999", "factory-1999", "group-11", "websocket", "robo-arena")


class Answer(NamedTuple):
    status: int
    document: dict[str, Any]


class NoAnswer(Exception):
    """Raised if the site gives no complete answer to a request."""


class Move(NamedTuple):
    """A player's missing orders: the IDs of the hand and the game, the turn number, and the Robo Name."""

    hand: int
    game: int
    turn: int
    name: str


class Api:
    """A client of the API with a persistent connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connection: http.client.HTTPConnection | None = None

    def call(self, method: str, path: str, token: str, document: object = None) -> Answer:
        """Call the API and return the answer. Raises NoAnswer if there is no complete answer."""
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        body = None if document is None else json.dumps(document)
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=ANSWER_SECONDS)
            self._connection.request(method, f"/api/v1/{path}", body, headers)
            answer = self._connection.getresponse()
            content = answer.read()
            if answer.will_close:
                self._forget()
        except (OSError, http.client.HTTPException) as error:
            self._forget()
            raise NoAnswer(str(error)) from error
        try:
            return Answer(answer.status, json.loads(content))
        except ValueError:
            return Answer(answer.status, {})

    def _forget(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None


class Crowd:
    """The players of the test: their API tokens, and the orders that they have sent.

    ``sleepers`` are players who do not submit orders in one of their games, each with the game's ID.
    """

    def __init__(self, port: int, people: int, chance: Random) -> None:
        self.port = port
        self.chance = chance
        self.ledger = Ledger()
        self.tokens: dict[str, str] = {}
        self.sleepers: set[tuple[int, str]] = set()
        self._setups: dict[int, rules.Setup] = {}
        for number in range(1, people + 1):
            user = User.objects.create_user(f"Player-{number}", f"player-{number}@example.org")
            user.confirm_email()
            self.tokens[user.robo_name] = make_token(user=user, now=timezone.now())

    def make_games(self, number: int) -> None:
        """Create games of one to four people. Some games have computers, and some have deadlines."""
        api, boards = Api(self.port), self._boards()
        made = 0
        while made < number:
            key = SOME[made % len(SOME)]
            edition = rules.ruleset(key)
            names = self.chance.sample(sorted(self.tokens), k=self.chance.choice([1, 2, 2, 3, 3, 4]))
            squads = max(1, len(edition.squads))
            computers = self.chance.choice([0, 0, 1, 2])
            seats = max(edition.seats[0], len(names) + computers)
            seats += -seats % squads
            wish = {
                "name": f"Fault test {made + 1}",
                "ruleset": key,
                "starship": self.chance.choice(boards[key]),
                "seats": seats,
                "computers": [self.chance.choice(["rookie", "rookie", "pilot"])] * (seats - len(names)),
                "pace": {"hours": 1} if made % 4 == 0 else None,
            }
            answer = api.call("POST", "games", self.tokens[names[0]], wish)
            if answer.status != 201:
                self.ledger.refused(answer.status, f"{key}: {answer.document.get('detail')}")
                boards[key] = boards[key][1:] or boards[key]
                continue
            game = int(answer.document["id"])
            for name in names[1:]:
                joined = api.call("POST", f"games/{game}/join", self.tokens[name], {})
                assert joined.status == 200, joined
            if wish["pace"] and len(names) > 1:
                self.sleepers.add((game, names[-1]))
            made += 1

    def _boards(self) -> dict[str, list[int]]:
        """Return the IDs of the starships that suit each ruleset, in random order."""
        api, token = Api(self.port), next(iter(self.tokens.values()))
        boards: dict[str, list[int]] = {}
        for key in SOME:
            answer = api.call("GET", f"starships?ruleset={key}", token)
            boards[key] = [ship["id"] for ship in answer.document["results"]]
            self.chance.shuffle(boards[key])
        return boards

    def moves(self, *, all_of_them: bool = False) -> list[Move]:
        """Return the players with missing orders, in random order.

        The `sleepers` of a game are left out unless ``all_of_them`` is True.
        """
        hands = Hand.objects.filter(
            turn__status=Turn.Status.OPEN,
            turn__game__status=Game.Status.RUNNING,
            turn__ready_at=None,
            seat__user__isnull=False,
            program=None,
        )
        rows = hands.values_list("pk", "turn__game_id", "turn__number", "seat__user__robo_name")
        moves = [Move(*row) for row in rows]
        if not all_of_them:
            moves = [move for move in moves if (move.game, move.name) not in self.sleepers]
        self.chance.shuffle(moves)
        return moves

    def orders(self, move: Move, seed: int) -> dict[str, Any]:
        """Return random legal orders for a player, as a document."""
        hand = Hand.objects.select_related("turn").get(pk=move.hand)
        if move.game not in self._setups:
            game = Game.objects.select_related("revision__starship", "course").get(pk=move.game)
            self._setups[move.game] = stored.setup_of(game)
        setup = self._setups[move.game]
        state = stored.start_of(hand.turn, setup.starship)
        orders = rules.complete(setup, state, hand.robot - 1, stored.chips_of(hand), None, seed)
        return rules.write_orders(orders)

    def submit(self, api: Api, move: Move, seed: int) -> bool:
        """Submit random orders for a player.

        Returns whether the answer was clear: neither missing nor a server error. Returns True without a
        request if another thread is submitting orders for the same player.
        """
        key = (move.game, move.turn, move.name)
        if not self.ledger.take(key):
            return True
        try:
            attempt = Attempt(self.orders(move, seed))
            self.ledger.note(key, attempt)
            path = f"games/{move.game}/turns/{move.turn}/orders"
            answer = api.call("POST", path, self.tokens[move.name], attempt.orders)
            attempt.status = answer.status
            if answer.status >= 400:
                self.ledger.refused(answer.status, str(answer.document.get("error")))
            return answer.status < 500
        except NoAnswer:
            return False
        finally:
            self.ledger.leave(key)

    def bring_deadlines_forward(self) -> None:
        """Set all deadlines that are more than a minute away to 2 to 20 seconds from now."""
        now = timezone.now()
        far = Turn.objects.filter(status=Turn.Status.OPEN, deadline__gt=now + timedelta(minutes=1))
        for turn in far:
            soon = timezone.now() + timedelta(seconds=self.chance.uniform(2, 20))
            Turn.objects.filter(pk=turn.pk, status=Turn.Status.OPEN).update(deadline=soon)
            Hand.objects.filter(turn=turn, deadline__gt=soon).update(deadline=soon)


class Play:
    """Submits orders for players in several threads until it is stopped."""

    def __init__(self, crowd: Crowd, threads: int, rest: float) -> None:
        self._crowd = crowd
        self._rest = rest
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._play, args=(number,), name=f"players {number}", daemon=True)
            for number in range(threads)
        ]
        self._threads.append(threading.Thread(target=self._hurry, name="deadlines", daemon=True))

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop all threads. Each thread first waits for the answer to its current request."""
        self._stop.set()
        for thread in self._threads:
            thread.join(2 * ANSWER_SECONDS)

    def _play(self, number: int) -> None:
        api, chance = Api(self._crowd.port), Random(number)
        while not self._stop.is_set():
            try:
                moves = self._crowd.moves()[:10]
                for move in moves:
                    if self._stop.is_set():
                        break
                    answered = self._crowd.submit(api, move, chance.randrange(10**9))
                    if answered and chance.random() < 0.1:  # the player changes the orders
                        self._crowd.submit(api, move, chance.randrange(10**9))
                    self._stop.wait(chance.uniform(0, 2 * self._rest) if answered else 1)
                if not moves:
                    self._stop.wait(0.5)
            except (DatabaseError, InterfaceError, Hand.DoesNotExist):
                connection.close()
                self._stop.wait(0.5)
        connection.close()

    def _hurry(self) -> None:
        while not self._stop.wait(3):
            try:
                self._crowd.bring_deadlines_forward()
            except (DatabaseError, InterfaceError):
                connection.close()
        connection.close()


def finish_round(crowd: Crowd, seconds: float) -> list[str]:
    """Submit all missing orders once, in all running games. Return the failures as text.

    It gives up after ``seconds`` seconds.
    """
    api, faults, end = Api(crowd.port), [], time.monotonic() + seconds
    for move in crowd.moves(all_of_them=True):
        if time.monotonic() > end:
            faults.append("The last round did not end in time.")
            break
        crowd.submit(api, move, move.hand)
        key = (move.game, move.turn, move.name)
        last = crowd.ledger.attempts[key][-1]
        if not last.accepted:
            faults.append(
                f"{move.name} could not order in turn {move.turn} of game {move.game}: {last.status}."
            )
    return faults
