"""Another call runs between any two SQL statements of a report or decision."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any

import pytest

from accounts.models import User
from games.dock.reviews import take_back_review
from games.errors import Conflict, NotFound
from games.fleet.models import Starship
from games.moderation.models import Case, Moderation, Report, Sanction
from games.moderation.services.decisions import dismiss_case, warn
from games.moderation.services.reports import report_player, report_review, report_starship
from games.moderation.services.takedown import dismiss_reports, take_down_reported, take_down_starship
from games.news.models import Notice
from games.people.models import Deletion
from games.people.services.deletion import delete_account, erase
from tests import cast
from tests.games.deletions import SETTLED, SOON
from tests.games.dock.prototypes import called, published
from tests.games.dock.reviewed import finished, review
from tests.games.moderation.staffing import WHY, reported, staffed
from tests.games.shipyard.tunnels import LANE
from tests.games.support import NOW
from tests.games.together import Call, Interleaved, interleave_everywhere

pytestmark = pytest.mark.django_db(transaction=True)

REASON: dict[str, Any] = {"reason": "Copied from the Tin Canoe.", "now": NOW}


@pytest.fixture
def names() -> Iterator[str]:
    """An iterator of names for new players."""
    return (f"Player-{number}" for number in count(1))


def check_deleted(done: Interleaved, kind: type[Any]) -> None:
    """Check that the account and its cases are deleted.

    The other call must have succeeded or found no account.
    """
    assert isinstance(done.second, Deletion) and isinstance(done.first, kind | NotFound)
    erase(deletion_id=done.second.pk, now=SOON)
    assert erase(deletion_id=done.second.pk, now=SETTLED)
    assert not Case.objects.exists()


def test_a_player_deleted_meanwhile_has_no_case(names: Iterator[str]) -> None:
    def prepare() -> tuple[Call, Call]:
        reporter, person = cast.person(next(names)), cast.person(next(names))
        about: dict[str, Any] = {"robo_name": person.robo_name, "about": "name", "rule": "polite"}
        report = partial(report_player, user=reporter, **about, now=NOW)
        return report, partial(delete_account, user=person, now=NOW)

    def check(done: Interleaved) -> None:
        check_deleted(done, Report)

    assert interleave_everywhere(prepare, check, stride=4) > 6


def test_a_decision_about_an_account_deleted_meanwhile_finds_no_case(names: Iterator[str]) -> None:
    staff = staffed(cast.erin())

    def prepare() -> tuple[Call, Call]:
        reporter, person = cast.person(next(names)), cast.person(next(names))
        case = reported(reporter, person).case
        decide = partial(warn, user=staff, case_id=case.pk, **WHY)
        return decide, partial(delete_account, user=person, now=NOW)

    def check(done: Interleaved) -> None:
        check_deleted(done, Sanction)

    assert interleave_everywhere(prepare, check, stride=4) > 6


def test_of_two_moderators_with_one_case_the_first_decides(names: Iterator[str]) -> None:
    erin, mia = staffed(cast.erin()), staffed(cast.person("Mia"))

    def prepare() -> tuple[Call, Call]:
        reporter, person = cast.person(next(names)), cast.person(next(names))
        case = reported(reporter, person).case
        dismiss = partial(dismiss_case, user=mia, case_id=case.pk, now=NOW)
        return dismiss, partial(warn, user=erin, case_id=case.pk, **WHY)

    def check(done: Interleaved) -> None:
        case = Case.objects.latest("pk")
        assert [type(each) for each in done[:2]] in ([Case, Conflict], [Conflict, Sanction])
        assert case.dismissed == (not case.sanctions.exists())
        assert Notice.objects.filter(kind="reported", user=case.reports.get().reporter).count() == 1

    assert interleave_everywhere(prepare, check) > 6


def ship_of(builder: User) -> Starship:
    return published(builder, called(builder, f"Canoe {builder.pk}", *LANE)).starship


def test_of_two_moderators_with_one_ship_the_first_decides(names: Iterator[str]) -> None:
    erin = cast.erin()

    def prepare() -> tuple[Call, Call]:
        ship = ship_of(cast.person(next(names)))
        given: dict[str, Any] = {"starship_id": ship.pk, "reason": "copied", "now": NOW}
        case = report_starship(user=cast.person(next(names)), **given).case
        decided: dict[str, Any] = {"user": erin, "case_id": case.pk, **REASON}
        return partial(take_down_reported, **decided), partial(dismiss_reports, **decided)

    def check(done: Interleaved) -> None:
        case = Case.objects.latest("pk")
        kept = Moderation.objects.get(starship=case.starship)
        assert [type(each) for each in done[:2]].count(Conflict) == 1
        assert case.dismissed == (kept.action == "dismiss")
        assert case.starship and (case.starship.taken_down_at is None) == case.dismissed

    assert interleave_everywhere(prepare, check, stride=3) > 6


def test_a_ship_is_taken_down_once(names: Iterator[str]) -> None:
    erin = cast.erin()

    def prepare() -> tuple[Call, Call]:
        ship = ship_of(cast.person(next(names)))
        take_down = partial(take_down_starship, user=erin, starship_id=ship.pk, **REASON)
        return take_down, take_down

    def check(done: Interleaved) -> None:
        assert [type(each) for each in done[:2]].count(Conflict) == 1
        assert Moderation.objects.filter(starship=Starship.objects.latest("pk")).count() == 1

    assert interleave_everywhere(prepare, check, stride=3) > 6


def test_a_review_deleted_meanwhile_has_no_case(names: Iterator[str]) -> None:
    erin = cast.erin()

    def prepare() -> tuple[Call, Call]:
        ship, author = ship_of(cast.person(next(names))), cast.person(next(names))
        finished(ship, author)
        said = review(author, ship)
        given: dict[str, Any] = {"review_id": said.pk, "reason": "offensive", "now": NOW}
        case = report_review(user=cast.person(next(names)), starship_id=ship.pk, **given).case
        decide = partial(take_down_reported, user=erin, case_id=case.pk, **REASON)
        return decide, partial(take_back_review, user=author, starship_id=ship.pk)

    def check(done: Interleaved) -> None:
        refused = [each for each in done[:2] if isinstance(each, Exception)]
        assert len(refused) == 1 and isinstance(refused[0], Conflict | NotFound)
        assert not Case.objects.filter(decided_at=None).exists()

    assert interleave_everywhere(prepare, check, stride=3) > 6
