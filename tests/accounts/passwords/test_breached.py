"""Breached passwords are refused without asking another service."""

import gzip
import secrets
from pathlib import Path

import pytest
from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError

from accounts import passwords


def test_common_passwords_are_refused() -> None:
    for password in ("password123", "1q2w3e4r", "iloveyou"):
        assert passwords.is_breached(password)
        with pytest.raises(ValidationError) as refused:
            password_validation.validate_password(password)
        assert "password_breached" in {error.code for error in refused.value.error_list}


def test_case_and_surrounding_blanks_make_no_difference() -> None:
    assert passwords.is_breached(" PassWord123 ")


def test_it_knows_the_passwords_that_django_calls_common() -> None:
    file = Path(password_validation.__file__).with_name("common-passwords.txt.gz")
    common = gzip.decompress(file.read_bytes()).decode().split()
    common = [password for password in common if len(password) >= passwords.MIN_LENGTH_IN_FILE]
    assert len(common) > 3000
    assert all(map(passwords.is_breached, common))


def test_other_passwords_are_accepted() -> None:
    wrong = sum(passwords.is_breached(secrets.token_urlsafe(12)) for _ in range(20_000))
    assert wrong <= 12  # two false hits are expected


def test_the_file_is_built_from_a_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "some.bloom"
    assert passwords.write(["Correct Horse", "correct horse", "short", "battery staple"], file) == 2
    monkeypatch.setattr(passwords, "FILE", file)
    assert passwords.is_breached("correct horse") and passwords.is_breached("BATTERY staple")
    assert not passwords.is_breached("something else")


def test_it_knows_hundreds_of_thousands_and_stays_small() -> None:
    bits = passwords.FILE.stat().st_size * 8
    assert bits < 12_000_000
    assert bits * 0.69 / passwords.HASHES > 400_000
