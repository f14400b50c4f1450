"""A wave of scripted sign-ups is gone in three clicks, and no real person is."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client

from accounts import admission
from accounts.models import AccountMail, User
from accounts.sign_ups import SignUp, SignUpBlock
from games.admission import selectors, services
from games.admission.models import Removal, RemovalEntry
from games.admission.selectors import Criteria
from games.chat.models import ChatLine
from games.clubs.services import create_club, join_club
from games.dock.models import Review, ShipRating
from games.errors import Conflict, Forbidden
from games.people.contacts import follow
from games.people.models import Deletion
from games.play.models import Game
from tests.games.admin_pages import messages_in
from tests.games.support import NOW, Table, later

pytestmark = pytest.mark.django_db


@pytest.fixture
def erin_head(erin: User) -> User:
    """Erin, with every right of staff."""
    erin.user_permissions.add(*Permission.objects.all())
    return User.objects.get(pk=erin.pk)


@pytest.fixture
def staff(erin_head: User, client: Client) -> Client:
    client.force_login(erin_head)
    return client


def bots(number: int, *, ip: str = "203.0.113.9", confirmed: int = 0) -> list[User]:
    """Make scripted sign-ups before NOW, one a second. The first ``confirmed`` have confirmed the address."""
    made = []
    for index in range(number):
        email = f"bot{index}@spam.example"
        is_confirmed = index < confirmed
        user = User.objects.create_user(
            f"Rob{index}x",
            email if is_confirmed else "",
            None,
            date_joined=NOW - timedelta(seconds=number - index),
        )
        EmailAddress.objects.create(user=user, email=email, primary=True, verified=is_confirmed)
        admission.record_sign_up(user=user, ip=ip, token="", now=NOW)
        made.append(user)
    SignUp.objects.filter(user__in=made[:confirmed]).update(status=SignUp.Status.ADMITTED)
    return made


def criteria(**more: Any) -> Criteria:
    return Criteria(later(hours=-1), later(hours=1), **more)


def work_through(removal: Removal) -> None:
    for _ in range(removal.total):
        if services.continue_removal(removal_id=removal.pk, now=NOW):
            return
    raise AssertionError("the removal never ends")


def test_a_wave_is_found_by_time_network_and_domain(alice: User) -> None:
    wave = bots(3, confirmed=1)
    User.objects.filter(pk=alice.pk).update(date_joined=NOW)
    assert list(selectors.people_in(criteria(network="203.0.113.0/24"))) == wave
    assert list(selectors.people_in(criteria(network="203.0.113.200/32"))) == wave, "no more is known"
    assert list(selectors.people_in(criteria(domain="spam.example"))) == wave
    assert set(selectors.people_in(criteria())) == {alice, *wave}
    for other in (criteria(network="203.0.114.0/24"), criteria(domain="am.example")):
        assert not selectors.people_in(other).exists()
    assert not selectors.people_in(Criteria(later(hours=1), later(hours=2))).exists()


def test_three_clicks_remove_it_and_spare_the_real(
    staff: Client, duel: Game, alice: User, django_capture_on_commit_callbacks: Any
) -> None:
    wave = bots(12, confirmed=4)
    User.objects.filter(pk=alice.pk).update(date_joined=NOW)  # plays, from the same network
    admission.record_sign_up(user=alice, ip="203.0.113.20", token="", now=NOW)
    follow(user=wave[0], robo_name="Rob1x", now=NOW)
    ChatLine.objects.create(game=duel, user=wave[0], name="Rob0x", text="Buy pills", at=NOW)
    Game.objects.filter(pk=duel.pk).update(turn=9)

    front = staff.get("/admin/").content.decode()
    assert "/admin/games/removal/" in front
    first = staff.get("/admin/games/removal/").content.decode()  # click 1
    [link] = re.findall(r'href="(/admin/games/removal/look/[^"]*network=203[^"]*)"', first)
    look = staff.get(link.replace("&amp;", "&"))  # click 2
    page = look.content.decode()
    assert "Remove 12 accounts with everything they wrote" in page
    assert "Buy pills" in page and "played with people" in page
    hidden = dict(
        re.findall(r'name="(since|until|network|domain)" value="([^"]*)"', page.partition("csrf")[2])
    )
    sent = staff.post("/admin/games/removal/look/", {**hidden, "reason": "Spam", "block": "on"})  # click 3
    assert messages_in(sent) == ["12 accounts are being removed with everything they wrote."]

    removal = Removal.objects.get()
    with django_capture_on_commit_callbacks():
        work_through(removal)
    removal.refresh_from_db()
    assert (removal.total, removal.removed, removal.spared, removal.done_at) == (12, 12, 0, NOW)
    assert User.objects.filter(pk=alice.pk, deleted_at=None).exists()
    left = User.objects.filter(pk__in=[bot.pk for bot in wave])
    assert left.count() == 4 and not left.filter(deleted_at=None).exists()
    assert Deletion.objects.filter(takes_chat=True).count() == 4
    assert not AccountMail.objects.exists(), "scripts get no mail"
    assert SignUpBlock.objects.get().value == "203.0.113.0/24"
    assert LogEntry.objects.get(content_type__model="removal").change_message == "Removal of 12 accounts."


def test_marks_tell_real_people_from_scripts(alice: User, bob: User) -> None:
    wave = bots(4, confirmed=4)
    numbers = [bot.pk for bot in wave]
    for one in wave:
        follow(user=one, robo_name=wave[0].robo_name if one != wave[0] else wave[1].robo_name, now=NOW)
    club = create_club(user=wave[0], name="Bots", now=NOW)
    join_club(user=wave[1], slug=club.slug, now=NOW)
    assert list(selectors.marks_of(numbers)) == [], "scripts can follow each other"
    follow(user=alice, robo_name=wave[2].robo_name, now=NOW)
    join_club(user=bob, slug=club.slug, now=NOW)
    hall = create_club(user=alice, name="Open to everyone", now=NOW)
    join_club(user=wave[3], slug=hall.slug, now=NOW)
    marks = {(number, str(mark)) for number, mark in selectors.marks_of(numbers)}
    assert marks == {(wave[2].pk, "followed"), (wave[0].pk, "club")}, "scripts can join an open club"


def test_people_of_the_wave_who_stay_are_no_mark_of_its_scripts(erin_head: User, alice: User) -> None:
    """A real person on the same network follows a script, and stays. The script goes."""
    script, person = bots(2, confirmed=2)
    follow(user=alice, robo_name=person.robo_name, now=NOW)
    follow(user=person, robo_name=script.robo_name, now=NOW)
    chosen = criteria(domain="spam.example")
    removal = services.remove_wave(
        user=erin_head, criteria=chosen, keep=(), include=(), reason="Spam", now=NOW
    )
    work_through(removal)
    assert list(selectors.people_in(chosen)) == [person]


def test_texts_and_stars_of_scripts_go_even_if_real_people_are_near(
    erin_head: User, alice: User, bob: User, table: Table
) -> None:
    (script,) = bots(1, confirmed=1)
    club = create_club(user=script, name="Cheap pills", text="Buy pills", now=NOW)
    join_club(user=bob, slug=club.slug, now=NOW)
    create_club(user=alice, name=f"Club {club.pk}", now=NOW)  # it has the neutral name
    old = create_club(user=alice, name="Dock Nine", text="Real", now=NOW)
    join_club(user=script, slug=old.slug, now=later(minutes=1))
    ship = table.starship
    for author, stars in ((alice, 5), (script, 1)):
        Review.objects.create(
            starship=ship, revision=ship.current, author=author, stars=stars, written_at=NOW, text="Pills"
        )
    work_through(
        services.remove_wave(
            user=erin_head,
            criteria=criteria(domain="spam.example"),
            keep=(),
            include={script.pk},
            reason="S",
            now=NOW,
        )
    )
    club.refresh_from_db()
    assert club.name.startswith(f"Club {club.pk}-") and club.text == ""
    assert "pills" not in club.slug
    assert list(club.memberships.values_list("user", "role")) == [(bob.pk, "captain")]
    old.refresh_from_db()
    assert (old.name, old.text) == ("Dock Nine", "Real")
    assert [review.stars for review in Review.objects.all()] == [5]
    assert ShipRating.objects.get(starship=ship).total == 5


def test_people_who_turn_out_to_be_real_meanwhile_stay(erin_head: User, alice: User) -> None:
    wave = bots(3, confirmed=3)
    given = {"criteria": criteria(domain="spam.example"), "reason": "Spam", "now": NOW}
    removal = services.remove_wave(user=erin_head, keep={wave[0].pk}, include=(), **given)
    assert removal.total == 2
    follow(user=alice, robo_name=wave[1].robo_name, now=NOW)
    work_through(removal)
    assert services.continue_removal(removal_id=removal.pk, now=NOW) is False, "it is done once"
    removal.refresh_from_db()
    assert (removal.removed, removal.spared) == (1, 1)
    assert User.objects.filter(pk__in=[bot.pk for bot in wave], deleted_at=None).count() == 2
    assert not RemovalEntry.objects.exists()
    services.remove_wave(user=erin_head, keep=(), include={wave[1].pk}, **given)
    assert set(RemovalEntry.objects.values_list("person", "forced")) == {
        (wave[0].pk, False),
        (wave[1].pk, True),
    }


def test_staff_are_never_part_of_a_wave(erin_head: User, alice: User) -> None:
    User.objects.update(date_joined=NOW)
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    assert list(selectors.people_in(criteria())) == []
    with pytest.raises(Conflict):
        services.remove_wave(user=erin_head, criteria=criteria(), keep=(), include=(), reason="Spam", now=NOW)
    with pytest.raises(Forbidden):
        services.remove_wave(user=alice, criteria=criteria(), keep=(), include=(), reason="Spam", now=NOW)


def test_a_choice_that_is_wrong_is_explained(staff: Client) -> None:
    page = staff.get("/admin/games/removal/look/", {"since": "soon", "network": "nine", "domain": "a b"})
    text = page.content.decode()
    assert page.status_code == 200
    assert "Enter a valid date/time." in text and "Enter a network such as" in text
