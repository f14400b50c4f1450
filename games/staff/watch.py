"""Watch the site, and send the operator messages about troubles that begin, last and pass.

The watch is a process that needs neither workers nor Redis. It looks at the site every few seconds.
The database stores its incidents. A file has a copy for times without a database, so that a restart of the
process does not repeat messages. Several watches may run: one of them holds a lease, and the others wait.
"""

import fcntl
import json
import logging
import os
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4

from django.conf import settings
from django.db import DatabaseError, IntegrityError, InterfaceError, connection, transaction
from django.db.models import Q

from games.staff import operator
from games.staff.incidents import (
    BLIND,
    SILENT_DATABASE,
    Trouble,
    inside_troubles,
    is_expected,
    judged_keys,
    outside_troubles,
)
from games.staff.models import Incident, Watcher
from games.staff.operator import Message
from roborunner.postgres import connections

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 15.0
"""Seconds between two looks at the site."""

LEASE: Final = timedelta(seconds=45)
"""The time after its last look until another process may watch."""

SENDING_LEASE: Final = timedelta(minutes=2)
"""The same while a process sends a message, which can take `WAY_SECONDS` for each way."""

PASSES_AFTER: Final = timedelta(minutes=1)
"""The time without a trouble after which it counts as passed."""

MESSAGE_PAUSE: Final = timedelta(seconds=30)
"""The minimum time between two messages. Troubles that begin meanwhile are in one message."""

FIRST_REMINDER: Final = timedelta(hours=1)
REMINDER: Final = timedelta(days=1)
"""The times until the first and each further message about a trouble that lasts."""

MONITOR_PAUSE: Final = timedelta(seconds=55)
"""The minimum time between two calls of the outside monitor. The looks make a minute of it."""

DESCRIBED: Final = 3
"""The maximum number of incidents of a kind that a message describes. If there are more, it lists them."""

NAMED: Final = 10
"""The maximum number of incidents of a kind that a message lists. It counts the rest."""

NAMED_IN_TITLE: Final = 2
"""The maximum number of incidents that the title of a message names."""

WRITE_SECONDS: Final = 5.0
"""The maximum number of seconds to read or write the incidents."""

FILE_FORMAT: Final = "watch/1"

COLUMNS: Final = ("key", "subject", "detail", "advice", "path", "messages")
TIMES: Final = ("opened_at", "gone_at", "sent_at", "ended_at")

Incidents = dict[str, Incident]
"""Open incidents by key."""


class Watch:
    """A process that watches the site. ``looked`` are the troubles of its last look, by key."""

    def __init__(self, *, now: datetime, directory: str | None = None) -> None:
        self._holder: UUID = uuid4()
        self._started_at = now
        self._directory = Path(directory) if directory else None
        self._pending: dict[str, datetime] = {}
        self._unsaved: set[str] = set()
        self._incidents: Incidents = self._read_file()
        self._message_at: datetime | None = None
        self._called_at: datetime | None = None
        self._judged: frozenset[str] | None = None
        self._has_database = True
        self._lock: int | None = None
        self.looked: dict[str, Trouble] = {}

    def look(self, *, now: datetime) -> None:
        """Look at the site once. Send a message if one is due, and store it."""
        silence, leads = self._load(now)
        if not leads:
            self._save()
            return
        self._limit_times(now)
        silence = self.see(silence, now=now)
        expected = is_expected(now=now, silent=bool(silence))
        if expected:
            self.looked = {}
        # During maintenance, incidents neither begin nor end.
        self._judged = frozenset() if expected else judged_keys(self.looked)
        self._has_database = not silence
        self._note(now)
        self._tell(now)
        self._save()
        if not self._incidents and not self._pending:
            self._call_monitor(now)

    def see(self, silence: str = "", *, now: datetime) -> str:
        """Find the troubles, and change nothing. Return the type of the database's error, or "".

        ``silence`` is that type, if it is known already.
        """
        found: list[Trouble] = []
        try:
            found += outside_troubles()
            if not silence:
                found += inside_troubles(started_at=self._started_at, now=now)
        except (DatabaseError, InterfaceError) as error:
            silence = type(error).__name__
        except Exception as error:  # a fault of one check must not hide all troubles
            logger.exception("The watch could not finish its look")
            found.append(BLIND._replace(detail=f"{BLIND.detail} ({type(error).__name__})"))
        if silence:
            found.append(SILENT_DATABASE._replace(detail=f"{SILENT_DATABASE.detail} ({silence})"))
        self.looked = {trouble.key: trouble for trouble in found}
        return silence

    def stop(self, *, now: datetime) -> None:
        """Release the lease, so that the next process watches at once."""
        try:
            with connections.within(WRITE_SECONDS, least=1.0):
                Watcher.objects.filter(pk=1, holder=self._holder).update(lease_until=now)
        except (DatabaseError, InterfaceError):
            _drop_connection()  # the lease ends by its time

    def _limit_times(self, now: datetime) -> None:
        """Replace times in the future by ``now``, so that a clock that was set back silences nothing."""
        self._started_at = min(self._started_at, now)
        self._pending = {key: min(since, now) for key, since in self._pending.items()}
        self._message_at = self._message_at and min(self._message_at, now)
        self._called_at = self._called_at and min(self._called_at, now)
        for key, incident in self._incidents.items():
            for name in ("gone_at", "sent_at"):
                if (time := getattr(incident, name)) and time > now:
                    setattr(incident, name, now)
                    self._unsaved.add(key)

    # --- Incidents ------------------------------------------------------------------------------------------

    def _note(self, now: datetime) -> None:
        """Open incidents for new troubles, and note which troubles are gone."""
        for key, trouble in self.looked.items():
            incident = self._incidents.get(key)
            if incident is not None and incident.ended_at is None:
                if incident.gone_at is not None:
                    incident.gone_at = None
                    self._unsaved.add(key)
                continue
            since = self._pending.setdefault(key, now)
            if now - since >= trouble.patience:
                self._incidents[key] = _incident(trouble, since)
                self._unsaved.add(key)
        for key in list(self._pending):
            if key not in self.looked or key in self._incidents:
                del self._pending[key]
        for key, incident in self._incidents.items():
            if self._is_judged(key) and key not in self.looked and incident.gone_at is None:
                incident.gone_at = now
                self._unsaved.add(key)

    def _is_judged(self, key: str) -> bool:
        return self._judged is None or key in self._judged

    def _tell(self, now: datetime) -> None:
        """Send one message with everything that is due. After a failure, the next look tries again."""
        current = [each for each in self._incidents.values() if each.ended_at is None]
        seen = [each for each in current if each.gone_at is None and self._is_judged(each.key)]
        new = [each for each in seen if each.sent_at is None]
        lasting = [each for each in seen if _is_due_again(each, now)]
        gone = [each for each in current if each.gone_at and now - each.gone_at >= PASSES_AFTER]
        self._end([each for each in gone if each.sent_at is None], now)
        passed = [each for each in gone if each.sent_at is not None]
        if not (new or lasting or passed):
            return
        if self._message_at is not None and now - self._message_at < MESSAGE_PAUSE:
            return
        message = compose(new=new, lasting=lasting, passed=passed, now=now)
        if self._has_database:
            Watcher.objects.filter(pk=1, holder=self._holder).update(lease_until=now + SENDING_LEASE)
        outcome = operator.send(message, now=now, database=self._has_database)
        logger.warning("%s (sent by: %s)", message.title, ", ".join(outcome.sent) or "none")
        if not outcome.sent and operator.is_reachable():
            return
        self._message_at = now
        for each in (*new, *lasting):
            each.sent_at, each.messages = now, each.messages + 1
            self._unsaved.add(each.key)
        self._end(passed, now)

    def _end(self, incidents: Iterable[Incident], now: datetime) -> None:
        for each in incidents:
            each.ended_at = now
            self._unsaved.add(each.key)

    def _call_monitor(self, now: datetime) -> None:
        if self._called_at is not None and now - self._called_at < MONITOR_PAUSE:
            return
        if reason := operator.call_monitor():
            logger.warning("The monitor at MONITOR_URL does not answer: %s", reason)
        else:
            self._called_at = now

    # --- Memory ---------------------------------------------------------------------------------------------

    def _load(self, now: datetime) -> tuple[str, bool]:
        """Read the open incidents. Return the type of the database's error, and whether this process leads.

        Without a database, one process of each directory leads.
        """
        try:
            with connections.within(WRITE_SECONDS, least=1.0):
                leads = self._lead(now)
                rows = {each.key: each for each in Incident.objects.filter(ended_at=None)}
        except (DatabaseError, InterfaceError) as error:
            logger.warning("The watch could not read its incidents: %s", type(error).__name__)
            _drop_connection()
            return type(error).__name__, self._locks_file()
        # What was sent without the database counts more than its rows.
        for key in self._unsaved:
            if mine := self._incidents.get(key):
                mine.pk = rows[key].pk if key in rows else None
                rows[key] = mine
        self._incidents = rows
        return "", leads

    def _lead(self, now: datetime) -> bool:
        """Take or keep the lease. Return whether this process holds it."""
        values = {"lease_until": now + LEASE, "looked_at": now}
        # A lease that ends far in the future comes from a wrong clock.
        free = Q(holder=self._holder) | Q(lease_until__lte=now) | Q(lease_until__gt=now + 2 * SENDING_LEASE)
        if Watcher.objects.filter(free, pk=1).update(holder=self._holder, **values):
            return True
        _, is_new = Watcher.objects.get_or_create(pk=1, defaults={"holder": self._holder, **values})
        return is_new

    def _save(self) -> None:
        """Write the changed incidents to the database, or to the file while it does not answer."""
        for key in list(self._unsaved):
            try:
                with connections.within(WRITE_SECONDS, least=1.0), transaction.atomic():
                    self._incidents[key].save()
            except IntegrityError:  # another watch has opened it meanwhile: the next look reads it
                self._unsaved.discard(key)
            except (DatabaseError, InterfaceError):
                _drop_connection()
                break
            else:
                self._unsaved.discard(key)
                if self._incidents[key].ended_at is not None:
                    del self._incidents[key]
        self._write_file()

    def _locks_file(self) -> bool:
        """Return whether this process alone uses the directory. Without a directory, it leads anyway."""
        if self._directory is None:
            return True
        if self._lock is None:
            self._lock = os.open(self._directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _read_file(self) -> Incidents:
        if self._directory is None:
            return {}
        try:
            document = json.loads((self._directory / "incidents.json").read_text())
            if document["format"] != FILE_FORMAT:
                return {}
            found = {each["key"]: _from_document(each) for each in document["incidents"]}
            self._unsaved = set(document["unsaved"]) & found.keys()
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError):
            logger.exception("The watch could not read its file")
            return {}
        return found

    def _write_file(self) -> None:
        if self._directory is None:
            return
        document = {
            "format": FILE_FORMAT,
            "incidents": [_to_document(each) for each in self._incidents.values()],
            "unsaved": sorted(self._unsaved),
        }
        text, file = json.dumps(document, indent=1), self._directory / "incidents.json"
        try:
            if file.exists() and file.read_text() == text:
                return
            new = file.with_suffix(".new")
            new.write_text(text)
            new.replace(file)
        except OSError:
            logger.exception("The watch could not write its file")


def _incident(trouble: Trouble, since: datetime) -> Incident:
    return Incident(
        key=trouble.key,
        subject=trouble.subject[:200],
        detail=trouble.detail,
        advice=trouble.advice,
        path=trouble.path,
        opened_at=since,
    )


def _is_due_again(incident: Incident, now: datetime) -> bool:
    if incident.sent_at is None:
        return False
    return now - incident.sent_at >= (FIRST_REMINDER if incident.messages == 1 else REMINDER)


def _to_document(incident: Incident) -> dict[str, Any]:
    times = {name: getattr(incident, name) for name in TIMES}
    return {
        "pk": incident.pk,
        **{name: getattr(incident, name) for name in COLUMNS},
        **{name: time.isoformat() if time else None for name, time in times.items()},
    }


def _from_document(document: Mapping[str, Any]) -> Incident:
    times = {name: document[name] for name in TIMES}
    return Incident(
        pk=document["pk"],
        **{name: document[name] for name in COLUMNS},
        **{name: datetime.fromisoformat(time) if time else None for name, time in times.items()},
    )


def _drop_connection() -> None:
    """Close the connection, which may be broken. The next look opens a new one."""
    if not connection.in_atomic_block:
        connection.close()


# --- Messages -----------------------------------------------------------------------------------------------


def compose(
    *, new: list[Incident], lasting: list[Incident], passed: list[Incident], now: datetime
) -> Message:
    """Return the message about incidents that are new, that last, and that have passed."""
    worst = new or lasting or passed
    said = "; ".join(each.subject for each in worst[:NAMED_IN_TITLE])
    if len(worst) > NAMED_IN_TITLE:
        said += f"; {len(worst) - NAMED_IN_TITLE} more"
    state = "problem" if new or lasting else "passed"
    words = {"problem": said if new else f"Still: {said}", "passed": f"Passed: {said}"}
    parts = [
        *_described(new, "New", now),
        *_described(lasting, "Still open", now),
        *_described(passed, "Passed", now),
    ]
    documents = [
        _document(each, kind) for kind, group in _by_state(new, lasting, passed) for each in group[:NAMED]
    ]
    return Message(
        state=state,
        title=f"[{settings.SITE_HOST}] {words[state]}",
        text="\n\n".join(parts),
        url=_url_of(worst[0].path if len(worst) == 1 and worst[0].path else "/admin/games/incident/"),
        incidents=documents,
    )


def message_for_test() -> Message:
    """Return a test message."""
    text = "This is a test. Messages about incidents of this site reach you."
    return Message("test", f"[{settings.SITE_HOST}] Test message", text, _url_of("/"))


def _by_state(
    new: list[Incident], lasting: list[Incident], passed: list[Incident]
) -> list[tuple[str, list[Incident]]]:
    return [("new", new), ("lasting", lasting), ("passed", passed)]


def _described(incidents: list[Incident], heading: str, now: datetime) -> list[str]:
    """Return a paragraph for each of the incidents, or a list if there are many."""
    if len(incidents) > DESCRIBED:
        more = len(incidents) - NAMED
        listed = [f"- {each.subject}" for each in incidents[:NAMED]]
        return ["\n".join([f"{heading}:", *listed, *([f"- {more} more"] if more > 0 else [])])]
    parts = []
    for each in incidents:
        lines = [f"{heading}: {each.subject}."]
        lines.append(f"Since {each.opened_at:%Y-%m-%d %H:%M} UTC ({_length(now - each.opened_at)}).")
        if heading != "Passed":
            advice = f"What to do: {each.advice}" if each.advice else ""
            lines += filter(None, [each.detail, advice, _url_of(each.path) if each.path else ""])
        parts.append("\n".join(lines))
    return parts


def _length(time: timedelta) -> str:
    """Return a length of time in words, for messages in English.

    >>> _length(timedelta(seconds=100)), _length(timedelta(minutes=100)), _length(timedelta(days=3))
    ('1 min', '1 h', '3 d')
    """
    minutes = int(time.total_seconds() // 60)
    for size, unit in ((24 * 60, "d"), (60, "h")):
        if minutes >= size:
            return f"{minutes // size} {unit}"
    return f"{minutes} min"


def _document(incident: Incident, state: str) -> dict[str, Any]:
    return {
        "key": incident.key,
        "state": state,
        "subject": incident.subject,
        "detail": incident.detail,
        "advice": incident.advice,
        "since": incident.opened_at.isoformat().replace("+00:00", "Z"),
        "url": _url_of(incident.path) if incident.path else None,
    }


def _url_of(path: str) -> str:
    return settings.BASE_URL + path
