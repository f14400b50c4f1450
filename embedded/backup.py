"""Back up, restore and check a site's database with Postgres programs of the server's version.

`docs/backups.md` describes the steps. The commands of ``manage.py`` run them. The commands of
``python -m embedded`` also start the embedded servers if needed.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Final

import psycopg
import redis
from psycopg import conninfo, sql

from embedded import encryption, paths, processes
from embedded.paths import Failure
from embedded.processes import PROJECT, manage
from embedded.servers import Servers

_TIMEOUT = 10  # seconds to wait for a server's answer


def dump(database_url: str, file: Path, *, recipients: str = "") -> None:
    """Write the contents of a database to a file while the site runs.

    With ``recipients``, public keys of age, the file is encrypted, and plain contents never reach the disk.
    The file gets its final name when the backup is complete. Only the owner can read the file, since it
    contains email addresses and password hashes. Raises `Failure` on an error.
    """
    if file.exists():
        raise Failure(f"There is a file {file} already: a backup is not written over another.")
    program = _program("pg_dump", database_url)
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        _make_private(unfinished)
        if recipients:
            with (
                unfinished.open("wb") as target,
                _piped(program, database_url, "--format=custom", stdout=subprocess.PIPE) as dumping,
            ):
                assert dumping.stdout
                encryption.encrypt(dumping.stdout, target, recipients)
                target.flush()
                os.fsync(target.fileno())
        else:
            _run(program, database_url, "--format=custom", f"--file={unfinished}")
        unfinished.rename(file)
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror or error}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _make_private(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
        file.touch(mode=0o600)
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror}.") from error


def restore(
    file: Path, server_url: str, database: str, *, overwrite: bool = False, identity: Path | None = None
) -> str:
    """Restore a backup into a database on the server of `server_url`. Return the database's address.

    The restore is all or nothing. A missing database is created, with the owner of the database at
    `server_url`. Raises `Failure` on an error, or if the database is not empty and `overwrite` is not set.
    """
    _require(file)
    url = beside(server_url, database)
    made = _make_database(server_url, database)
    try:
        fill(file, url, overwrite=overwrite, identity=identity)
    except Failure:
        if made:
            _drop_database(server_url, database)
        raise
    return url


def fill(file: Path, database_url: str, *, overwrite: bool = False, identity: Path | None = None) -> None:
    """Restore a backup into an existing database, all or nothing.

    An encrypted backup needs its ``identity``, a file with the secret key. Raises `Failure` on an error, or
    if the database is not empty and `overwrite` is not set.
    """
    _require(file)
    options = ["--single-transaction", "--no-owner"]
    with _connected(database_url) as connection:
        database, owner, role = _names_of(connection)
        if contents := _describe_contents(connection):
            if not overwrite:
                raise Failure(
                    f"The database {database} is not empty: it holds {contents}. "
                    "Restore into a fresh one, or say --overwrite to lose what is there."
                )
            if _is_used(connection):
                raise Failure(f"The database {database} is being used: stop the site first.")
            options += ["--clean", "--if-exists"]
    if owner != role:
        options.append(f"--role={owner}")
    program = _program("pg_restore", database_url)
    with _piped(program, database_url, *options, stdin=subprocess.PIPE) as restoring:
        assert restoring.stdin
        with suppress(BrokenPipeError):  # the program ended, and says why
            encryption.copy(file, restoring.stdin, identity)
            restoring.stdin.close()
    with _connected(database_url) as connection:
        connection.execute("ANALYZE")  # so that the first queries are as fast as later ones


def take_over(url: str, restored: str) -> str:
    """Rename the site's database, and give its name to a restored database.

    Returns the new name of the site's old database. Raises `Failure` if the restored database does not exist,
    if either database is in use, or if the role may not rename databases.
    """
    live = _name_of(url)
    with _connected(beside(url, "postgres")) as connection:
        names = {name for (name,) in connection.execute("SELECT datname FROM pg_database")}
        if restored not in names or restored == live:
            raise Failure(f"There is no other database {restored}.")
        kept = next(name for name in _free_names(f"{live}_before") if name not in names)
        renames = [
            sql.SQL("ALTER DATABASE {} RENAME TO {}")
            .format(sql.Identifier(before), sql.Identifier(after))
            .as_string(connection)
            for before, after in ((live, kept), (restored, live))
        ]
        try:
            with connection.transaction():
                for rename in renames:
                    connection.execute(rename.encode())
        except psycopg.errors.ObjectInUse as error:
            raise Failure("The database is being used: stop the site first.") from error
        except psycopg.errors.InsufficientPrivilege as error:
            raise Failure(
                f"The role {connection.info.user} may not rename databases. "
                "Do it as someone who may: docs/backups.md, “With the rights of an administrator”."
            ) from error
    return kept


@contextmanager
def scratch(file: Path, server_url: str, *, identity: Path | None = None) -> Iterator[str]:
    """Restore a backup into a scratch database during the block. Yield the database's address.

    The database is named after the site's, with ``_scratch`` at the end. If it does not exist, it is created,
    and dropped after the block. If an administrator has prepared it, it is emptied before and after.
    Raises `Failure` on an error, or if another command uses the scratch database.
    """
    _require(file)
    name = f"{_name_of(server_url)}{SCRATCH}"
    try:
        with _emptied(server_url, name) as url:
            fill(file, url, identity=identity)
            yield url
    except psycopg.Error as error:
        raise Failure(f"The database {name} failed: {str(error).strip()}") from error


@contextmanager
def _emptied(server_url: str, name: str) -> Iterator[str]:
    """Empty a scratch database before and after the block. Yield its address."""
    url = beside(server_url, name)
    made = _make_database(server_url, name)
    try:
        with _connected(url) as holder:
            # Held until the end, so that a second command does not touch the database.
            row = holder.execute("SELECT pg_try_advisory_lock(%s)", [_SCRATCH_LOCK]).fetchone()
            if not (row and row[0]):
                raise Failure(f"The database {name} is being used by another command. Try again later.")
            try:
                _empty(holder)
                yield url
            finally:
                _empty(holder)
    finally:
        if made:
            _drop_database(server_url, name)


SCRATCH: Final = "_scratch"
"""The end of the names of scratch databases. Only such databases are emptied without a question."""

_SCRATCH_LOCK: Final = 7_405_926


def _empty(connection: psycopg.Connection) -> None:
    """Drop all contents of a scratch database."""
    name = connection.info.dbname
    assert name.endswith(SCRATCH), name
    connection.execute("DROP SCHEMA IF EXISTS public CASCADE")
    connection.execute("CREATE SCHEMA public")


def _drop_database(server_url: str, database: str) -> None:
    with _connected(server_url) as connection:
        connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(database)))


def flush_redis(redis_url: str) -> None:
    """Empty the Redis of a site after a restore, since its messages may refer to lost rows.

    Raises `Failure` on an error.
    """
    try:
        with _redis(redis_url) as client:
            client.flushdb()
    except redis.RedisError as error:
        raise Failure(f"Redis was not emptied: {error}") from error


def require_redis(redis_url: str) -> None:
    """Raise `Failure` if the Redis of a site does not answer."""
    try:
        with _redis(redis_url) as client:
            client.ping()
    except redis.RedisError as error:
        raise Failure(f"Redis cannot be reached: {error}") from error


def beside(url: str, database: str) -> str:
    """Return the address of `database`, on the same server as the database at `url`."""
    address, question, options = url.partition("?")
    return f"{address.rpartition('/')[0]}/{database}{question}{options}"


def _redis(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=_TIMEOUT, socket_connect_timeout=_TIMEOUT)


def _require(file: Path) -> None:
    if not file.is_file():
        raise Failure(f"There is no file {file}.")


def _make_database(server_url: str, database: str) -> bool:
    """Create a database, unless it exists. Return whether it was created."""
    with _connected(server_url) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone():
            return False
        _, owner, role = _names_of(connection)
        make = "CREATE DATABASE {} OWNER {} TEMPLATE template0"
        try:
            connection.execute(sql.SQL(make).format(sql.Identifier(database), sql.Identifier(owner)))
        except psycopg.errors.InsufficientPrivilege as error:
            raise Failure(
                f"The role {role} may not make databases. "
                "Have an empty one made for it, and restore into that: "
                f"sudo -u postgres createdb --owner={role} --template=template0 {database}"
            ) from error
    return True


def _names_of(connection: psycopg.Connection) -> tuple[str, str, str]:
    """Return the names of a connection's database, of the database's owner and of the current role.

    If the role may not act for the owner, returns the role's name in place of the owner's name.
    """
    row = connection.execute(
        "SELECT datname, CASE WHEN pg_has_role(datdba, 'MEMBER') THEN pg_get_userbyid(datdba)"
        " ELSE current_user END, current_user FROM pg_database WHERE datname = current_database()"
    ).fetchone()
    assert row
    return row


def _describe_contents(connection: psycopg.Connection) -> str:
    """Describe the contents of a database in words. Return an empty string for an empty database."""
    tables = [
        table
        for (table,) in connection.execute(
            "SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm')"
            " AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')"
            " AND relnamespace::regnamespace::text NOT LIKE 'pg_toast%'"
        )
    ]
    if not tables:
        return ""
    if "games_game" in tables:
        row = connection.execute("SELECT count(*) FROM games_game").fetchone()
        assert row
        return f"{len(tables)} tables with {row[0]} games"
    return f"{len(tables)} tables"


def _is_used(connection: psycopg.Connection) -> bool:
    others = (
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND backend_type = 'client backend'"
    )
    return connection.execute(others).fetchone() is not None


def _name_of(url: str) -> str:
    name = conninfo.conninfo_to_dict(url)["dbname"]
    assert isinstance(name, str)
    return name


def _free_names(beginning: str) -> Iterator[str]:
    yield beginning
    for number in count(2):
        yield f"{beginning}_{number}"


def _connected(url: str) -> psycopg.Connection:
    try:
        return psycopg.connect(url, autocommit=True, connect_timeout=_TIMEOUT)
    except psycopg.OperationalError as error:
        raise Failure(f"The database cannot be reached: {str(error).strip()}") from error


def _program(name: str, url: str) -> Path:
    """Return the path of a Postgres program of the same version as the server."""
    with _connected(url) as connection:
        return paths.program_for_version(name, connection.info.server_version // 10_000)


def _run(program: Path, url: str, *arguments: str) -> None:
    """Run a Postgres program on a database."""
    address, environment = _given_to_program(url)
    done = processes.finish([program, address, *arguments], env=environment)
    if done.returncode:
        raise Failure(_explained(program.name, done.stderr.strip() or f"status {done.returncode}"))


@contextmanager
def _piped(
    program: Path,
    url: str,
    *arguments: str,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Postgres program on a database during the block, with a pipe from or to this process.

    If the block fails, the program is killed before it sees the end of its input, and changes nothing.
    Raises `Failure` if the program fails.
    """
    address, environment = _given_to_program(url)
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(
            processes.command_line([program, address, *arguments]),
            env=environment,
            start_new_session=True,
            stdin=stdin,
            stdout=stdout,
            stderr=said,
        )
        try:
            yield child
        except BaseException:
            child.kill()
            raise
        finally:
            status = child.wait()
            for pipe in (child.stdin, child.stdout):
                with suppress(OSError):
                    if pipe:
                        pipe.close()
        if status:
            said.seek(0)
            words = said.read().decode(errors="replace").strip()
            raise Failure(_explained(program.name, words or f"status {status}"))


def _given_to_program(url: str) -> tuple[str, dict[str, str]]:
    """Return an argument with a database's address, and the environment for a Postgres program.

    The password is not in the command line, since all users of the machine can see command lines.
    """
    parts = conninfo.conninfo_to_dict(url)
    password = parts.pop("password", None)
    address = conninfo.make_conninfo("", **{name: str(value) for name, value in parts.items()})
    environment = processes.server_environment() | ({"PGPASSWORD": str(password)} if password else {})
    return f"--dbname={address}", environment


def _explained(program: str, said: str) -> str:
    """Return an explanation of a program's failure, with advice for some known failures."""
    failed = f"{program} failed: {said}"
    if "unsupported version" in said:
        return f"{failed}\nThe backup was written for a newer PostgreSQL than this server's."
    if "permission denied" in said or "must be owner" in said or "must be able to SET ROLE" in said:
        return f"{failed}\nThe role has not the rights for it: use the role that owns the database."
    return failed


Given = Mapping[str, str]


def call_command(directory: Path, given: Given, *command: str) -> int:
    """Run one of Django's commands on the site's database. Return its exit status.

    The command prints its own errors. Raises `Failure` if there is no database.
    """
    with _environment(directory, given) as environment:
        line = processes.command_line([sys.executable, PROJECT / "manage.py", *command])
        return subprocess.run(line, env=environment, check=False).returncode


def check_copy(directory: Path, given: Given, name: str | None) -> str:
    """Check the site's database, or the database `name` on the same server. Return the report.

    Raises `Failure` with the problems, or if there is no database.
    """
    with _environment(directory, given) as environment:
        url = environment["DATABASE_URL"]
        return check_database(beside(url, name) if name else url, environment)


def check_database(url: str, environment: Mapping[str, str], *options: str) -> str:
    """Check that a database has this release's tables and only sound games.

    Takes the options of ``check_games``. Returns a report. Raises `Failure` with the problems found.
    """
    return manage({**environment, "DATABASE_URL": url}, "check_games", *options).strip()


@contextmanager
def _environment(directory: Path, given: Given) -> Iterator[dict[str, str]]:
    """Yield the environment for commands. Run the embedded servers during the block if needed.

    Raises `Failure` if there is no database.
    """
    url = paths.database_url(directory)
    environment = {"DATABASE_URL": url, "REDIS_URL": paths.redis_url(directory), **given}
    if given.get("DATABASE_URL") or _answers(url):
        yield {"SECRET_KEY": paths.secret_key(directory), **environment}
        return
    if not (directory / "postgres").exists():
        raise Failure(f"There is no database in {directory}, and DATABASE_URL names none.")
    with Servers(directory, given):
        yield {"SECRET_KEY": paths.secret_key(directory), **environment}


def _answers(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True
