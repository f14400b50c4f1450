"""The secret key of a trial, kept beside its data so that people stay logged in when it is started again."""

import os
import secrets
from pathlib import Path


def key(directory: Path) -> str:
    """The secret key of `directory`, made and kept there when first asked for."""
    kept = directory / "secret-key"
    try:
        return kept.read_text()
    except FileNotFoundError:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = directory / f"secret-key.{os.getpid()}"
    unfinished.touch(mode=0o600)
    unfinished.write_text(secrets.token_urlsafe(48))
    try:
        os.link(unfinished, kept)  # fails, instead of overwriting, when another process was quicker
    except FileExistsError:
        pass
    finally:
        unfinished.unlink()
    return kept.read_text()
