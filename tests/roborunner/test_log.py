"""The log contains context for each line, and no secrets."""

import io
import json
import logging
import time
from collections.abc import Callable, Iterator
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.conf import settings as django_settings
from django.core import mail
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.template import RequestContext
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.models import User
from games.errors import describe_error
from games.people.tokens import make_token
from games.play.models import Game, Hand, Turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from roborunner.celery import app
from roborunner.environment import LoginProvider
from roborunner.operations import log
from roborunner.operations.probes import ProbeMiddleware
from tests import cast
from tests.games.support import HALL, Table, hand_of, open_turn, orders_for
from tests.support.loaded import ForkedWorker
from tests.support.worker import Worker

Lines = Callable[[], list[dict[str, Any]]]

SEED = "a-seed-that-nobody-knows"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """The stream of JSON log lines that are written during the test."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(log.JsonLines())
    logging.getLogger().addHandler(handler)
    yield stream
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def lines(written: io.StringIO) -> Lines:
    """A function that returns the log lines of `written`, parsed."""
    return lambda: [json.loads(line) for line in written.getvalue().splitlines()]


@pytest.fixture
def alice(db: None) -> User:
    return cast.alice()


@pytest.fixture
def bob(db: None) -> User:
    return cast.bob()


@pytest.mark.django_db
def test_a_request_for_another_host_takes_one_line(lines: Lines) -> None:
    for host in ("evil.example.org", "localhost:1", "x" * 5000, "a\x1bb"):
        assert Client().get("/rules/", headers={"host": host}).status_code == 400
    found = lines()
    assert [(line["message"], line["status"]) for line in found] == [("answered", 400)] * 4
    assert found[0]["host"] == "'evil.example.org'"
    assert len(found[2]["host"]) == 100
    assert "\x1b" not in found[3]["host"]
    assert not any("error" in line for line in found)


@pytest.mark.django_db
def test_other_suspicious_requests_take_one_line_without_a_traceback(
    written: io.StringIO, lines: Lines, settings: Any
) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 2
    handler = logging.getLogger().handlers[-1]
    handler.addFilter(log.SuspiciousRequestFilter())
    assert Client().post("/accounts/login/", {"a": 1, "b": 2, "c": 3}).status_code == 400
    (line,) = (line for line in lines() if line["logger"].startswith("django.security"))
    assert (line["level"], "error" in line) == ("warning", False)


@pytest.fixture
def duel(alice: User, bob: User) -> Game:
    game: Game = Table(HALL.saved()).game(alice, bob, seed=SEED, private=True, now=timezone.now())
    return game


class TestALine:
    def test_it_is_always_a_json_object(self, written: io.StringIO, lines: Lines) -> None:
        logging.getLogger("games").warning('Two\nlines, "quoted", of game %d', 7, extra={"game": 7})
        (line,) = lines()
        assert line["message"] == 'Two\nlines, "quoted", of game 7'
        assert (line["level"], line["logger"], line["game"]) == ("warning", "games", 7)
        assert line["at"].endswith("Z")

    def test_people_can_read_it(self) -> None:
        record = logging.makeLogRecord(
            {"name": "games", "levelname": "INFO", "msg": "Turn %d was played", "args": (3,), "game": 7}
        )
        with log.log_facts(request="abc"):
            line = log.ReadableLines().format(record)
        assert line.endswith("INFO games: Turn 3 was played [request=abc game=7]")

    def test_it_has_its_context_and_no_older_one(self, lines: Lines) -> None:
        with log.log_facts(request="abc"):
            log.note_facts(game=7)
            logging.getLogger("games").warning("within")
        logging.getLogger("games").warning("after")
        within, after = lines()
        assert (within["request"], within["game"]) == ("abc", 7)
        assert "request" not in after
        assert "game" not in after

    def test_facts_from_a_thread_count_for_the_whole_request(self, lines: Lines) -> None:
        with log.log_facts(request="abc"):
            copy_context().run(log.note_facts, game=7)
            logging.getLogger("games").warning("within")
        assert lines()[0]["game"] == 7

    def test_it_has_the_traceback_of_an_error(self, lines: Lines) -> None:
        try:
            raise ValueError("No such board")
        except ValueError:
            logging.getLogger("games").exception("Failed")
        (line,) = lines()
        assert line["error"].endswith("ValueError: No such board")
        assert "test_log.py" in line["error"]

    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            (
                "connect to postgresql://robo:hush-hush@db:5432/games",
                "connect to postgresql://…@db:5432/games",
            ),
            ("redis://:hush-hush@redis:6379/0 is away", "redis://…@redis:6379/0 is away"),
            ("Authorization: Bearer hush-hush-hush", "Authorization: Bearer …"),
            ("got robo_hushhushhushhushhushhush", "got robo_…"),
            ("GET /games/7/?link=hush-hush&page=2", "GET /games/7/?link=…&page=2"),
            (
                "SMTPRecipientsRefused: {'hush.hush+1@mail.example.org': (550, b'<hush@example.org> moved')}",
                "SMTPRecipientsRefused: {'…@mail.example.org': (550, b'<…@example.org> moved')}",
            ),
            ("celery@worker-1 is ready", "celery@worker-1 is ready"),
            (
                "Cookie: robo-runner-session=hush; robo-runner-csrf=hush",
                "Cookie: robo-runner-session=…; robo-runner-csrf=…",
            ),
            ("refused\nDETAIL:  Failing row contains (hush,\n hush).\n", "refused\nDETAIL: …\n"),
            (
                "raised IntegrityError('refused\\nDETAIL:  Failing row (hush, hush).\\nHINT:  Mind it.')",
                "raised IntegrityError('refused\\nDETAIL: …\\nHINT:  Mind it.')",
            ),
            (
                "UniqueViolation('refused\\nDETAIL:  Key (hush)')\nnext",
                "UniqueViolation('refused\\nDETAIL: …\nnext",
            ),
            (
                "wrong\nLINE 1: SELECT 'hush'\n               ^\nHINT:  Mind it.",
                "wrong\nLINE 1: …\nHINT:  Mind it.",
            ),
        ],
    )
    def test_it_leaves_out_secrets_in_foreign_errors(self, text: str, kept: str) -> None:
        assert log.scrubbed(text) == kept

    def test_it_leaves_out_the_secrets_of_the_settings(self, settings: Any) -> None:
        settings.EMAIL_HOST_PASSWORD = "hush-hush"
        settings.METRICS_TOKEN = "also-hush-hush"
        settings.MAIL_EVENTS_SECRET = "hush-of-the-provider"
        settings.SECRET_KEY_FALLBACKS = ["hush-of-yesterday"]
        settings.REDIS_URL = "redis://:hush-of-redis@redis:6379/0"
        settings.BOUNCE_MAILBOX = "pop3s://robo:hush%2Dof-the-mailbox@mail.example.org"
        settings.BACKUP_COPY = "s3://robo:hush-of-the-copies@s3.example.org/robo"
        settings.OIDC = LoginProvider("Home", "https://id.example.org", "robo", "hush-of-the-login", False)
        text = (
            f"{settings.SECRET_KEY} hush-hush also-hush-hush hush-of-yesterday hush-of-redis"
            " hush-of-the-copies hush-of-the-login"
            " hush-of-the-mailbox hush%2Dof-the-mailbox hush-of-the-provider"
        )
        assert "hush" not in log.scrubbed(text)
        assert settings.SECRET_KEY not in log.scrubbed(text)


class TestARequest:
    def test_it_leaves_a_line_with_its_number(
        self, client: Client, duel: Game, alice: User, lines: Lines
    ) -> None:
        client.force_login(alice)
        response = client.get(f"/games/{duel.pk}/")
        (line,) = [line for line in lines() if line["logger"] == "roborunner.requests"]
        assert line["request"] == response["X-Request-ID"]
        assert (line["view"], line["method"], line["status"]) == ("games:game", "GET", 200)
        assert line["game"] == duel.pk
        assert line["ms"] >= 0

    def test_it_keeps_the_number_from_a_proxy(self, client: Client, db: None) -> None:
        given = "0123abcd-0123-abcd"
        assert client.get("/nowhere/", headers={"x-request-id": given})["X-Request-ID"] == given

    @pytest.mark.parametrize("given", ["short", "a" * 65, 'quote"and\\more', "ümlaut-ümlaut"])
    def test_it_refuses_an_odd_number(self, client: Client, db: None, given: str) -> None:
        assert client.get("/nowhere/", headers={"x-request-id": given})["X-Request-ID"] != given

    @pytest.mark.parametrize(("status", "told"), [(200, 0), (304, 0), (404, 1)])
    def test_one_for_a_file_leaves_a_line_only_if_the_file_is_missing(
        self, lines: Lines, status: int, told: int
    ) -> None:
        answer = ProbeMiddleware(lambda request: HttpResponse(status=status))
        answer(RequestFactory().get("/static/site/site.css"))
        assert len(lines()) == told

    def test_a_failed_probe_is_logged_with_its_address(self, client: Client, db: None, lines: Lines) -> None:
        assert client.get("/readyz").status_code == 503
        assert [line["message"] for line in lines()] == ["Service Unavailable: /readyz"]

    def test_a_failed_one_is_logged_with_its_view(
        self, duel: Game, alice: User, lines: Lines, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client = failing(monkeypatch)
        client.force_login(alice)
        response = client.get(f"/games/{duel.pk}/?link={duel.link_token}")
        assert response.status_code == 500
        (line,) = [line for line in lines() if line["logger"] == "django.request"]
        assert line["message"] == "Internal Server Error: games:game"
        assert line["request"] == response["X-Request-ID"]
        assert "RuntimeError: no page today" in line["error"]


def failing(monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return a client of a site where every page raises an error."""

    def bind_template(*_: object) -> str:
        raise RuntimeError("no page today")

    monkeypatch.setattr(RequestContext, "bind_template", bind_template)  # error pages do not use it
    return Client(raise_request_exception=False)


@pytest.mark.usefixtures("mailoutbox")
@pytest.mark.parametrize("broken", [False, True], ids=["as it should", "while all pages fail"])
def test_no_secret_of_requests_gets_into_the_log(
    duel: Game, alice: User, bob: User, written: io.StringIO, monkeypatch: pytest.MonkeyPatch, broken: bool
) -> None:
    password, wrong, new = "correct horse battery", "wrong horse battery", "staple of the new horse"
    alice.set_password(password)
    alice.save()
    token = make_token(user=alice, now=timezone.now())
    client = Client(raise_request_exception=False)
    client.post("/accounts/password/reset/", {"email": alice.email})
    reset = next(word for word in mail.outbox[-1].body.split() if "/password/reset/key/" in word)
    key = reset.rstrip("/").rpartition("/")[2]
    if broken:
        client = failing(monkeypatch)
    client.post("/accounts/login/", {"login": "Alice", "password": wrong})
    client.post("/accounts/login/", {"login": "Alice", "password": password})
    if broken:
        client.force_login(alice)
    session = client.cookies["robo-runner-session"].value
    client.get(f"/games/{duel.pk}/?link={duel.link_token}")
    client.get(f"/games/{duel.pk}/nowhere/{duel.link_token}/")
    client.get(f"/accounts/password/reset/key/{key}/", follow=True)
    client.post("/accounts/password/change/", {"oldpassword": password, "password1": new})
    shown = {"authorization": f"Bearer {token}"}
    api = Client(raise_request_exception=False)
    api.get(f"/api/v1/games/{duel.pk}", headers=shown)
    api.get(f"/api/v1/games/{duel.pk}", headers={"authorization": f"Bearer {token}x"})
    for player in (alice, bob):
        api.force_login(player)
        submit_orders(
            user=player, game_id=duel.pk, turn_number=0, document=orders_for(duel, player), now=timezone.now()
        )
    assert resolve_turn(turn_id=open_turn(duel).pk, now=timezone.now())
    duel.refresh_from_db()
    chips = json.dumps(hand_of(duel, alice).chips["chips"])
    api.post(f"/api/v1/games/{duel.pk}/turns/1/orders", {"registers": chips}, headers=shown)
    text = written.getvalue()
    assert "roborunner.requests" in text
    assert ("no page today" in text) == broken
    secrets = [password, wrong, new, token, key, session, duel.link_token, SEED, chips]
    assert [secret for secret in secrets if secret in text] == []
    assert django_settings.SECRET_KEY not in text


def spoil(game: Game) -> Turn:
    """Store a resolved turn after the open one, so that the open turn cannot resolve.

    Return the open turn.
    """
    turn = open_turn(game)
    times = {"opened_at": timezone.now(), "resolved_at": timezone.now()}
    kept = {"record": b"in the way", "first_seq": 1, "last_seq": 0}
    game.turns.create(number=turn.number + 1, status="resolved", **kept, **times)
    return turn


def test_rows_in_errors_of_postgres_reach_neither_the_log_nor_staff(duel: Game, lines: Lines) -> None:
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        Game.objects.filter(pk=duel.pk).update(seats=0)
    assert SEED in str(refused.value)  # Postgres shows the row
    logging.getLogger("games").error("Failed: %s", refused.value, exc_info=refused.value)
    (line,) = lines()
    assert "IntegrityError" in line["error"]
    for text in (line["message"], line["error"], describe_error(refused.value)):
        assert "game_has_seats" in text
        assert SEED not in text
        assert duel.link_token not in text


class TestATask:
    @pytest.fixture
    def worker(self, database_url: str, tmp_path: Path) -> Iterator[Worker]:
        """A worker that logs in JSON."""
        app.control.purge()
        worker = Worker(tmp_path, {"DATABASE_URL": database_url, "LOG_FORMAT": "json"})
        worker.start()
        yield worker
        worker.kill()

    @pytest.mark.django_db(transaction=True)
    def test_its_lines_have_their_context_and_no_secret(
        self, worker: ForkedWorker, duel: Game, alice: User, bob: User, client: Client
    ) -> None:
        turn = open_turn(duel)
        chips: list[str] = []
        for player in (alice, bob):
            client.force_login(player)
            response = client.post(
                f"/api/v1/games/{duel.pk}/turns/0/orders", orders_for(duel, player), "application/json"
            )
            assert response.status_code < 300, response.content
        played = wait_for(worker, lambda line: line["message"] == "Turn 0 was played")
        assert (played["game"], played["turn"], played["task"]) == (duel.pk, turn.pk, "resolve_turn")
        assert played["request"] == response["X-Request-ID"]
        duel.refresh_from_db()
        chips = [json.dumps(hand.chips["chips"]) for hand in Hand.objects.filter(turn=open_turn(duel))]
        failing_turn = spoil(duel)
        Turn.objects.filter(pk=failing_turn.pk).update(ready_at=timezone.now())
        current_app.send_task("games.tasks.resolve_turn", args=[failing_turn.pk])
        failed = wait_for(worker, lambda line: line["level"] == "error")
        assert failed["turn"] == failing_turn.pk
        assert "IntegrityError" in failed["error"]
        assert "Key (" not in failed["error"]
        for secret in [SEED, duel.link_token, django_settings.SECRET_KEY, *chips]:
            assert secret not in worker.log
        ended = wait_for(worker, lambda line: "raised unexpected" in line["message"])
        assert ended["task_id"] == failed["task_id"]
        assert "Key (" not in ended["message"]


def wait_for(worker: ForkedWorker, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Wait until a worker logs a line that ``wanted`` accepts, and return the line."""
    end = time.monotonic() + 60
    while True:
        for text in worker.log.splitlines():
            if text.startswith("{") and wanted(line := json.loads(text)):
                return line
        assert time.monotonic() < end, worker.log
        time.sleep(0.1)
