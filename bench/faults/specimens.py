"""Create the games of the poison test. Each game has its own board and player, and rows in many tables."""

from datetime import datetime, time, timedelta
from typing import Any, Final

import rules
from accounts.models import User
from games.chat.services import post_line
from games.clocks.clock import PerTurn
from games.clocks.services import change_rest, plan_vacation
from games.fleet.services import save_starship
from games.lobby.models import Invitation
from games.lobby.seats import join_game
from games.lobby.services import create_game
from games.news.feeds import make_feed
from games.news.models import Device, Webhook
from games.people.tokens import make_token
from games.play import stored
from games.play.models import Game, Hand, Turn
from games.play.orders import save_draft, submit_orders
from games.play.resolution import resolve_turn
from games.play.terms import Terms
from games.staff.services import replace_as_staff
from games.votes.services import call_vote

DEADLINE: Final = timedelta(seconds=20)
"""The time from planting the poison to the deadlines of all turns."""

SIZE: Final = 6


def person(name: str, *, staff: bool = False) -> User:
    """Create an account with a confirmed email address and no password."""
    address = f"{name.lower()}@example.org"
    made: User = User.objects.create_user(name, address, None, is_staff=staff, is_superuser=staff)
    made.confirm_email()
    return made


def _board(name: str) -> dict[str, Any]:
    """Return a small board with rails around its rim, so that no robot falls off and no game ends soon."""
    rows = []
    for y in range(SIZE):
        cells = []
        for x in range(SIZE):
            edges = (("N", y == 0), ("E", x == SIZE - 1), ("S", y == SIZE - 1), ("W", x == 0))
            goal = {(SIZE - 1, 0): "+i1", (0, SIZE - 1): "+i2", (SIZE - 1, SIZE - 1): "+i3"}.get((x, y), "")
            walls = "".join(letter for letter, outer in edges if outer)
            cells.append(("a" if (x, y) == (2, 2) else ".") + goal + (f"+w{walls}" if walls else ""))
        rows.append(" ".join(cells))
    return {"format": "starship/1", "name": name, "builder": "Bench", "rows": rows}


def make_game(name: str, host: User, *others: User, now: datetime) -> Game:
    """Create a game on a new board, with a computer in the last seat. Resolve its first turn."""
    ship = save_starship(document=_board(name), section="fleet", now=now)
    game = create_game(
        host=host,
        terms=Terms(
            name=name, starship=ship.pk, seats=len(others) + 2, pace=PerTurn(48), computers=["rookie"]
        ),
        now=now,
    )
    for other in others:
        join_game(user=other, game_id=game.pk, now=now)
    game.refresh_from_db()
    bring_forward(game, now)
    resolve_turn(turn_id=_open(game).pk, now=now)
    game.refresh_from_db()
    return game


def make_specimen(name: str, host: User, player: User, leaver: User, staff: User, *, now: datetime) -> Game:
    """Create a game with rows in many tables, to be poisoned.

    ``player`` must not play in any other game.
    """
    change_rest(user=player, days_off=[], night=(time(22), time(7)))
    game = make_game(name, host, player, leaver, now=now)
    seat = game.players.get(user=leaver)
    replace_as_staff(user=staff, seat_id=seat.pk, reason="They left.", now=now)
    post_line(user=player, game_id=game.pk, text="Hello, all.", now=now)
    call_vote(user=host, game_id=game.pk, kind="pause", days=2, now=now)
    make_feed(user=player, now=now)
    make_token(user=player, now=now)
    day = (now + timedelta(days=60)).date()
    plan_vacation(user=player, first=day, last=day, now=now)
    Invitation.objects.create(game=game, user=leaver, invited_by=host, created_at=now, answer="accepted")
    Device.objects.create(
        user=player,
        endpoint=f"https://127.0.0.1:9/{name}",
        p256dh="key",
        auth="secret",
        name="None",
        made_at=now,
    )
    Webhook.objects.create(user=player, url=f"https://127.0.0.1:9/{name}", secret=name, made_at=now)
    turn = _open(game)
    hand = Hand.objects.get(turn=turn, seat__user=player)
    setup = stored.setup_of(game)
    state = stored.start_of(turn, setup.starship)
    orders = rules.complete(setup, state, hand.robot - 1, stored.chips_of(hand), None, 1)
    document = rules.write_orders(orders)
    save_draft(user=player, game_id=game.pk, turn_number=turn.number, document=document, now=now)
    mine = Hand.objects.get(turn=turn, seat__user=host)
    orders = rules.complete(setup, state, mine.robot - 1, stored.chips_of(mine), None, 2)
    document = rules.write_orders(orders)
    submit_orders(user=host, game_id=game.pk, turn_number=turn.number, document=document, now=now)
    return game


def bring_forward(game: Game, to: datetime) -> None:
    """Set the deadlines of a game's open turn to the time ``to``."""
    Hand.objects.filter(turn__game=game, turn__status=Turn.Status.OPEN, deadline__isnull=False).update(
        deadline=to
    )
    game.turns.filter(status=Turn.Status.OPEN, deadline__isnull=False).update(deadline=to)


def _open(game: Game) -> Turn:
    return game.turns.get(status=Turn.Status.OPEN)
