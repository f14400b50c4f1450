"""Encrypted backups, copies off site by S3 and ssh, and the choice of backups to keep."""

import io
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import boto3
import psycopg
import pytest
from moto.server import ThreadedMotoServer

from embedded import backup, copies, encryption
from embedded.copies import Directory, Keep, OffSite
from embedded.paths import Failure
from tests.support.debian import require

NOW = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)


# --- Thinning -----------------------------------------------------------------------------------------------


def nightly(days: int) -> list[str]:
    return [copies.name_at(NOW - timedelta(days=day)) for day in range(days)]


def test_two_years_of_backups_are_thinned_to_days_weeks_and_months() -> None:
    kept = Keep(14, 8, 12).names(nightly(730))
    assert set(nightly(14)) <= kept
    assert len(kept) == 14 + 6 + 10  # the first weeks and months are among the days
    assert min(kept) == "games-2025-12-31T030000Z.dump"


def test_thinning_each_night_keeps_the_same_as_thinning_once() -> None:
    held: set[str] = set()
    for name in reversed(nightly(400)):
        held = Keep(3, 2, 4).names({*held, name})
    assert held == Keep(3, 2, 4).names(nightly(400))


def test_backups_that_stopped_long_ago_stay() -> None:
    old = [copies.name_at(NOW - timedelta(days=1000 + day)) for day in range(5)]
    assert Keep(14, 8, 12).names(old) == set(old)


def test_other_files_of_a_directory_stay(tmp_path: Path) -> None:
    for name in ("mine.dump", "mine.dump.unfinished", *nightly(3)):
        (tmp_path / name).touch()
    assert copies.thin(Directory(tmp_path), Keep(1, 0, 0)) == 2
    assert {file.name for file in tmp_path.iterdir()} == {
        "mine.dump",
        "mine.dump.unfinished",
        nightly(1)[0],
    }


def test_unfinished_files_of_processes_that_died_go(tmp_path: Path) -> None:
    today, died = nightly(1)[0], f"{nightly(3)[2]}.age.unfinished"
    running = copies.name_at(NOW - timedelta(hours=1)) + ".unfinished"
    for name in (today, died, running):
        (tmp_path / name).touch()
    copies.thin(Directory(tmp_path), Keep())
    assert {file.name for file in tmp_path.iterdir()} == {today, running}


# --- Encryption ---------------------------------------------------------------------------------------------


@pytest.fixture
def identity(tmp_path: Path) -> Path:
    file = tmp_path / "identity"
    file.write_text(encryption.new_key())
    return file


def recipient_in(identity: Path) -> str:
    return identity.read_text().split("\n")[0].removeprefix("# public key: ")


def test_an_encrypted_backup_is_restored_only_with_its_key(
    database_url: str, identity: Path, tmp_path: Path
) -> None:
    file, other = tmp_path / "games.dump.age", tmp_path / "other"
    backup.dump(database_url, file, recipients=recipient_in(identity))
    assert encryption.is_encrypted(file) and b"accounts_user" not in file.read_bytes()
    assert file.stat().st_mode & 0o077 == 0
    with backup.scratch(file, database_url, identity=identity) as url, psycopg.connect(url) as look:
        assert look.execute("SELECT count(*) FROM games_game").fetchone() == (0,)
    other.write_text(encryption.new_key())
    for wrong, said in ((None, "set BACKUP_IDENTITY"), (other, "do not fit"), (tmp_path, "cannot be read")):
        with pytest.raises(Failure, match=said), backup.scratch(file, database_url, identity=wrong):
            pass
    file.write_bytes(file.read_bytes()[:-20])
    with (
        pytest.raises(Failure, match="damaged or incomplete"),
        backup.scratch(file, database_url, identity=identity),
    ):
        pass
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(url)


def test_any_age_program_reads_the_files(identity: Path, tmp_path: Path) -> None:
    require("age")
    file = tmp_path / "letter.age"
    with file.open("wb") as target:
        encryption.encrypt(io.BytesIO(b"Dear all"), target, recipient_in(identity))
    read = subprocess.run(["age", "--decrypt", f"--identity={identity}", file], capture_output=True)
    assert (read.stdout, read.returncode) == (b"Dear all", 0)


# --- Off site -----------------------------------------------------------------------------------------------


@pytest.fixture
def s3() -> Iterator[str]:
    """The address of an empty bucket on a server that speaks S3."""
    require("rclone")
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    boto3.client(
        "s3",
        endpoint_url=f"http://{host}:{port}",
        aws_access_key_id="KEY",
        aws_secret_access_key="a/secret",
        region_name="us-east-1",
    ).create_bucket(Bucket="robo")
    yield f"s3+http://KEY:a%2Fsecret@{host}:{port}/robo/games"
    server.stop()


@pytest.fixture
def ssh(tmp_path: Path) -> Iterator[str]:
    """The address of a directory on a real SSH server, which accepts only one key."""
    require("rclone", "openssh-server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for name in ("host", "client"):
        line = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name]
        subprocess.run(line, check=True)
    shutil.copy(tmp_path / "client.pub", tmp_path / "authorized")
    host_key = " ".join((tmp_path / "host.pub").read_text().split()[:2])
    (tmp_path / "known").write_text(f"[127.0.0.1]:{port} {host_key}\n")
    options = {
        "HostKey": tmp_path / "host",
        "AuthorizedKeysFile": tmp_path / "authorized",
        "PasswordAuthentication": "no",
        "StrictModes": "no",
        "ListenAddress": "127.0.0.1",
        "Port": port,
        "PidFile": "none",
        "Subsystem": "sftp internal-sftp",
        "ForceCommand": "internal-sftp",
    }
    Path("/run/sshd").mkdir(exist_ok=True) if os.geteuid() == 0 else None
    words = [f"-o{name}={value}" for name, value in options.items()]
    server = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f/dev/null", *words], stderr=subprocess.PIPE)
    assert server.stderr
    while b"Server listening" not in server.stderr.readline():
        assert server.poll() is None
    user = subprocess.run(["id", "-un"], capture_output=True, text=True).stdout.strip()
    (tmp_path / "far").mkdir()
    yield (
        f"ssh://{user}@127.0.0.1:{port}{tmp_path}/far/games"
        f"?key={tmp_path}/client&known_hosts={tmp_path}/known"
    )
    server.terminate()
    server.wait()


@pytest.mark.parametrize("kind", ["s3", "ssh"])
def test_copies_go_off_site_and_come_back(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    place = OffSite(request.getfixturevalue(kind))
    assert place.names() == []
    for name in nightly(3):
        (tmp_path / name).write_bytes(name.encode() * 1000)
        place.put(tmp_path / name)
    assert copies.thin(place, Keep(2, 0, 0)) == 1
    assert sorted(place.names()) == sorted(nightly(2))
    place.get(nightly(1)[0], tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == (tmp_path / nightly(1)[0]).read_bytes()


def test_an_unknown_host_and_a_wrong_key_are_refused(ssh: str, tmp_path: Path) -> None:
    (tmp_path / "letter").touch()
    (tmp_path / "known").write_text("")
    with pytest.raises(Failure, match="key is unknown"):
        OffSite(ssh).put(tmp_path / "letter")
    with pytest.raises(Failure, match=r"copyto at 127\.0\.0\.1:.* failed"):
        OffSite("s3+http://KEY:secret@127.0.0.1:1/robo/games").put(tmp_path / "letter")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ftp://host/games", "must start with s3:// or ssh://, not ftp://"),
        ("s3://host/bucket", "key, secret, host or bucket is missing"),
        ("s3://KEY:SECRET@host/bucket?zone=1", "unknown part: zone"),
        ("ssh://host/games", "user, host or directory is missing"),
        ("ssh://user@host/games?key=/k", "one with the key of the host"),
        ("ssh://user:secret@host/games?key=/k&known_hosts=/h", "one with the key of the host"),
    ],
)
def test_a_wrong_address_is_refused_with_a_reason(url: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        copies.destination(url)
