"""The name, the accent and the operator's own pages of a site."""

from email.utils import parseaddr
from pathlib import Path

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from hypothesis import given, strategies
from pytest_django.fixtures import Settings

from accounts.models import User
from games.site.appearance import CONTRAST, DAY, NIGHT, contrast, readable_shade

HERE = Path(__file__).parents[3]
TOKENS = HERE / "static/site/tokens.css"
TEMPLATES = HERE / "templates"


@given(strategies.integers(0, 0xFFFFFF))
def test_every_accent_is_readable_by_day_and_by_night(number: int) -> None:
    for grounds, towards in ((DAY, "#000000"), (NIGHT, "#ffffff")):
        shade = readable_shade(f"#{number:06x}", grounds, towards)
        assert min(contrast(shade, each) for each in grounds) >= CONTRAST


def test_the_backgrounds_are_those_of_the_styles() -> None:
    for name, day, night in zip(("paper", "sheet", "shade"), DAY, NIGHT, strict=True):
        assert f"--{name}: light-dark({day}, {night})" in TOKENS.read_text()


@pytest.mark.django_db
def test_pages_link_the_accent_only_if_there_is_one(client: Client, settings: Settings) -> None:
    assert "accent.css" not in client.get("/help/").text
    assert client.get("/accent.css").status_code == 404
    settings.SITE_ACCENT = "#ffd400"
    assert '<link rel="stylesheet" href="/accent.css?ffd400">' in client.get("/help/").text
    style = client.get("/accent.css")
    assert style["Content-Type"] == "text/css; charset=utf-8"
    assert style.text.startswith(":root{--blue:light-dark(#")
    assert style.text.endswith(",#ffd400)}\n")


@pytest.mark.django_db
def test_the_name_of_the_site_is_on_pages_and_in_mail(
    client: Client, settings: Settings, mailoutbox: list[EmailMessage]
) -> None:
    settings.SITE_NAME = "Bolts & Bots"
    page = client.get("/accounts/signup/")
    assert "· Bolts &amp; Bots</title>" in page.text
    assert '<span class="wordmark-name">Bolts &amp; Bots</span>' in page.text
    client.post("/accounts/password/reset/", {"email": "a@example.org"})
    assert "\n--\nBolts & Bots, http" in str(mailoutbox[0].body)
    assert "Bolts & Bots account has this address" in " ".join(str(mailoutbox[0].body).split())


def test_no_mail_has_another_name_of_the_site() -> None:
    mails = [*TEMPLATES.glob("**/email/*"), *TEMPLATES.glob("**/mail/*")]
    assert len(mails) > 50
    assert [mail for mail in mails if "Robo Runner" in mail.read_text()] == []


def test_the_sender_of_mail_has_a_valid_address(settings: Settings) -> None:
    assert parseaddr(settings.DEFAULT_FROM_EMAIL) == ("Robo Runner", "robo-runner@localhost")


@pytest.mark.django_db
def test_operators_add_pages_and_texts(
    client: Client, settings: Settings, tmp_path: Path, alice: User
) -> None:
    (tmp_path / "imprint.md").write_text("# Imprint\n\n**Erin** runs this. <script>alert(1)</script>\n")
    (tmp_path / "imprint.de.md").write_text("# Impressum\n\nErin betreibt das.\n")
    (tmp_path / "privacy.md").write_text("## In our country\n\nAsk Erin.\n")
    (tmp_path / "No good name.md").write_text("# Hidden\n")
    settings.OPERATOR_PAGES = str(tmp_path)
    footer = client.get("/help/").text
    assert '<a href="/pages/imprint/">Imprint</a>' in footer
    assert "Hidden" not in footer
    page = client.get("/pages/imprint/").text
    assert "<h1>Imprint</h1>" in page
    assert "<strong>Erin</strong> runs this. &lt;script&gt;" in page
    assert "<h2>In our country</h2>" in client.get("/privacy/").text
    for missing in ("privacy", "nothing", "imprint-de"):
        assert client.get(f"/pages/{missing}/").status_code == 404
    (tmp_path / "imprint.md").write_text("# Legal notice\n")
    assert "<h1>Legal notice</h1>" in client.get("/pages/imprint/").text


@pytest.mark.django_db
def test_a_file_that_cannot_be_read_breaks_no_page(
    client: Client, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "imprint.md").write_text("# Imprint\n")
    (tmp_path / "rules.md").write_bytes(b"\xef\xbb\xbf# House rules\n\nBe kind.\n")
    (tmp_path / "shop.md").write_text("Buy:\n\n```\n# no heading\n```\n")
    (tmp_path / "folder.md").mkdir()
    read = Path.read_text

    def refuse(path: Path, **more: str) -> str:
        if path.name == "imprint.md":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path, **more)

    monkeypatch.setattr(Path, "read_text", refuse)
    settings.OPERATOR_PAGES = str(tmp_path)
    footer = client.get("/help/").text
    assert ">House rules</a>" in footer
    assert ">shop</a>" in footer
    assert "imprint" not in footer
    assert "/pages/folder/" not in footer
    assert client.get("/pages/imprint/").status_code == 404
    page = client.get("/pages/rules/").text
    assert "<h1>House rules</h1>" in page
    assert "# House rules" not in page
    settings.OPERATOR_PAGES = str(tmp_path / "gone")
    assert client.get("/help/").status_code == 200
