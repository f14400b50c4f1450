"""Rights of staff need a permission each, and on some sites a second factor."""

from collections.abc import Callable
from functools import partial

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser, Permission
from pytest_django.fixtures import Settings

from accounts.models import User
from games.competitions.models import Tournament
from games.competitions.selectors.tournaments import tournament_for
from games.competitions.services.tournaments import cancel_tournament, create_tournament, open_tournament
from games.errors import Forbidden, NotFound
from games.moderation.models import Sanction
from games.moderation.services.decisions import (
    bar,
    begin_case,
    change_club,
    confirm_suspension,
    dismiss_case,
    hide_line,
    lift_sanction,
    mute,
    rename,
    suspend,
    take_case,
    warn,
)
from games.moderation.services.takedown import (
    dismiss_reports,
    hide_review,
    release_review,
    restore,
    restore_draft,
    restore_starship,
    show_review,
    take_down_draft,
    take_down_reported,
    take_down_starship,
)
from games.people.services.deletion import delete_account
from games.play.models import Game
from games.play.viewers import game_for, visible_games
from games.rights import Right, may
from games.staff.services import cancel_as_staff, extend_turn, replace_as_staff, resolve_again
from games.work import jobs
from tests.cast import person
from tests.games.competitions.hosting import opened, terms
from tests.games.moderation.staffing import MODERATOR, WHY, case_of, line_of, reported, staffed
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table

ORDINARY = ("alice", "grace", "unproven", "former")
"""People without rights: a player, and staff who lack one requirement.

The requirements are the permission, the second factor, and the status of staff.
"""


@pytest.fixture
def unproven(erin: User, settings: Settings) -> User:
    """Return Erin, with every permission, but without the required second factor."""
    settings.STAFF_SECOND_FACTOR = True
    return erin


@pytest.fixture
def former(erin: User) -> User:
    User.objects.filter(pk=erin.pk).update(is_staff=False)
    return User.objects.get(pk=erin.pk)


@pytest.fixture(params=ORDINARY)
def ordinary(request: pytest.FixtureRequest) -> User:
    found: User = request.getfixturevalue(request.param)
    return found


def proven(user: User) -> User:
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    return user


@pytest.mark.parametrize("right", list(Right))
def test_a_right_requires_staff_status_its_permission_and_a_second_factor(
    right: Right, dave: User, settings: Settings
) -> None:
    app, _dot, code = right.partition(".")
    held = User.objects.get(pk=dave.pk)
    permission = Permission.objects.get(content_type__app_label=app, codename=code)
    held.user_permissions.add(permission)
    assert not may(User.objects.get(pk=dave.pk), right)
    User.objects.filter(pk=dave.pk).update(is_staff=True)
    assert may(User.objects.get(pk=dave.pk), right)
    settings.STAFF_SECOND_FACTOR = True
    assert not may(User.objects.get(pk=dave.pk), right)
    assert may(proven(User.objects.get(pk=dave.pk)), right)
    held.user_permissions.clear()
    assert not may(User.objects.get(pk=dave.pk), right)
    assert not may(AnonymousUser(), right)


def test_closed_accounts_and_superusers_without_second_factor_have_no_rights(
    db: None, settings: Settings
) -> None:
    head = person("Head", is_staff=True, is_superuser=True)
    assert may(head, Right.SEE_GAMES)
    settings.STAFF_SECOND_FACTOR = True
    assert not may(head, Right.SEE_GAMES)
    assert may(proven(head), Right.SEE_GAMES)
    head.is_active = False
    assert not may(head, Right.SEE_GAMES)


def test_staff_without_the_right_do_not_find_a_private_game(
    table: Table, bob: User, carol: User, ordinary: User, read: ReaderOf
) -> None:
    secret = table.game(bob, carol, private=True)
    assert secret not in visible_games(viewer=ordinary)
    with pytest.raises(NotFound):
        game_for(viewer=ordinary, game_id=secret.pk)
    for page in ("", "chat/", "votes/", "events/", "turns/0/"):
        assert read(ordinary).get(f"/games/{secret.pk}/{page}").status == 404, page
    assert read(ordinary).get(f"/api/v1/games/{secret.pk}").status == 404


def test_staff_without_the_right_cannot_affect_games(table: Table, ordinary: User) -> None:
    host = person("Frank")
    game, lobby = table.game(host, person("Heidi")), table.game(host, seats=2)
    turn, seat = game.turns.get(), game.players.get(user=host)
    deeds: list[Callable[..., object]] = [
        partial(cancel_as_staff, game_id=game.pk),
        partial(cancel_as_staff, game_id=lobby.pk),
        partial(extend_turn, game_id=game.pk, hours=1),
        partial(replace_as_staff, seat_id=seat.pk),
        partial(resolve_again, turn_id=turn.pk),
    ]
    for deed in deeds:
        with pytest.raises(Forbidden):
            deed(user=ordinary, reason="I may not.", now=NOW)
    with pytest.raises(Forbidden):
        jobs.try_again(user=ordinary, alarm_id=1, now=NOW)
    assert set(Game.objects.values_list("status", flat=True)) == {"running", "open"}


def test_staff_without_the_right_cannot_cancel_a_game_on_its_page(
    table: Table, ordinary: User, read: ReaderOf
) -> None:
    host = person("Frank")
    game, lobby = table.game(host, person("Heidi")), table.game(host, seats=2)
    for each in (game, lobby):
        assert "grounds_reason" not in read(ordinary).get(f"/games/{each.pk}/").html
        answer = read(ordinary).post(f"/games/{each.pk}/cancel/", reason="I may not.")
        assert answer.status in (403, 409)
    assert set(Game.objects.values_list("status", flat=True)) == {"running", "open"}


def test_staff_without_the_right_host_tournaments_like_players(table: Table, ordinary: User) -> None:
    with pytest.raises(Forbidden) as refused:
        create_tournament(user=ordinary, terms=terms(table), now=NOW)
    assert refused.value.code == "no-standing"
    assert not Tournament.objects.exists()


def test_staff_without_the_right_neither_see_nor_change_tournaments_of_others(
    table: Table, ordinary: User, read: ReaderOf
) -> None:
    head = person("Head", is_staff=True, rights=True)
    proven(head)
    draft = create_tournament(user=head, terms=terms(table, name="A draft"), now=NOW)
    cup = opened(table, head)
    with pytest.raises(NotFound):
        tournament_for(viewer=ordinary, tournament_id=draft.pk)
    with pytest.raises(NotFound):
        open_tournament(user=ordinary, tournament_id=draft.pk, now=NOW)
    with pytest.raises(NotFound):
        cancel_tournament(user=ordinary, tournament_id=draft.pk, now=NOW)
    with pytest.raises(Forbidden):
        cancel_tournament(user=ordinary, tournament_id=cup.pk, now=NOW)
    assert 'value="cancel"' not in read(ordinary).get(f"/tournaments/{cup.pk}/").html
    assert 'value="cancel"' in read(head).get(f"/tournaments/{cup.pk}/").html
    assert set(Tournament.objects.values_list("status", flat=True)) == {"draft", "open"}


def test_staff_without_the_right_cannot_change_content(ordinary: User, bob: User) -> None:
    deeds: list[Callable[..., object]] = [
        partial(take_down_starship, starship_id=1),
        partial(restore_starship, starship_id=1),
        partial(take_down_draft, draft_id=1),
        partial(restore_draft, draft_id=1),
        partial(take_down_reported, case_id=1),
        partial(dismiss_reports, case_id=1),
        partial(restore, moderation_id=1),
        partial(hide_review, review_id=1),
        partial(show_review, review_id=1),
        partial(release_review, review_id=1),
    ]
    for deed in deeds:
        with pytest.raises(Forbidden):
            deed(user=ordinary, reason="I may not.", now=NOW)
    with pytest.raises(Forbidden):
        delete_account(user=bob, by=ordinary, now=NOW)


def test_a_moderator_decides_nothing_about_staff(
    table: Table, alice: User, bob: User, carol: User, erin: User
) -> None:
    head = person("Head", is_staff=True, is_superuser=True)
    moderator = staffed(carol, *MODERATOR)
    game = table.game(alice, head)
    line = line_of(game, head)
    for about in (head, erin):
        reported(alice, about)
        case = case_of(about).pk
        deeds: list[Callable[..., object]] = [
            partial(warn, case_id=case, **WHY),
            partial(mute, case_id=case, days=2, **WHY),
            partial(bar, case_id=case, days=2, **WHY),
            partial(suspend, case_id=case, days=2, **WHY),
            partial(rename, case_id=case, name="Nemo", **WHY),
            partial(hide_line, case_id=case, line_id=line.pk, **WHY),
            partial(change_club, case_id=case, slug="club", name="Robots", **WHY),
            partial(take_case, case_id=case, now=NOW),
            partial(dismiss_case, case_id=case, now=NOW),
            partial(begin_case, robo_name=about.robo_name, now=NOW),
        ]
        for deed in deeds:
            with pytest.raises(Forbidden) as refused:
                deed(user=moderator)
            assert refused.value.code == "staff"
    assert not Sanction.objects.exists()
    other = person("Ivan", is_staff=True, is_superuser=True)
    done = suspend(user=other, case_id=case_of(erin).pk, days=7, **WHY)
    with pytest.raises(Forbidden, match="Only a superuser"):
        confirm_suspension(user=moderator, sanction_id=done.pk, now=NOW)
    with pytest.raises(Forbidden, match="Only a superuser"):
        lift_sanction(user=moderator, sanction_id=done.pk, now=NOW)
    reported(alice, bob)
    assert warn(user=moderator, case_id=case_of(bob).pk, **WHY).user == bob
