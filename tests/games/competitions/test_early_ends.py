"""Tournaments that most entrants have left.

Rounds are skipped or wait, and no absent player wins.
"""

from datetime import datetime, timedelta
from itertools import combinations

import pytest

from accounts.models import User
from games.competitions.models import Tournament
from games.competitions.selectors.results import history_of
from games.competitions.services.scoring import score_tables
from games.competitions.services.tournaments import (
    cancel_tournament,
    confirm_entry,
    leave_running,
    leave_tournament,
)
from games.errors import Conflict
from games.news.channels.mail import compose
from games.news.models import Notice
from tests.games.competitions.hosting import START, crowd, games_of, last_round, opened, play_round, step
from tests.games.competitions.test_losses import sanction
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def names(cup: Tournament) -> list[str]:
    placed = cup.entrants.exclude(place=None).select_related("user").order_by("place")
    return [each.user.robo_name for each in placed]


def ask(cup: Tournament, order: list[User], *asked: User, now: datetime) -> None:
    """Play a round. The given players miss turns in it, so they must then confirm the next round."""
    for game in games_of(last_round(cup)):
        game.players.filter(user__in=asked).update(excused=1)
    play_round(cup, order, now=now)
    step(now)
    cup.refresh_from_db()


def test_a_league_skips_rounds_without_a_pairing(table: Table, erin: User) -> None:
    """Three of six players leave. The schedule of the next round pairs none of the other three."""
    people = crowd(6)
    cup = opened(table, erin, *people, kind="league", most=8)
    step(START)
    cup.refresh_from_db()
    assert cup.schedule
    keys = {person.pk: cup.entrants.get(user=person).pk for person in people}
    second = {frozenset(pair) for pair in cup.schedule["rounds"][1]}
    first = {frozenset(pair) for pair in cup.schedule["rounds"][0]}
    stay = next(
        three
        for three in combinations(people, 3)
        if not {frozenset((keys[one.pk], keys[two.pk])) for one, two in combinations(three, 2)}
        & (first | second)
    )
    for person in people:
        if person not in stay:
            leave_tournament(user=person, tournament_id=cup.pk, now=START)
    for day in range(1, 6):
        play_round(cup, people, now=START + day * DAY)
        step(START + day * DAY)
    cup.refresh_from_db()
    met = history_of(cup).met
    pairs = [tuple(sorted(keys[each.pk] for each in pair)) for pair in combinations(stay, 2)]
    assert [met[pair] for pair in pairs] == [1, 1, 1]  # type: ignore[index]
    assert (cup.status, cup.ending, len(names(cup))) == ("finished", "", 3)
    assert 2 not in cup.all_rounds.values_list("number", flat=True)


def test_a_round_waits_for_two_who_confirm(table: Table, erin: User) -> None:
    people = crowd(4)
    cup = opened(table, erin, *people, rounds=3)
    step(START)
    ask(cup, people, *people[:3], now=START)
    step(START + DAY)
    cup.refresh_from_db()
    assert (cup.status, cup.due_at) == ("running", START + 7 * DAY)
    confirm_entry(user=people[1], tournament_id=cup.pk, now=START + 2 * DAY)
    step(START + 2 * DAY)
    (game,) = games_of(last_round(cup))
    assert {seat.user for seat in game.players.all()} == {people[1], people[3]}
    play_round(cup, people, now=START + 3 * DAY)
    step(START + 3 * DAY)
    assert last_round(cup).number == 3, "players who sat out are not waited for again"


def test_a_cup_with_too_few_confirmed_entrants_ends_with_a_reason(
    read: ReaderOf, table: Table, erin: User
) -> None:
    people = crowd(4)
    cup = opened(table, erin, *people, rounds=3)
    step(START)
    ask(cup, people, *people[1:], now=START)
    for now in (START + DAY, START + 7 * DAY):
        step(now)
    cup.refresh_from_db()
    assert (cup.status, cup.ending, len(names(cup))) == ("finished", "away", 4)
    page = read(people[0]).get(cup.get_absolute_url())
    assert "too few players confirmed the next round" in page
    assert "Your place: 1 of 4" in page
    mail = compose(Notice.objects.filter(kind="finished", user=people[0], channel="mail").get())
    assert "too few players confirmed the next round" in mail.body


@pytest.mark.parametrize("kind", ["swiss", "knockout"])
def test_players_who_left_or_are_barred_get_no_place(
    kind: str, read: ReaderOf, table: Table, erin: User
) -> None:
    people = crowd(4)
    cup = opened(table, erin, *people, kind=kind, most=4, rounds=2)
    step(START)
    play_round(cup, people, now=START)
    step(START)
    seats = {seat.user for game in games_of(last_round(cup)) for seat in game.players.all()}
    for person in people:
        if (kind != "knockout" and person in people[:2]) or (kind == "knockout" and person in seats):
            sanction(person, "bar", at=START)
    out = set(people[:2]) if kind != "knockout" else seats
    for day in range(1, 4):
        play_round(cup, people, now=START + day * DAY)
        step(START + day * DAY)
    cup.refresh_from_db()
    assert cup.status == "finished"
    assert set(names(cup)) == {each.robo_name for each in people if each not in out}
    assert sorted(cup.entrants.exclude(place=None).values_list("place", flat=True)) == [1, 2]
    assert "Entrants 4 of 4" in read(people[0]).get(cup.get_absolute_url())


def test_a_barred_walkover_winner_gives_the_place_to_a_player_who_stayed(
    read: ReaderOf, table: Table, erin: User
) -> None:
    people = crowd(4)
    cup = opened(table, erin, *people, kind="knockout")
    step(START)
    play_round(cup, people, now=START)
    through = [
        min(game.players.all(), key=lambda seat: people.index(seat.user)).user
        for game in games_of(last_round(cup))
    ]
    score_tables(now=START)
    leave_tournament(user=through[0], tournament_id=cup.pk, now=START)
    step(START + DAY)
    assert last_round(cup).tables.get().size == 1
    notice = Notice.objects.get(kind="bye", user=through[1], channel="mail")
    assert "you win by walkover" in compose(notice).body
    assert "Walkover" in read(erin).get(f"{cup.get_absolute_url()}rounds/2/")
    sanction(through[1], "bar", at=START + DAY)
    step(START + DAY)
    assert set(names(cup)) == {each.robo_name for each in people if each not in through}


@pytest.mark.parametrize("kind", ["swiss", "marathon"])
def test_if_everyone_left_there_is_no_winner_and_the_page_says_so(
    kind: str, read: ReaderOf, table: Table, erin: User, alice: User, bob: User
) -> None:
    asked = {"starships": []} if kind == "marathon" else {}
    cup = opened(table, erin, alice, bob, kind=kind, **asked)  # type: ignore[arg-type]
    step(START)
    for person in (alice, bob):
        sanction(person, "bar", at=START)
    cup.refresh_from_db()
    step(cup.ends_at or last_round(cup).ends_at)
    cup.refresh_from_db()
    assert (cup.status, cup.ending, names(cup)) == ("finished", "nobody", [])
    assert "without a winner" in read(erin).get(cup.get_absolute_url())


def test_byes_are_announced(table: Table, erin: User, alice: User, bob: User, carol: User) -> None:
    cup = opened(table, erin, alice, bob, carol)
    step(START)
    notice = Notice.objects.get(kind="bye", channel="mail")
    assert notice.user and last_round(cup).tables.get(size=1).places.get().entrant.user == notice.user
    assert "You have a bye" in compose(notice).body


def test_confirming_before_the_start_and_leaving_after_the_end_are_refused(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup = opened(table, erin, alice, bob, rounds=1)
    with pytest.raises(Conflict, match="no round to confirm"):
        confirm_entry(user=alice, tournament_id=cup.pk, now=NOW)
    cancel_tournament(user=erin, tournament_id=cup.pk, now=NOW)
    for act in (confirm_entry, leave_tournament):
        with pytest.raises(Conflict, match="This tournament is over"):
            act(user=alice, tournament_id=cup.pk, now=NOW)


def test_a_bar_lists_the_tournaments_it_ends_for_the_player(
    table: Table, erin: User, alice: User, bob: User, carol: User, dave: User
) -> None:
    running = opened(table, erin, alice, bob, carol, name="First Cup")
    step(START)
    opened(table, erin, alice, dave, name="Second Cup", starts_at=START + 9 * DAY, now=START)
    leave_running(user=alice, now=START, barred=True)
    sanction(bob, "bar", at=START)
    leave_running(user=carol, now=START)
    step(last_round(running).ends_at)
    notices = Notice.objects.filter(kind="cup-out", channel="mail").order_by("pk")
    mails = [(each.user, compose(each).body) for each in notices]
    assert [user for user, _ in mails] == [alice, alice, bob]
    assert ["First Cup" in body for _, body in mails] == [True, False, True]
