"""Decisions in conduct cases: the rights to decide, effects and notifications."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import ProgrammingError, connection, transaction

from accounts.models import User
from games.chat.models import ChatLine
from games.chat.selectors import chat_after
from games.chat.services import post_line
from games.clubs.services import change_club as change_club_itself, create_club, join_club
from games.competitions.models import Rung, Season, Ticket
from games.competitions.services.ladders import join_ladder
from games.competitions.services.matching import seek_game
from games.competitions.services.seasons import join_season
from games.competitions.services.tournaments import join_tournament
from games.errors import Conflict, Forbidden, Invalid, NotFound
from games.lobby.seats import join_game
from games.moderation.models import Case, ConductEntry, Sanction
from games.moderation.sanctions import CASE_LEASE, MOST_UNCONFIRMED_DAYS
from games.moderation.selectors import decisions_about, reports_by
from games.moderation.services import decisions
from games.moderation.services.decisions import (
    bar,
    begin_case,
    change_club,
    confirm_suspension,
    dismiss_case,
    hide_line,
    lift_sanction,
    mute,
    release_case,
    rename,
    rename_in_games,
    suspend,
    take_case,
    warn,
)
from games.news.channels.mail import compose
from games.news.delivery import send_notification
from games.news.models import Notice
from games.play.models import Game
from tests.games.competitions.hosting import opened
from tests.games.moderation.staffing import ARBITER, HELPER, WHY, line_of, reported, staffed
from tests.games.support import NOW, Table, record_of
from tests.games.together import together
from tests.support.mailbox import Mailbox

LADDER = "robo-runner"


@pytest.fixture
def case(alice: User, bob: User) -> Case:
    """A case about Bob after a report by Alice."""
    return reported(alice, bob).case


def test_a_case_is_reserved_for_one_moderator_for_a_day(case: Case, carol: User, erin: User) -> None:
    staffed(carol), staffed(erin)
    take_case(user=erin, case_id=case.pk, now=NOW)
    with pytest.raises(Conflict):
        warn(user=staffed(carol), case_id=case.pk, **WHY)
    later = NOW + CASE_LEASE
    take_case(user=carol, case_id=case.pk, now=later)
    release_case(user=carol, case_id=case.pk, now=later)
    warn(user=erin, case_id=case.pk, **{**WHY, "now": later})
    case.refresh_from_db()
    assert (case.status, case.decided_at) == ("decided", later)


def test_two_simultaneous_decisions_dismiss_a_case_once(
    transactional_db: None, alice: User, bob: User, carol: User, erin: User
) -> None:
    case = reported(alice, bob).case
    people = [staffed(carol), staffed(erin)]
    done = together(*(partial(dismiss_case, user=each, case_id=case.pk, now=NOW) for each in people))
    assert sorted(type(each).__name__ for each in done) == ["Case", "Conflict"]


def test_each_role_has_its_own_decisions(case: Case, carol: User, dave: User, erin: User) -> None:
    helper, arbiter, moderator = staffed(carol, *HELPER), staffed(dave, *ARBITER), staffed(erin)
    for refused in (helper, arbiter):
        for deed in (mute, suspend):
            with pytest.raises(Forbidden):
                deed(user=refused, case_id=case.pk, days=1, **WHY)
        with pytest.raises(Forbidden):
            rename(user=refused, case_id=case.pk, name="Robin", **WHY)
    with pytest.raises(Forbidden):
        bar(user=helper, case_id=case.pk, days=1, **WHY)
    warn(user=helper, case_id=case.pk, **WHY)
    bar(user=arbiter, case_id=case.pk, days=1, **WHY)
    mute(user=moderator, case_id=case.pk, days=1, **WHY)
    assert Sanction.objects.count() == 3


def test_players_and_people_involved_decide_nothing(case: Case, alice: User, bob: User, dave: User) -> None:
    for person in (dave, staffed(alice), staffed(bob)):  # a stranger, the reporter, and the reported player
        with pytest.raises(Forbidden):
            warn(user=person, case_id=case.pk, **WHY)
        with pytest.raises(Forbidden):
            take_case(user=person, case_id=case.pk, now=NOW)
    assert not Sanction.objects.exists()


def test_only_open_cases_are_decided(case: Case, erin: User) -> None:
    staffed(erin)
    with pytest.raises(NotFound):
        warn(user=staffed(erin), case_id=0, **WHY)
    dismiss_case(user=staffed(erin), case_id=case.pk, now=NOW)
    with pytest.raises(Conflict):
        warn(user=staffed(erin), case_id=case.pk, **WHY)


def test_a_muted_player_writes_nothing_until_the_sanction_ends(
    case: Case, duel: Game, bob: User, erin: User
) -> None:
    club = create_club(user=bob, name="The Loud", now=NOW)
    mute(user=staffed(erin), case_id=case.pk, days=3, **WHY)
    said = partial(post_line, user=bob, game_id=duel.pk, text="Hello.")
    with pytest.raises(Forbidden) as refused:
        said(now=NOW)
    assert refused.value.code == "muted"
    with pytest.raises(Forbidden):
        create_club(user=bob, name="The Muted", now=NOW)
    with pytest.raises(Forbidden):
        change_club_itself(user=bob, slug=club.slug, text="Louder.", now=NOW)
    change_club_itself(user=bob, slug=club.slug, entry="invited", now=NOW)
    said(now=NOW + timedelta(days=3))


def test_a_barred_player_leaves_competitions_and_enters_none(
    case: Case, table: Table, alice: User, bob: User, carol: User, erin: User
) -> None:
    cup = opened(table, erin, alice, bob, carol)
    join_ladder(user=bob, ruleset=LADDER, now=NOW)
    bar(user=staffed(erin), case_id=case.pk, days=30, **WHY)
    assert not cup.entrants.filter(user=bob).exists()
    assert Rung.objects.get(user=bob).resting_since == NOW
    season = Season.objects.create(ruleset=LADDER, starts_at=NOW, ends_at=NOW + timedelta(days=90))
    for enter in (
        partial(join_tournament, tournament_id=cup.pk),
        partial(join_ladder, ruleset=LADDER),
        partial(join_season, season_id=season.pk),
    ):
        with pytest.raises(Forbidden) as refused:
            enter(user=bob, now=NOW)
        assert refused.value.code == "barred"
    join_tournament(user=bob, tournament_id=cup.pk, now=NOW + timedelta(days=30))


def test_a_suspended_player_finishes_games_and_starts_none(
    case: Case, table: Table, duel: Game, alice: User, bob: User, carol: User, erin: User
) -> None:
    lobby, cup = table.game(carol, seats=2), opened(table, erin)
    seek_game(user=bob, wish={}, now=NOW)
    suspend(user=staffed(erin), case_id=case.pk, days=2, **WHY)
    assert not Ticket.waiting.filter(user=bob).exists()
    for begin in (
        lambda: join_game(user=bob, game_id=lobby.pk, now=NOW),
        lambda: table.game(bob, seats=2),
        lambda: seek_game(user=bob, wish={}, now=NOW),
        lambda: join_tournament(user=bob, tournament_id=cup.pk, now=NOW),
        lambda: post_line(user=bob, game_id=duel.pk, text="Hello.", now=NOW),
    ):
        with pytest.raises(Forbidden):
            begin()
    table.move(duel, alice, bob)
    join_game(user=bob, game_id=lobby.pk, now=NOW + timedelta(days=2))


def test_a_long_suspension_takes_two_moderators(case: Case, bob: User, carol: User, erin: User) -> None:
    done = suspend(user=staffed(erin), case_id=case.pk, days=30, **WHY)
    assert done.ends_at == NOW + timedelta(days=MOST_UNCONFIRMED_DAYS)
    confirm = partial(confirm_suspension, sanction_id=done.pk, now=NOW)
    with pytest.raises(Forbidden):
        confirm(user=erin)
    with pytest.raises(Forbidden):
        confirm(user=staffed(carol, *ARBITER))
    confirm(user=staffed(carol))
    done.refresh_from_db()
    assert (done.ends_at, done.confirmed_by) == (NOW + timedelta(days=30), carol)
    with pytest.raises(Conflict):
        confirm(user=staffed(carol))
    lift_sanction(user=staffed(carol), sanction_id=done.pk, now=NOW)
    told = Notice.objects.filter(user=bob, kind="sanction").order_by("pk")
    assert [notice.status for notice in told] == ["pending"] * 3
    assert "undone" in compose(told[2]).body


def test_a_hidden_line_is_unreadable_and_its_text_is_kept(
    case: Case, duel: Game, alice: User, bob: User, erin: User
) -> None:
    line = line_of(duel, bob, "@Alice you will be sorry.")
    hide = partial(hide_line, user=staffed(erin), case_id=case.pk, **WHY)
    with pytest.raises(NotFound):
        hide(line_id=line_of(duel, alice).pk)
    done = hide(line_id=line.pk)
    with pytest.raises(Conflict):
        hide(line_id=line.pk)
    for reader in (alice, bob):
        shown = chat_after(viewer=reader, game=duel)["results"][0]
        assert (shown["text"], shown["hidden"]) == ("", True)
    assert ChatLine.objects.get(pk=line.pk).text == "@Alice you will be sorry."
    lift_sanction(user=erin, sanction_id=done.pk, now=NOW)
    assert chat_after(viewer=alice, game=duel)["results"][0]["text"] == "@Alice you will be sorry."


def test_a_renamed_player_has_the_new_name_in_all_games(
    case: Case, duel: Game, table: Table, alice: User, bob: User, erin: User
) -> None:
    table.play(duel, alice, bob)
    line = line_of(duel, bob)
    give = partial(rename, user=staffed(erin), case_id=case.pk, **WHY)
    for wrong in ("Al", "Alice", "A1ice", "moderator", "no spaces"):
        with pytest.raises(Invalid):
            give(name=wrong)
    done = give(name="Robin")
    bob.refresh_from_db()
    assert (bob.robo_name, done.before) == ("Robin", "Bob")
    assert duel.players.get(user=bob).robo_name == "Bob"  # as in the log until it is rewritten
    assert rename_in_games(now=NOW) == 1
    assert rename_in_games(now=NOW) == 0
    assert duel.players.get(user=bob).robo_name == "Robin"
    line.refresh_from_db()
    assert line.name == "Robin"
    assert "Bob" not in str(record_of(duel, 0))
    table.play(duel, alice, bob)
    lift_sanction(user=erin, sanction_id=done.pk, now=NOW)
    rename_in_games(now=NOW)
    assert duel.players.get(user=bob).robo_name == "Bob"
    assert "Robin" not in str([record_of(duel, 0), record_of(duel, 1)])


def test_a_name_taken_away_cannot_be_used_again(case: Case, carol: User, dave: User, erin: User) -> None:
    rename(user=staffed(erin), case_id=case.pk, name="Robin", **WHY)
    other = reported(dave, carol).case
    for name in ("Bob", "B0b"):
        with pytest.raises(Invalid):
            rename(user=erin, case_id=other.pk, name=name, **WHY)


def test_a_club_gets_a_new_name_and_address_and_can_have_its_own_back(
    case: Case, bob: User, carol: User, erin: User
) -> None:
    club = create_club(user=bob, name="The Rude Ones", text="Rude.", now=NOW)
    join_club(user=carol, slug=club.slug, now=NOW)
    change = partial(change_club, user=staffed(erin), case_id=case.pk, **WHY)
    with pytest.raises(NotFound):
        change(slug="no-club", name="The Others")
    done = change(slug=club.slug, name="The Others")
    club.refresh_from_db()
    assert (club.name, club.slug, club.text, club.memberships.count()) == ("The Others", "the-others", "", 2)
    lift_sanction(user=erin, sanction_id=done.pk, now=NOW)
    club.refresh_from_db()
    assert (club.name, club.slug, club.text) == ("The Rude Ones", "the-rude-ones", "Rude.")


def test_the_player_is_notified_without_names_of_moderators_or_reporters(
    case: Case, alice: User, bob: User, erin: User, mailbox: Mailbox
) -> None:
    warn(user=staffed(erin), case_id=case.pk, **WHY)
    notice = Notice.objects.get(user=bob)
    mail = compose(notice)
    html = str(mail.alternatives[0][0])
    assert "You threatened Bob." in mail.body and "Be polite" in mail.body
    for text in (mail.subject, mail.body, html):
        assert "Erin" not in text and "Alice" not in text
    assert "List-Unsubscribe" not in mail.extra_headers
    send_notification(notice_id=notice.pk, now=NOW)
    assert [each["Subject"] for each in mailbox.to(bob.email)] == ["A staff decision about your account"]
    shown = decisions_about(user=bob, now=NOW)[0].view
    assert "by" not in shown and "Alice" not in str(shown) and "Erin" not in str(shown)
    assert "took action" in compose(Notice.objects.get(user=alice)).body


def test_the_reporter_is_notified_of_a_reversal(case: Case, alice: User, bob: User, erin: User) -> None:
    first, second = (warn(user=staffed(erin), case_id=case.pk, **WHY) for _ in range(2))
    for done, outcome in ((first, "acted"), (second, "undone")):
        lift_sanction(user=erin, sanction_id=done.pk, now=NOW)
        assert [each["outcome"] for each in reports_by(user=alice)] == [outcome]
    told = [compose(notice).body for notice in Notice.objects.filter(user=alice).order_by("pk")]
    assert len(told) == 3 and "took action" in told[0]
    assert all(
        "reversed their decision about this player" in body and "Erin" not in body for body in told[1:]
    )


def test_a_kind_that_is_turned_off_is_not_sent(case: Case, bob: User, erin: User) -> None:
    bob.silenced = ["sanction"]
    bob.save()
    warn(user=staffed(erin), case_id=case.pk, **WHY)
    notice = Notice.objects.get(user=bob)
    send_notification(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert notice.status == Notice.Status.UNWANTED


def test_the_log_has_every_action_and_never_changes(case: Case, bob: User, erin: User) -> None:
    done = mute(user=staffed(erin), case_id=case.pk, days=1, **WHY)
    lift_sanction(user=erin, sanction_id=done.pk, now=NOW)
    entries = ConductEntry.objects.order_by("pk")
    assert [(each.deed, each.kind, each.person, each.by) for each in entries] == [
        ("opened", "", bob, None),
        ("sanctioned", "mute", bob, erin),
        ("lifted", "mute", bob, erin),
    ]
    for change in (
        lambda: entries.update(deed="taken"),
        lambda: entries.all().delete(),
        lambda: _sql("DELETE FROM games_conductentry"),
    ):
        with pytest.raises(ProgrammingError), transaction.atomic():
            change()
    assert entries.count() == 3


def test_staff_open_a_case_without_a_report(bob: User, erin: User, dave: User) -> None:
    case = begin_case(user=staffed(erin), robo_name="Bob", now=NOW)
    assert (case.person, case.taken_by, case.reports.count()) == (bob, erin, 0)
    with pytest.raises(Forbidden):
        begin_case(user=dave, robo_name="Bob", now=NOW)


def test_a_failure_halfway_leaves_nothing_behind(
    case: Case, bob: User, erin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_given: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(decisions, "notify_person", broken)
    with pytest.raises(RuntimeError), transaction.atomic():
        rename(user=staffed(erin), case_id=case.pk, name="Robin", **WHY)
    bob.refresh_from_db()
    assert (bob.robo_name, Sanction.objects.count()) == ("Bob", 0)


def _sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
