"""Leases: only one worker at a time claims a row, and each attempt is counted."""

from datetime import timedelta

from accounts.models import AccountMail
from games.news.models import Notice
from roborunner.leases import take_back
from tests import cast
from tests.games.support import NOW

LEASE = timedelta(minutes=1)


def mail() -> AccountMail:
    return AccountMail.objects.create(
        kind="welcome", address="alice@example.org", created_at=NOW, good_until=NOW + timedelta(days=1)
    )


def attempts(row: AccountMail) -> int:
    return AccountMail.objects.get(pk=row.pk).attempts


def test_only_one_of_two_workers_claims_a_row(db: None) -> None:
    first = mail()
    second = AccountMail.objects.get(pk=first.pk)
    assert (first.claim(LEASE, now=NOW), second.claim(LEASE, now=NOW)) == (True, False)
    assert not AccountMail.free(NOW).exists()
    assert AccountMail.free(NOW + LEASE).get().claim(LEASE, now=NOW + LEASE)
    assert attempts(first) == 2


def test_a_worker_only_undoes_its_own_attempt(db: None) -> None:
    slow = mail()
    assert slow.claim(LEASE, now=NOW)
    other = AccountMail.free(NOW + LEASE).get()
    assert other.claim(LEASE, now=NOW + LEASE)
    take_back([slow], OSError("the disk is full"))
    assert (attempts(slow), slow.mine().exists()) == (2, False)
    take_back([other], OSError("the disk is full"))
    assert (attempts(slow), other.mine().exists()) == (1, True)


def test_a_row_settled_meanwhile_is_not_claimed(db: None) -> None:
    notice = Notice.objects.create(kind="bye", user=cast.alice(), turn=0, about=1, created_at=NOW)
    Notice.objects.update(status=Notice.Status.OUTDATED)
    assert not notice.claim(LEASE, now=NOW, status=Notice.Status.PENDING)
    assert Notice.objects.get().status == Notice.Status.OUTDATED
