"""Reports of players: their subjects, limits and results."""

from datetime import timedelta

import pytest
from pytest_django.fixtures import Settings

from accounts import guests
from accounts.models import User
from games.clubs.models import Club
from games.clubs.services import create_club
from games.errors import Conflict, Forbidden, Invalid, NotFound, TooMany
from games.moderation.inputs import NewPlayerReport
from games.moderation.models import Case, ConductEntry, Report
from games.moderation.sanctions import NEWCOMER_REPORTS_A_DAY, PLAYER_REPORTS_A_DAY, REPORTS_KEPT
from games.moderation.selectors import reports_by
from games.moderation.services.decisions import dismiss_case, warn
from games.moderation.services.reports import forget_reports, report_player
from games.play.models import Game
from tests.games.competitions.hosting import crowd
from tests.games.moderation.staffing import WHY, case_of, line_of, reported, staffed
from tests.games.support import NOW, Table


def test_all_reports_of_one_player_join_one_case(alice: User, bob: User, carol: User, duel: Game) -> None:
    line = line_of(duel, bob)
    reported(alice, bob, about="chat", text="", line=line.pk)
    reported(carol, bob, about="name", text="")
    reported(carol, bob)
    assert [(each.about, each.reporter) for each in case_of(bob).reports.order_by("pk")] == [
        ("chat", alice),
        ("name", carol),
        ("behaviour", carol),
    ]
    assert Case.objects.count() == 1
    assert Report.objects.get(about="chat").game == duel
    assert ConductEntry.objects.get().deed == "opened"


def test_a_reported_club_is_shown_with_its_captain(alice: User, bob: User) -> None:
    club = create_club(user=bob, name="The Rude Ones", now=NOW)
    assert reported(alice, bob, about="club", text="", club=club.slug).club == club
    with pytest.raises(NotFound):
        reported(bob, alice, about="club", text="", club=club.slug)


def test_reported_clubs_and_games_can_be_deleted(table: Table, duel: Game, alice: User, bob: User) -> None:
    games = [duel, table.game(alice, bob)]
    for club in [create_club(user=bob, name=f"The Rude {number}", now=NOW) for number in (1, 2)]:
        reported(alice, bob, about="club", text="", club=club.slug)
    for game in games:
        reported(alice, bob, game=game.pk)
    Club.objects.all().delete()
    Game.objects.all().delete()
    assert case_of(bob).reports.filter(club=None, game=None).count() == 4


def test_a_decided_case_stays_and_the_next_report_opens_another(alice: User, bob: User, erin: User) -> None:
    reported(alice, bob)
    dismiss_case(user=staffed(erin), case_id=case_of(bob).pk, now=NOW)
    reported(alice, bob)
    assert [case.decided_at is None for case in Case.objects.order_by("pk")] == [False, True]


def test_only_reporters_see_the_result(alice: User, bob: User, carol: User, erin: User) -> None:
    reported(alice, bob)
    assert [each["outcome"] for each in reports_by(user=alice)] == ["open"]
    warn(user=staffed(erin), case_id=case_of(bob).pk, **WHY)
    reported(alice, carol)
    dismiss_case(user=erin, case_id=case_of(carol).pk, now=NOW)
    assert [each["outcome"] for each in reports_by(user=alice)] == ["dismissed", "acted"]
    assert reports_by(user=bob) == []


def test_a_report_cannot_name_a_subject_of_another_player(
    table: Table, duel: Game, alice: User, bob: User, carol: User, dave: User
) -> None:
    line = line_of(duel, alice)
    with pytest.raises(NotFound):
        reported(carol, bob, about="chat", line=line.pk)
    with pytest.raises(NotFound):
        reported(carol, bob, about="chat", line=None)
    private = table.game(alice, bob, private=True)
    hidden = line_of(private, bob)
    with pytest.raises(NotFound):
        reported(dave, bob, about="chat", line=hidden.pk)
    with pytest.raises(NotFound):
        reported(dave, carol, game=duel.pk)
    assert not Case.objects.exists()


def test_invalid_reports_are_refused(alice: User, bob: User) -> None:
    for text in ("\x07" * 1001, " \n "):
        with pytest.raises(Invalid) as refused:
            NewPlayerReport(data={"about": "behaviour", "rule": "polite", "text": text}).allowed()
        assert {each["code"] for each in refused.value.problems} == {"text"}
    with pytest.raises(Forbidden):
        reported(alice, alice)
    with pytest.raises(Forbidden):
        reported(guests.make_guest(), bob)
    with pytest.raises(NotFound):
        report_player(user=alice, robo_name="Nobody", about="name", rule="polite", now=NOW)
    assert not Case.objects.exists()


def test_a_subject_is_reported_once_until_staff_decide(alice: User, bob: User) -> None:
    reported(alice, bob)
    with pytest.raises(Conflict):
        reported(alice, bob)


def test_reports_a_day_are_limited_and_newcomers_have_fewer(
    alice: User, bob: User, settings: Settings
) -> None:
    people = crowd(PLAYER_REPORTS_A_DAY + 1)
    for person in people[:PLAYER_REPORTS_A_DAY]:
        reported(alice, person)
    with pytest.raises(TooMany):
        reported(alice, people[-1])
    reported(alice, people[-1], now=NOW + timedelta(days=1))
    settings.NEWCOMER_GAMES = 1
    for person in people[:NEWCOMER_REPORTS_A_DAY]:
        reported(bob, person)
    with pytest.raises(TooMany):
        reported(bob, people[-1])


def test_reports_are_deleted_a_year_after_the_decision_as_are_cases_without_sanctions(
    alice: User, bob: User, carol: User, erin: User
) -> None:
    reported(alice, bob)
    reported(alice, carol)
    dismiss_case(user=staffed(erin), case_id=case_of(bob).pk, now=NOW)
    warn(user=erin, case_id=case_of(carol).pk, **WHY)
    assert forget_reports(now=NOW + REPORTS_KEPT - timedelta(seconds=1)) == 0
    assert forget_reports(now=NOW + REPORTS_KEPT) == 2
    assert [case.person for case in Case.objects.all()] == [carol]
