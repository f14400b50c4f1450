"""Rematches: the same game again with the same players."""

from functools import partial

import pytest

from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, NotFound
from games.fleet.models import Course, Piece, Starship
from games.lobby.models import Invitation
from games.lobby.seats import join_game
from games.lobby.services import cancel_game, rematch
from games.news.models import Notice
from games.play.models import Game
from tests.games.support import NOW, YARD, Table, game_seen, later
from tests.games.together import together


def ended(game: Game) -> Game:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER, ended_at=NOW)
    game.refresh_from_db()
    return game


@pytest.fixture
def over(table: Table, alice: User, bob: User, carol: User) -> Game:
    """A finished private game of Alice, a computer, Bob and Carol."""
    game = table.game(
        alice,
        bob,
        carol,
        seats=4,
        private=True,
        computers=[{"strength": "ace", "look": 6}],
        options={"lives": 5},
        house_rules={"damage_limit": 7},
        pace={"hours": 6},
        starts_itself=True,
    )
    assert game.status == Game.Status.RUNNING
    return ended(game)


def test_a_rematch_has_the_same_settings_computers_and_players(
    over: Game, alice: User, bob: User, carol: User
) -> None:
    made = rematch(user=bob, game_id=over.pk, now=NOW)
    for field in ("name", "ruleset", "options", "house_rules", "seats", "private", "pace", "revision"):
        assert getattr(made, field) == getattr(over, field), field
    assert (made.host, made.status, made.rematch_of) == (bob, Game.Status.OPEN, over)
    assert made.seed != over.seed
    assert made.link_token != over.link_token
    seats = [(seat.number, seat.robo_name, seat.computer, seat.look) for seat in made.players.all()]
    assert seats == [(1, "Bob", "", over.players.get(user=bob).look), (2, "Ace Piston", "ace", 6)]
    asked = Invitation.objects.filter(game=made, invited_by=bob).order_by("user__robo_name")
    assert [invitation.user for invitation in asked] == [alice, carol]
    assert set(Notice.objects.filter(game=made).values_list("user__robo_name", "kind")) == {
        ("Alice", "invited"),
        ("Carol", "invited"),
    }


def test_a_second_request_joins_the_first(over: Game, alice: User, bob: User, carol: User) -> None:
    made = rematch(user=bob, game_id=over.pk, now=NOW)
    assert rematch(user=bob, game_id=over.pk, now=NOW).pk == made.pk
    assert rematch(user=alice, game_id=over.pk, now=NOW).pk == made.pk
    assert made.players.filter(user=alice, ready=True).exists()
    rematch(user=carol, game_id=over.pk, now=NOW)
    made.refresh_from_db()
    assert made.status == Game.Status.RUNNING
    assert set(Invitation.objects.values_list("answer", flat=True)) == {"accepted"}
    assert Game.objects.count() == 2


def test_only_its_players_see_the_rematch(over: Game, bob: User, carol: User, dave: User) -> None:
    Game.objects.filter(pk=over.pk).update(private=False)
    over.refresh_from_db()
    made = rematch(user=bob, game_id=over.pk, now=NOW)
    assert game_seen(viewer=carol, game=over)["rematch"] == made.pk
    assert game_seen(viewer=dave, game=over)["rematch"] is None


def test_a_rematch_of_a_solo_game_starts_immediately(solo_loss: Game, alice: User) -> None:
    made = rematch(user=alice, game_id=solo_loss.pk, now=NOW)
    assert (made.status, made.seats) == (Game.Status.RUNNING, 1)


def test_running_games_have_no_rematch_and_strangers_cannot_request_one(
    duel: Game, alice: User, over: Game, dave: User
) -> None:
    with pytest.raises(Conflict) as refused:
        rematch(user=alice, game_id=duel.pk, now=NOW)
    assert refused.value.code == "not-over"
    with pytest.raises(NotFound):
        rematch(user=dave, game_id=over.pk, now=NOW)
    with pytest.raises(Forbidden):
        rematch(user=dave, game_id=ended(duel).pk, now=NOW)


def test_a_rematch_on_a_retired_starship_is_refused(over: Game, starship: Starship, bob: User) -> None:
    Starship.objects.filter(pk=starship.pk).update(retired=True)
    with pytest.raises(Invalid, match="Hall is no longer available"):
        rematch(user=bob, game_id=over.pk, now=NOW)
    assert Game.objects.count() == 1


def test_a_rematch_filled_by_others_is_full(over: Game, bob: User, carol: User, dave: User) -> None:
    made = rematch(user=bob, game_id=over.pk, now=NOW)
    for user in (dave, User.objects.get(robo_name="Alice")):
        join_game(user=user, game_id=made.pk, link=made.link_token, now=NOW)
    with pytest.raises(Conflict) as refused:
        rematch(user=carol, game_id=over.pk, now=NOW)
    assert refused.value.code == "full"


def test_a_cancelled_rematch_can_be_requested_again(over: Game, bob: User, carol: User) -> None:
    first = rematch(user=bob, game_id=over.pk, now=NOW)
    cancel_game(user=bob, game_id=first.pk, now=NOW)
    assert game_seen(viewer=carol, game=over)["rematch"] is None
    second = rematch(user=carol, game_id=over.pk, now=later(hours=1))
    assert second.pk != first.pk
    assert (second.host, second.status) == (carol, Game.Status.OPEN)


def test_joined_boards_are_laid_out_again(alice: User, bob: User) -> None:
    yard = YARD.saved()
    boards = [{"starship": yard.pk}, {"starship": yard.pk, "at": [0, 1], "turned": 3}]
    game = Table(yard).game(alice, bob, ruleset="amigo-1999", boards=boards, checkpoints=[[3, 3], [0, 6]])
    made = rematch(user=alice, game_id=ended(game).pk, now=NOW)
    assert made.course
    assert game.course
    assert made.course.pk != game.course.pk
    assert made.course.document == game.course.document
    assert (Course.objects.count(), Piece.objects.count()) == (2, 4)


@pytest.mark.django_db(transaction=True)
def test_simultaneous_requests_meet_in_one_game(over: Game, alice: User, bob: User) -> None:
    asking = [partial(rematch, user=user, game_id=over.pk, now=NOW) for user in (alice, bob)]
    results = together(*asking)
    assert len({result.pk for result in results}) == 1
    [made] = Game.objects.filter(rematch_of=over)
    assert made.players.exclude(user=None).count() == 2
    assert made.invitations.count() == 2
