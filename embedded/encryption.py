"""Encrypt backups in the format of age (https://age-encryption.org), so that any age program can read them.

The site knows the public key (a recipient, ``age1…``). Only the secret key, in a file called the identity,
can decrypt a backup.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pyrage  # type: ignore[import-untyped]

from embedded.paths import Failure

HEADER = b"age-encryption.org/v1\n"
"""The first bytes of every encrypted file."""

SUFFIX = ".age"


def new_key() -> str:
    """Return a new identity as text for a file. Its first line is a comment with the public key."""
    identity = pyrage.x25519.Identity.generate()
    return f"# public key: {identity.to_public()}\n{identity}\n"


def recipients_of(text: str) -> list[pyrage.x25519.Recipient]:
    """Return the public keys in a list that is separated by commas. Raises ValueError for an invalid key."""
    found = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        try:
            found.append(pyrage.x25519.Recipient.from_str(word))
        except pyrage.RecipientError as error:
            raise ValueError(f"it must be public keys of age (age1…): {error}") from None
    return found


def is_encrypted(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(HEADER)) == HEADER


def encrypt(source: IO[bytes], target: IO[bytes], recipients: str) -> None:
    """Encrypt a stream for each of the ``recipients``, which are separated by commas."""
    pyrage.encrypt_io(source, target, recipients_of(recipients))


def decrypt(source: IO[bytes], target: IO[bytes], identity: Path | None) -> None:
    """Decrypt a stream with the secret keys in a file.

    Raises `Failure` if no key fits, or if the stream is damaged or incomplete. By then, some of the text may
    be in ``target``.
    """
    keys = _keys_in(identity)
    try:
        pyrage.decrypt_io(source, target, keys)
    except pyrage.DecryptError as error:
        raise Failure(f"The keys in {identity} do not fit the backup: {error}.") from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(f"The backup is damaged or incomplete: {error}.") from None


def copy(source: Path, target: IO[bytes], identity: Path | None) -> None:
    """Write the plain contents of a backup to a stream, whether or not the backup is encrypted."""
    with source.open("rb") as opened:
        if is_encrypted(source):
            decrypt(opened, target, identity)
        else:
            shutil.copyfileobj(opened, target)


def _keys_in(identity: Path | None) -> Sequence[pyrage.x25519.Identity]:
    if identity is None:
        raise Failure("The backup is encrypted: set BACKUP_IDENTITY to the file with the secret key.")
    try:
        lines = identity.read_text().split()
        return [pyrage.x25519.Identity.from_str(word) for word in lines if word.startswith("AGE-SECRET-KEY-")]
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"The secret key cannot be read from {identity}: {error}.") from None
    except pyrage.IdentityError as error:
        raise Failure(f"There is a broken secret key in {identity}: {error}.") from None
